"""The text kind: what a language model is asked and what it answers."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from impasto import Context


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a model to look at."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class TextRequest:
    """One question to a language model; `schema` asks for JSON of that shape."""

    model: str
    prompt: str
    system: str = ""
    pictures: tuple[Picture, ...] = ()
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TextResult:
    """A whole answer, who wrote it and what it cost."""

    text: str
    provider: str
    model: str
    usd: float = 0.0
    units: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False


TextPart = TextDelta | TextResult


class TextProvider(Protocol):
    """Writes text. A stream ends with exactly one TextResult, or raises a ProviderError."""

    def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Answer piece by piece."""
        ...
