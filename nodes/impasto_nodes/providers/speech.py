"""The speech kind: text spoken in a voice."""

from dataclasses import dataclass
from typing import Protocol

from impasto import Audio, Context


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """One text to speak; the dials a provider lacks are ignored by it."""

    model: str
    text: str
    voice: str
    stability: float = 0.5
    similarity_boost: float = 0.75
    style: float = 0.0
    speed: float = 1.0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class SpeechResult:
    """Stored speech, who spoke it and what it cost."""

    audio: Audio
    provider: str
    model: str
    voice: str
    usd: float = 0.0


class SpeechProvider(Protocol):
    """Speaks one text and stores the sound."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """The speech asked for, or a ProviderError."""
        ...
