"""Animated still images: slow pans and zooms with subpixel precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image


@dataclass(frozen=True)
class Move:
    """A movement from one window to another: centre (0..1 of the available range) and zoom."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]


STILL = Move((0.5, 0.5, 1.0), (0.5, 0.5, 1.0))
MOVES: dict[str, Move] = {
    "push in": Move((0.5, 0.5, 1.0), (0.5, 0.45, 1.16)),
    "pull out": Move((0.5, 0.45, 1.18), (0.5, 0.5, 1.0)),
    "pan right": Move((0.0, 0.5, 1.14), (1.0, 0.5, 1.14)),
    "pan left": Move((1.0, 0.5, 1.14), (0.0, 0.5, 1.14)),
    "rise": Move((0.5, 1.0, 1.14), (0.5, 0.0, 1.14)),
    "drift": Move((0.2, 0.8, 1.06), (0.8, 0.2, 1.18)),
    "still": STILL,
}


def chosen(seed: int, index: int) -> Move:
    """Return the move of image `index`, which differs from that of the image before."""
    names = [name for name in MOVES if name != "still"]
    return MOVES[names[(seed + index * 5) % len(names)]]


def eased(part: float) -> float:
    """Ease in and out, mostly linear, so that the image moves at a cut, too."""
    smooth = part * part * (3 - 2 * part)
    return 0.55 * part + 0.45 * smooth


class Mover:
    """Draws the frames of one image along one move."""

    def __init__(self, image: Image, size: tuple[int, int], move: Move) -> None:
        from PIL import Image, ImageOps

        # Slightly larger than the frame, so that the smallest window is sharp; no larger, for speed.
        closest = max(move.start[2], move.end[2])
        sheet = (round(size[0] * closest), round(size[1] * closest))
        self._image = ImageOps.fit(image.convert("RGB"), sheet, Image.Resampling.LANCZOS)
        self._size, self._move = size, move

    def frame(self, part: float) -> NDArray[np.uint8]:
        """The frame at `part` (0..1) of the move."""
        from PIL import Image

        at = eased(min(1.0, max(0.0, part)))
        x, y, zoom = (
            first + (last - first) * at for first, last in zip(self._move.start, self._move.end, strict=True)
        )
        wide, high = self._image.width / zoom, self._image.height / zoom
        left, top = x * (self._image.width - wide), y * (self._image.height - high)
        box = (left, top, min(self._image.width, left + wide), min(self._image.height, top + high))
        return np.asarray(self._image.resize(self._size, Image.Resampling.BICUBIC, box=box))
