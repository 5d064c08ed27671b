"""Type that can be read wherever it lands: choose its colour, shade what is behind it, measure both."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from impasto_nodes.media.image.color import RGB, contrast, luminance, readable_on

Box: TypeAlias = tuple[int, int, int, int]
LIGHT: RGB = (255, 253, 249)
DARK: RGB = (24, 20, 17)


def legible(picture: Image.Image, box: Box, wanted: RGB | None = None) -> RGB:
    """A colour that reads inside the box: the wanted one if it can be made to, else white or near-black."""
    ground = grounds(picture, box)
    worst = {colour: min(contrast(colour, spot) for spot in ground) for colour in (LIGHT, DARK)}
    if wanted is not None and min(contrast(wanted, spot) for spot in ground) >= 4.5:
        return wanted
    if wanted is not None and max(map(luminance, ground)) - min(map(luminance, ground)) < 0.06:
        return readable_on(ground[0], wanted)
    return max(worst, key=lambda colour: worst[colour])


def grounds(picture: Image.Image, box: Box) -> list[RGB]:
    """What is behind a box, as 64 spots."""
    left, top, right, bottom = box
    clipped = (
        max(0, left),
        max(0, top),
        min(picture.width, max(left + 1, right)),
        min(picture.height, max(top + 1, bottom)),
    )
    spots = np.asarray(picture.crop(clipped).resize((8, 8), Image.Resampling.BOX).convert("RGB")).reshape(
        -1, 3
    )
    return [(int(red), int(green), int(blue)) for red, green, blue in spots]


def worst_contrast(picture: Image.Image, box: Box, colour: RGB) -> float:
    """The contrast of `colour` with the spot behind the box that is nearest to it."""
    return min(contrast(colour, spot) for spot in grounds(picture, box))


def ensured(picture: Image.Image, box: Box, wanted: RGB | None = None) -> tuple[Image.Image, RGB]:
    """The picture, shaded behind the box if it must be, and a colour that reads there at 4.5 or better."""
    colour = legible(picture, box, wanted)
    if colour in {LIGHT, DARK}:
        colour = _gentlest(picture, box)
    shaded = steadied(picture, box, colour, stripes=True)
    if worst_contrast(shaded, box, colour) >= 4.5:
        return shaded, colour
    plain = _gentlest(picture, box)
    return steadied(picture, box, plain, stripes=True), plain


def _gentlest(picture: Image.Image, box: Box) -> RGB:
    """White or near-black: whichever reads with less of the picture shaded away, tried on a small copy."""
    share = min(1.0, 360 / max(picture.size))
    small = picture.resize((max(1, round(picture.width * share)), max(1, round(picture.height * share))))
    left, top, right, bottom = (round(edge * share) for edge in box)
    room = (left, top, max(left + 1, right), max(top + 1, bottom))
    return min((LIGHT, DARK), key=lambda colour: _change(small, room, colour))


def _change(picture: Image.Image, box: Box, colour: RGB) -> float:
    shaded = steadied(picture, box, colour, stripes=True)
    if worst_contrast(shaded, box, colour) < 4.5:
        return float("inf")
    before, after = (np.asarray(one.convert("L"), np.float32) for one in (picture, shaded))
    haze = 1.6 if colour == DARK else 1.0  # a pale veil is seen as a fault, a dark one as light falling off
    return haze * float(np.abs(before - after).mean()) - 0.01 * worst_contrast(shaded, box, colour)


def steadied(
    picture: Image.Image, box: Box, colour: RGB, ratio: float = 4.5, *, stripes: bool = False
) -> Image.Image:
    """Shade softly behind type where the ground would swallow it; elsewhere leave the picture alone.

    With `stripes` also where a line of its own darkness would strike the type through.
    """
    for strength in (0, 60, 100, 140, 180, 220, 255):
        shaded = _shade(picture, box, colour, strength) if strength else picture
        if worst_contrast(shaded, box, colour) >= ratio and not (stripes and struck(shaded, box, colour)):
            break
    return shaded


def struck(picture: Image.Image, box: Box, colour: RGB) -> bool:
    """Whether type would drown in over a fiftieth of the ground behind a box: it is as dark, or as light."""
    left, top, right, bottom = box
    behind = picture.crop((max(0, left), max(0, top), min(picture.width, right), min(picture.height, bottom)))
    behind.thumbnail((160, 160), Image.Resampling.BOX)
    linear = (np.asarray(behind.convert("RGB"), np.float32) / 255) ** 2.2
    light = linear @ np.array([0.2126, 0.7152, 0.0722], np.float32) + 0.05
    own = luminance(colour) + 0.05
    return bool((np.maximum(light, own) / np.minimum(light, own) < 2.0).mean() > 0.02)


def _shade(picture: Image.Image, box: Box, colour: RGB, strength: int) -> Image.Image:
    near_edge = box[3] > picture.height * 0.72 or box[1] < picture.height * 0.28
    mask = _falling(picture.size, box) if near_edge else _cloud(picture.size, box)
    shade = (12, 10, 8) if luminance(colour) > 0.5 else LIGHT
    weakened = mask.point([round(level * strength / 255) for level in range(256)])
    return Image.composite(Image.new("RGB", picture.size, shade), picture, weakened)


def _falling(size: tuple[int, int], box: Box) -> Image.Image:
    """From the nearer edge inwards: full as far as the box reaches, then gone over a fifth of the height."""
    high = size[1]
    rows = np.arange(high, dtype=np.float32)
    reach = high - box[1] if box[3] > high * 0.72 else box[3]
    depth = high - 1 - rows if box[3] > high * 0.72 else rows
    part = np.clip((reach + high * 0.2 - depth) / (high * 0.2), 0, 1)
    level = (part * part * (3 - 2 * part) * 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(np.broadcast_to(level[:, None], (high, size[0]))))


def _cloud(size: tuple[int, int], box: Box) -> Image.Image:
    """All round the box, softly."""
    left, top, right, bottom = box
    pad = round(max(size) * 0.06)
    small = Image.new("L", (max(1, size[0] // 8), max(1, size[1] // 8)), 0)
    around = [(left - pad) / 8, (top - pad) / 8, (right + pad) / 8, (bottom + pad) / 8]
    ImageDraw.Draw(small).rounded_rectangle(around, pad / 8, fill=255)
    return small.filter(ImageFilter.GaussianBlur(pad / 11)).resize(size, Image.Resampling.BICUBIC)
