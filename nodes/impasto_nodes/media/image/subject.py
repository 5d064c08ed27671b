"""The subject of a photo: its box, and crops that keep it whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PIL import Image

from impasto_nodes.media.image import matting
from impasto_nodes.media.image.framing import NO_INSETS, Insets, Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Grid: TypeAlias = NDArray[np.bool_]

SubjectBox: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of an image's sides."""
_SIDE, _MIN_SIDE, _CELLS = 384, 8, 64
_MIN_SHARE, _MAX_SHARE = 0.004, 0.6
"""The share of the image that a subject covers at least and at most."""
_BESIDE = 0.2
"""Parts of this share of the largest one belong to the subject, too."""
_AIR = 0.03


def subject_box(image: Image.Image, *, with_network: bool = True) -> SubjectBox | None:
    """Return the box of what a photo shows in front of its background; None if nothing stands out.

    The time and the memory that it takes do not depend on the image's size.
    """
    scale = min(1.0, _SIDE / max(image.size))
    size = (round(image.width * scale), round(image.height * scale))
    if min(size) < _MIN_SIDE:
        return None
    small = image.resize(size, Image.Resampling.BOX, reducing_gap=2.0).convert("RGB")
    mask, _ = matting.matte(small, with_network=with_network)
    cells = np.asarray(Image.fromarray(mask).resize((_CELLS, _CELLS), Image.Resampling.BOX)) > 0.5
    parts = _parts(cells)
    if not parts:
        return None
    largest = max(int(part.sum()) for part in parts)
    found = np.logical_or.reduce([part for part in parts if part.sum() >= largest * _BESIDE])
    if not _MIN_SHARE <= float(found.mean()) <= _MAX_SHARE:
        return None
    rows, columns = np.flatnonzero(found.any(1)), np.flatnonzero(found.any(0))
    left, top = float(columns[0]) / _CELLS, float(rows[0]) / _CELLS
    right, bottom = float(columns[-1] + 1) / _CELLS, float(rows[-1] + 1) / _CELLS
    return left, top, right, bottom


def _parts(cells: Grid) -> list[Grid]:
    """Return the connected parts of a small grid."""
    left, parts = cells.copy(), []
    while left.any():
        part = np.zeros_like(left)
        queue = [tuple(np.argwhere(left)[0])]
        while queue:
            y, x = queue.pop()
            if not (0 <= y < left.shape[0] and 0 <= x < left.shape[1]) or not left[y, x]:
                continue
            left[y, x], part[y, x] = False, True
            queue += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
        parts.append(part)
    return parts


def window_around(
    subject: SubjectBox,
    image: tuple[int, int],
    size: tuple[int, int],
    insets: Insets = NO_INSETS,
    *,
    closer: float = 1.0,
) -> Window | None:
    """Return the largest crop of an image, of the shape of `size`, whose safe part holds the whole subject.

    The subject stands as near to the middle of the safe part as the image allows. None if no crop holds it.
    `closer` makes the crop smaller: it is the share of the largest one's sides.
    """
    wide, high = image
    left, top, right, bottom = _with_air(subject, image)
    scale = min(wide / size[0], high / size[1]) * closer
    across, down = size[0] * scale, size[1] * scale
    x = _placed(left, right, across, insets[0], insets[2], wide)
    y = _placed(top, bottom, down, insets[1], insets[3], high)
    if x is None or y is None:
        return None
    return Window((x, y, x + across, y + down), 1.0)


def _with_air(subject: SubjectBox, image: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return the subject's box in pixels, with a little of what is around it."""
    left, top = max(0.0, subject[0] - _AIR) * image[0], max(0.0, subject[1] - _AIR) * image[1]
    return left, top, min(1.0, subject[2] + _AIR) * image[0], min(1.0, subject[3] + _AIR) * image[1]


def _placed(
    start: float, end: float, length: float, before: float, after: float, max_end: float
) -> float | None:
    """Return where a window of this length begins so that its safe part holds what is between two edges."""
    lowest = max(0.0, end - length * (1 - after))
    highest = min(max_end - length, start - length * before)
    if lowest > highest + 1e-6:
        return None
    middle = (start + end) / 2 - length * (before + 1 - after) / 2
    return min(max(middle, lowest), max(lowest, highest))


def tightened(subject: SubjectBox, image: tuple[int, int], ratio: float) -> tuple[float, float, float, float]:
    """Return the part of an image, in pixels, that holds the subject and is as near to a ratio as can be."""
    wide, high = image
    start, above, end, below = _with_air(subject, image)
    if wide / high > ratio:  # sides may go, as far as the subject
        across = max(high * ratio, end - start)
        left = min(max(0.0, (start + end - across) / 2), wide - across)
        return left, 0.0, left + across, float(high)
    down = max(wide / ratio, below - above)
    top = min(max(0.0, (above + below - down) / 2), high - down)
    return 0.0, top, float(wide), top + down
