"""The captions kind: speech to timed text."""

import mimetypes
from dataclasses import dataclass
from typing import Protocol

from impasto import Audio, Context, Video


@dataclass(frozen=True, slots=True)
class Cue:
    """A few words and when they are heard, in seconds."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class CaptionsRequest:
    """One recording to write down; `language` is a code such as 'en', empty to let the model tell."""

    model: str
    sound: Audio | Video
    language: str = ""

    @property
    def file_name(self) -> str:
        """A name with the suffix that providers tell the format by."""
        suffix = {"audio/mpeg": ".mp3", "audio/wav": ".wav"}.get(self.sound.media_type)
        return f"sound{suffix or mimetypes.guess_extension(self.sound.media_type) or '.mp4'}"


@dataclass(frozen=True, slots=True)
class CaptionsResult:
    """What was heard, who heard it and what it cost."""

    cues: tuple[Cue, ...]
    provider: str
    model: str
    usd: float = 0.0


class CaptionsProvider(Protocol):
    """Writes down what is said in a recording."""

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Timed text in order of time, or a ProviderError."""
        ...
