"""The size of an ad, the part of it that a channel leaves free, and rectangles in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from impasto_nodes.media.image.framing import Insets

_STRIP, _WIDE, _SQUARE = 2.6, 1.2, 0.95
"""Width by height from which a format is a strip, and from which words stand beside the image."""


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """From the left edge to the right one."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """From the top edge to the bottom one."""
        return self.bottom - self.top

    def inset(self, by: int) -> Box:
        """The box, smaller by this many pixels on each side."""
        return Box(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def within(self, other: Box) -> Box:
        """The part of the box that is also inside another."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Format:
    """The size of an ad in pixels. `safe`: the shares to keep clear at left, top, right and bottom."""

    width: int
    height: int
    safe: Insets = (0.0, 0.0, 0.0, 0.0)

    @property
    def unit(self) -> int:
        """The short side, which sizes are measured in; of a strip, its height."""
        return min(self.width, self.height)

    @property
    def is_strip(self) -> bool:
        """Whether it is so wide that everything stands in one row."""
        return self.width >= self.height * _STRIP

    def is_side_by_side(self, image_ratio: float) -> bool:
        """Whether image and words stand side by side; in a square they do beside an upright image."""
        return self.width > self.height * (_SQUARE if image_ratio < _SQUARE else _WIDE)

    @property
    def safe_box(self) -> Box:
        """The part that the channel's own buttons leave free."""
        left, top, right, bottom = self.safe
        return Box(
            round(self.width * left),
            round(self.height * top),
            round(self.width * (1 - right)),
            round(self.height * (1 - bottom)),
        )
