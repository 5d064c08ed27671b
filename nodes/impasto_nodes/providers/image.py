"""The image kind: pictures from words, or from words and a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from impasto import Brand, Context, Image


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """One order of pictures; with `picture`, they start from it.

    `places`: where each will stand among all that the node gives, some of which may be there already.
    """

    model: str
    prompt: str
    n_images: int = 1
    aspect_ratio: str = "1:1"
    seed: int | None = None
    negative_prompt: str = ""
    picture: Image | None = None
    brand: Brand | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    places: Sequence[int] = range(64)


@dataclass(frozen=True, slots=True)
class ImageResult:
    """Stored pictures, who made them and what they cost."""

    images: tuple[Image, ...]
    provider: str
    model: str
    usd: float = 0.0


class ImageProvider(Protocol):
    """Makes pictures and stores each as it comes."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """All the pictures asked for, or a ProviderError."""
        ...
