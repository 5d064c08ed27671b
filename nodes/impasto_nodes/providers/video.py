"""The video kind: a clip from words, or from words and a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from impasto import Brand, Context, Image, Video


@dataclass(frozen=True, slots=True)
class VideoRequest:
    """One order of a clip; with `picture`, it starts from it."""

    model: str
    prompt: str
    duration: float = 5.0
    aspect_ratio: str = "16:9"
    seed: int | None = None
    picture: Image | None = None
    brand: Brand | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VideoResult:
    """A stored clip, who made it and what it cost."""

    video: Video
    provider: str
    model: str
    usd: float = 0.0


class VideoProvider(Protocol):
    """Makes one clip and stores it."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """The clip asked for, or a ProviderError."""
        ...
