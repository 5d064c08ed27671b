"""The request of the local image renderer."""

from __future__ import annotations

import math
from dataclasses import dataclass

LABEL = "Local renderer (not a diffusion model)"

_SIZES = {
    "1:1": (1024, 1024),
    "4:5": (1024, 1280),
    "5:4": (1280, 1024),
    "9:16": (864, 1536),
    "16:9": (1536, 864),
    "3:2": (1248, 832),
    "2:3": (832, 1248),
    "4:3": (1152, 864),
    "3:4": (864, 1152),
    "21:9": (1512, 648),
    "2:1": (1440, 720),
}
ASPECT_RATIOS = tuple(_SIZES)


@dataclass(frozen=True)
class RenderRequest:
    """Images to draw; the same request always gives the same bytes.

    `headline` and `line` replace the words that would be taken from the prompt; "" sets none.
    """

    prompt: str
    n_images: int = 1
    aspect_ratio: str = "1:1"
    seed: int = 0
    palette: tuple[str, ...] = ()
    brand_name: str = ""
    image: bytes | None = None
    fonts: tuple[str, ...] = ()
    style: str | None = None
    headline: str | None = None
    line: str | None = None


def size_of(aspect_ratio: str) -> tuple[int, int]:
    """Return about a megapixel in this ratio, as (width, height). Raises `ValueError` if it is invalid."""
    if aspect_ratio in _SIZES:
        return _SIZES[aspect_ratio]
    across, _, down = aspect_ratio.partition(":")
    if not (across.isdigit() and down.isdigit() and 0 < int(across) <= 64 and 0 < int(down) <= 64):
        raise ValueError(f"'{aspect_ratio}' is not an aspect ratio: write it like 4:5")
    scale = 2 * max(1, round(math.sqrt(1_100_000 / (int(across) * int(down))) / 2))
    return int(across) * scale, int(down) * scale
