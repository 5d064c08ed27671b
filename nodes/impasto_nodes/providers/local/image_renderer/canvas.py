"""A canvas of floats: fills shapes with colours, gradients and pixels, and draws their shadows.

Edges are drawn by Skia; where it can't load (it needs libGL), Pillow draws them larger and scales down.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from impasto_nodes.media.image.color import RGB
from impasto_nodes.providers.local.image_renderer.shapes import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Plane = NDArray[np.floating[Any]]
    Filling = NDArray[np.floating[Any]] | RGB


@cache
def _skia() -> Any | None:
    try:
        import skia
    except (ImportError, OSError):
        return None
    return skia


def coverage(shape: Shape, width: int, height: int) -> Plane:
    """Return the coverage of every pixel by the shape, 0 to 1."""
    skia = _skia()
    if skia is None:
        return _coverage_by_pillow(shape, width, height)
    pixels = np.zeros((height, width), np.uint8)
    info = skia.ImageInfo.MakeA8(width, height)
    surface = skia.Surface.MakeRasterDirect(info, pixels)
    builder = skia.PathBuilder()
    builder.setFillType(skia.PathFillType.kEvenOdd)
    for outline in shape.outlines:
        builder.addPolygon([skia.Point(float(x), float(y)) for x, y in outline], True)
    surface.getCanvas().drawPath(builder.detach(), skia.Paint(AntiAlias=True, Color=skia.ColorBLACK))
    del surface
    return pixels.astype(np.float32) / 255


def _coverage_by_pillow(shape: Shape, width: int, height: int) -> Plane:
    large = Image.new("1", (width * 4, height * 4))
    for outline in shape.outlines:
        layer = Image.new("1", large.size)
        ImageDraw.Draw(layer).polygon([(float(x) * 4, float(y) * 4) for x, y in outline], fill=1)
        large = Image.fromarray(np.asarray(large) ^ np.asarray(layer))
    return np.asarray(large.convert("L").resize((width, height), Image.Resampling.BOX), np.float32) / 255


def blurred(plane: Plane, radius: float) -> Plane:
    """Return the plane blurred. Wide radii are computed at a smaller size and scaled up."""
    shrink = max(1, int(radius // 6))
    image = Image.fromarray((np.clip(plane, 0, 1) * 255).astype(np.uint8))
    size = image.size
    if shrink > 1:
        image = image.resize((max(1, size[0] // shrink), max(1, size[1] // shrink)), Image.Resampling.BOX)
    image = image.filter(ImageFilter.GaussianBlur(radius / shrink))
    return np.asarray(image.resize(size, Image.Resampling.BICUBIC), np.float32) / 255


class Canvas:
    """Pixels as floats, 0 to 255, in `pixels`."""

    def __init__(self, width: int, height: int, ground: Filling) -> None:
        self.width, self.height = width, height
        self.pixels: Plane = np.empty((height, width, 3), np.float32)
        self.pixels[:] = np.asarray(ground, np.float32)

    def fill(
        self,
        shape: Shape,
        filling: Filling,
        opacity: float = 1.0,
        *,
        soft: float = 0.0,
        multiply: bool = False,
    ) -> None:
        """Fill a shape; `soft` blurs its edge, `multiply` blends it like ink."""
        window = self._window(shape, math.ceil(soft * 3) + 2)
        if window is None:
            return
        left, top, right, bottom = window
        mask = coverage(shape.moved(-left, -top), right - left, bottom - top) * opacity
        if soft:
            mask = blurred(mask, soft)
        self._lay(window, mask, filling, multiply)

    def shadow(
        self,
        shape: Shape,
        shift: tuple[float, float],
        soft: float,
        opacity: float,
        color: RGB = (20, 14, 10),
    ) -> None:
        """Draw the shadow of a shape."""
        self.fill(shape.moved(*shift), color, opacity, soft=soft)

    def _window(self, shape: Shape, pad: int) -> tuple[int, int, int, int] | None:
        left, top, right, bottom = shape.bounds
        box = (
            max(0, math.floor(left) - pad),
            max(0, math.floor(top) - pad),
            min(self.width, math.ceil(right) + pad),
            min(self.height, math.ceil(bottom) + pad),
        )
        return box if box[0] < box[2] and box[1] < box[3] else None

    def _lay(self, window: tuple[int, int, int, int], mask: Plane, filling: Filling, multiply: bool) -> None:
        left, top, right, bottom = window
        part = self.pixels[top:bottom, left:right]
        over: Plane = np.asarray(filling, np.float32)
        if over.ndim == 3:
            over = over[top:bottom, left:right]
        if multiply:
            over = part * over / 255
        part += (over - part) * mask[..., None]

    def image(self) -> Image.Image:
        """Return the canvas as an image."""
        return Image.fromarray(np.clip(self.pixels, 0, 255).astype(np.uint8))
