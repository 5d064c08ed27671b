"""Legible text on images: its color, the shading behind it, and the measurement of its contrast."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from impasto_nodes.media.image.color import RGB, contrast, luminance, readable_on
from impasto_nodes.media.image.scaling import scaled_size

Box: TypeAlias = tuple[int, int, int, int]
LIGHT: RGB = (255, 253, 249)
DARK: RGB = (24, 20, 17)


def legible(image: Image.Image, box: Box, wanted: RGB | None = None) -> RGB:
    """Return a legible color for the box: the wanted one, adjusted if necessary, else white or near-black."""
    ground = grounds(image, box)
    worst = {color: min(contrast(color, spot) for spot in ground) for color in (LIGHT, DARK)}
    if wanted is not None and min(contrast(wanted, spot) for spot in ground) >= 4.5:
        return wanted
    if wanted is not None and max(map(luminance, ground)) - min(map(luminance, ground)) < 0.06:
        return readable_on(ground[0], wanted)
    return max(worst, key=lambda color: worst[color])


def grounds(image: Image.Image, box: Box) -> list[RGB]:
    """Return the colors behind a box, as 64 samples."""
    left, top, right, bottom = box
    clipped = (
        max(0, left),
        max(0, top),
        min(image.width, max(left + 1, right)),
        min(image.height, max(top + 1, bottom)),
    )
    spots = np.asarray(image.crop(clipped).resize((8, 8), Image.Resampling.BOX).convert("RGB")).reshape(64, 3)
    return [(int(red), int(green), int(blue)) for red, green, blue in spots]


def worst_contrast(image: Image.Image, box: Box, color: RGB) -> float:
    """Return the lowest contrast of `color` with the samples behind the box."""
    return min(contrast(color, spot) for spot in grounds(image, box))


def ensured(image: Image.Image, box: Box, wanted: RGB | None = None) -> tuple[Image.Image, RGB]:
    """Return the image, shaded behind the box if necessary, and a color with a contrast of at least 4.5."""
    color = legible(image, box, wanted)
    if color in {LIGHT, DARK}:
        color = _gentlest(image, box)
    shaded = steadied(image, box, color, stripes=True)
    if worst_contrast(shaded, box, color) >= 4.5:
        return shaded, color
    plain = _gentlest(image, box)
    return steadied(image, box, plain, stripes=True), plain


def _gentlest(image: Image.Image, box: Box) -> RGB:
    """Return white or near-black, whichever needs less shading; tried on a small copy."""
    share = min(1.0, 360 / max(image.size))
    small = image.resize(scaled_size(image.size, share))
    left, top, right, bottom = (round(edge * share) for edge in box)
    room = (left, top, max(left + 1, right), max(top + 1, bottom))
    return min((LIGHT, DARK), key=lambda color: _change(small, room, color))


def _change(image: Image.Image, box: Box, color: RGB) -> float:
    shaded = steadied(image, box, color, stripes=True)
    if worst_contrast(shaded, box, color) < 4.5:
        return float("inf")  # in a small image the shade is too soft at the edge of the box
    before, after = (np.asarray(one.convert("L"), np.float32) for one in (image, shaded))
    haze = 1.6 if color == DARK else 1.0  # viewers notice light shading as a defect, dark shading hardly
    return haze * float(np.abs(before - after).mean()) - 0.01 * worst_contrast(shaded, box, color)


def steadied(
    image: Image.Image, box: Box, color: RGB, ratio: float = 4.5, *, stripes: bool = False
) -> Image.Image:
    """Shade softly behind text where the contrast is too low; elsewhere leave the image unchanged.

    With `stripes` also where a line as dark as the text crosses it.
    """
    for strength in (0, 60, 100, 140, 180, 220, 255):
        shaded = _shade(image, box, color, strength) if strength else image
        if worst_contrast(shaded, box, color) >= ratio and not (
            stripes and is_partly_illegible(shaded, box, color)
        ):
            break
    return shaded


def is_partly_illegible(image: Image.Image, box: Box, color: RGB) -> bool:
    """Whether the text has too little contrast with more than 2 % of the ground behind a box."""
    left, top, right, bottom = box
    behind = image.crop((max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)))
    behind.thumbnail((160, 160), Image.Resampling.BOX)
    linear = (np.asarray(behind.convert("RGB"), np.float32) / 255) ** 2.2
    light = linear @ np.array([0.2126, 0.7152, 0.0722], np.float32) + 0.05
    own = luminance(color) + 0.05
    return bool((np.maximum(light, own) / np.minimum(light, own) < 2.0).mean() > 0.02)


def _shade(image: Image.Image, box: Box, color: RGB, strength: int) -> Image.Image:
    near_edge = box[3] > image.height * 0.72 or box[1] < image.height * 0.28
    mask = _falling(image.size, box) if near_edge else _cloud(image.size, box)
    shade = (12, 10, 8) if luminance(color) > 0.5 else LIGHT
    weakened = mask.point([round(level * strength / 255) for level in range(256)])
    return Image.composite(Image.new("RGB", image.size, shade), image, weakened)


def _falling(size: tuple[int, int], box: Box) -> Image.Image:
    """Return shading from the nearer edge: full as far as the box, then fading over a fifth of the height."""
    high = size[1]
    rows = np.arange(high, dtype=np.float32)
    reach = high - box[1] if box[3] > high * 0.72 else box[3]
    depth = high - 1 - rows if box[3] > high * 0.72 else rows
    part = np.clip((reach + high * 0.2 - depth) / (high * 0.2), 0, 1)
    level = (part * part * (3 - 2 * part) * 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(np.broadcast_to(level[:, None], (high, size[0]))))


def _cloud(size: tuple[int, int], box: Box) -> Image.Image:
    """Return soft shading around the box."""
    left, top, right, bottom = box
    pad = round(max(size) * 0.06)
    small = Image.new("L", (max(1, size[0] // 8), max(1, size[1] // 8)))
    around = [(left - pad) / 8, (top - pad) / 8, (right + pad) / 8, (bottom + pad) / 8]
    ImageDraw.Draw(small).rounded_rectangle(around, pad / 8, fill=255)
    return small.filter(ImageFilter.GaussianBlur(pad / 11)).resize(size, Image.Resampling.BICUBIC)
