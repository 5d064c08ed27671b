"""Smart cropping: a saliency map, and the crop of a given shape that keeps most of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Plane: TypeAlias = NDArray[np.floating[Any]]

Insets: TypeAlias = tuple[float, float, float, float]
NO_INSETS: Insets = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Window:
    """A crop in the image's own pixels, and how much of what matters it keeps (0 to 1)."""

    box: tuple[float, float, float, float]
    kept: float


def salience(image: Image.Image) -> Plane:
    """Return the saliency on a small grid that sums to 1: detail, unusual colors, and slightly the middle."""
    small = image.convert("RGB")
    small.thumbnail((128, 128), Image.Resampling.BOX)
    small = small.resize((max(2, small.width), max(2, small.height)))  # a slope needs two points
    pixels = np.asarray(small.convert("LAB"), np.float32)
    down, across = np.gradient(pixels[..., 0])
    detail = np.hypot(down, across)
    odd = np.sqrt(((pixels - np.median(pixels, (0, 1))) ** 2).sum(2))
    high, wide = detail.shape
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    middle = np.exp(-(((x / wide - 0.5) / 0.42) ** 2) - ((y / high - 0.46) / 0.42) ** 2)
    total = (_even(detail) + 1.4 * _even(odd) + 0.05) * (0.35 + middle)
    if "A" in image.getbands():
        seen = image.getchannel("A").resize((wide, high), Image.Resampling.BOX)
        total = total * np.asarray(seen, np.float32)
    share: Plane = total / max(float(total.sum()), 1e-9)
    return share.astype(np.float32)


def _even(plane: Plane) -> Plane:
    top = float(np.percentile(plane, 99)) or 1.0
    even: Plane = np.clip(plane / max(top, 1e-6), 0, 1) ** 1.3
    return even


def best_window(image: Image.Image, size: tuple[int, int], insets: Insets = NO_INSETS) -> Window:
    """Return the largest crop of this shape whose safe area holds the most saliency."""
    wide, high = image.size
    scale = min(wide / size[0], high / size[1])
    across, down = size[0] * scale, size[1] * scale
    plane = salience(image)
    centre = _salient_centre(plane, image.size)
    table = np.pad(plane.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    best, score = (0.0, 0.0), -1.0
    steps = 48
    for number in range(steps + 1):
        left, top = (wide - across) * number / steps, (high - down) * number / steps
        safe = (
            left + across * insets[0],
            top + down * insets[1],
            left + across * (1 - insets[2]),
            top + down * (1 - insets[3]),
        )
        found = _inside(table, safe, image.size) - 0.4 * _off_centre(centre, safe)
        if found > score:
            best, score = (left, top), found
    box = (best[0], best[1], best[0] + across, best[1] + down)
    return Window(box, _inside(table, box, image.size))


def _salient_centre(plane: Plane, size: tuple[int, int]) -> tuple[float, float]:
    """Return the centre of the most salient area, in the image's pixels."""
    strong = plane.astype(np.float64) ** 2
    total = max(float(strong.sum()), 1e-18)
    y, x = np.mgrid[0 : plane.shape[0], 0 : plane.shape[1]] + 0.5
    across, down = float((strong * x).sum()) / total, float((strong * y).sum()) / total
    return across / plane.shape[1] * size[0], down / plane.shape[0] * size[1]


def _off_centre(point: tuple[float, float], box: tuple[float, float, float, float]) -> float:
    """Return the distance of a point from the box's centre, as a share of its sides."""
    across = (point[0] - (box[0] + box[2]) / 2) / max(1.0, box[2] - box[0])
    down = (point[1] - (box[1] + box[3]) / 2) / max(1.0, box[3] - box[1])
    return abs(across) + abs(down)


def _inside(table: Plane, box: tuple[float, float, float, float], size: tuple[int, int]) -> float:
    rows, columns = table.shape[0] - 1, table.shape[1] - 1
    left, right = (round(edge / size[0] * columns) for edge in (box[0], box[2]))
    top, bottom = (round(edge / size[1] * rows) for edge in (box[1], box[3]))
    return float(table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left])


def cropped(image: Image.Image, size: tuple[int, int], window: Window) -> Image.Image:
    """The window at exactly this size."""
    left, top, right, bottom = window.box
    # Rounding errors may exceed the edge, which Pillow refuses.
    box = (max(0.0, left), max(0.0, top), min(image.width, right), min(image.height, bottom))
    return image.resize(size, Image.Resampling.LANCZOS, box=box)


def whole(image: Image.Image, size: tuple[int, int], insets: Insets = NO_INSETS) -> Image.Image:
    """Return the whole image inside the safe area, on a blurred copy of itself; transparency is kept."""
    from PIL import ImageOps

    from impasto_nodes.media.video.video_reader import blurred_ground

    safe = (round(size[0] * (1 - insets[0] - insets[2])), round(size[1] * (1 - insets[1] - insets[3])))
    inner = ImageOps.contain(image, safe, Image.Resampling.LANCZOS)
    left = round(size[0] * insets[0]) + (safe[0] - inner.width) // 2
    top = round(size[1] * insets[1]) + (safe[1] - inner.height) // 2
    page = Image.new("RGBA", size) if image.mode == "RGBA" else blurred_ground(image, size)
    page.paste(inner, (left, top))
    return page
