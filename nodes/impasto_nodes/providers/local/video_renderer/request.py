"""The request of the local video renderer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LABEL = "Local renderer (not a diffusion model)"


@dataclass(frozen=True)
class VideoRequest:
    """One video to make at `out`. Without `images` (encoded files) it draws its own from the prompt."""

    out: Path
    images: tuple[bytes, ...] = ()
    duration: float = 5.0
    aspect_ratio: str = "16:9"
    seed: int = 0
    prompt: str = ""
    palette: tuple[str, ...] = ()
    brand_name: str = ""
    speech: Path | None = None
    height: int = 720
    fps: float = 24
    fonts: tuple[str, ...] = ()
    title: bool = True


def frame_size(aspect_ratio: str, short_side: int) -> tuple[int, int]:
    """Return an even width and height with this short side. Raises `ValueError` for an invalid ratio."""
    across, _, down = aspect_ratio.partition(":")
    if not (across.isdigit() and down.isdigit() and int(across) and int(down)):
        raise ValueError(f"'{aspect_ratio}' is not an aspect ratio: write it like 16:9")
    ratio = int(across) / int(down)
    short = short_side - short_side % 2
    long = 2 * round(short * max(ratio, 1 / ratio) / 2)
    return (long, short) if ratio >= 1 else (short, long)
