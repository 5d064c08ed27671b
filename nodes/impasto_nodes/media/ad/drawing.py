"""Draw an ad: its colors, its image in the shape of the design, its words, its button and its signature."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from impasto_nodes.media.ad.format import Box
from impasto_nodes.media.ad.layout import AdLayout, Line
from impasto_nodes.media.image.framing import Insets, best_window, cropped
from impasto_nodes.media.image.matting import border
from impasto_nodes.media.image.scaling import scaled_size
from impasto_nodes.media.image.subject import SubjectBox, subject_box, tightened, window_around
from impasto_nodes.media.text import typeset

if TYPE_CHECKING:
    from impasto_nodes.media.ad.colors import AdColors
    from impasto_nodes.media.image.color import RGB

_KEPT, _EVEN_RIM, _SOLID = 0.4, 9.0, 200
_MAX_PIXELS = 64_000_000
"""Of an image that is enlarged until the thing on it fills its room."""


def draw_ad(
    layout: AdLayout,
    image: Image.Image,
    colors: AdColors,
    sign: Image.Image | None,
    subject: SubjectBox | None = None,
) -> Image.Image:
    """Draw one ad. An image that is see-through, or on an even ground, is shown whole.

    `subject` is the part of a photo that no crop cuts, from `subject_of`.
    """
    page = Image.new("RGB", (layout.format.width, layout.format.height), colors.ground)
    _draw_fields(page, layout, colors)
    _draw_image(page, layout, image, colors, subject)
    if layout.button is not None:
        assert layout.call is not None
        radius = layout.button.height // 2
        _fill(page, layout.button, colors.button, radius)
        _draw_line(page, layout.call, colors.label, mirrored=False)
    for line in (layout.headline, layout.offer, layout.legal):
        if line is not None:
            _draw_line(page, line, colors.text, mirrored=layout.is_from_the_right)
    if layout.sign is not None and sign is not None:
        mark = ImageOps.contain(sign, (layout.sign.width, layout.sign.height), Image.Resampling.LANCZOS)
        at = (layout.sign.left, layout.sign.top + (layout.sign.height - mark.height) // 2)
        page.paste(mark, at, mark)
    return page


def _draw_fields(page: Image.Image, layout: AdLayout, colors: AdColors) -> None:
    """Draw the areas of color that belong to a design."""
    image, unit = layout.image, layout.format.unit
    pen = ImageDraw.Draw(page)
    if layout.format.is_strip:
        return
    if layout.design == "card":
        if layout.is_side_by_side:
            middle = (image.left + image.right) // 2
            pen.rectangle(
                (0, 0, middle, page.height)
                if image.left < layout.panel.left
                else (middle, 0, page.width, page.height),
                fill=colors.field,
            )
        else:
            pen.rectangle((0, 0, page.width, image.top + round(image.height * 0.7)), fill=colors.field)
    elif layout.design == "arch":
        around = round(unit * 0.022)
        behind = Box(image.left - around, image.top - around, image.right + around, image.bottom)
        page.paste(colors.field, (behind.left, behind.top), _arch(behind))
    elif layout.design == "base":
        band = max(2, round(unit * 0.014))
        if layout.is_side_by_side:
            edge = image.right if image.left == 0 else image.left - band
            pen.rectangle((edge, 0, edge + band - 1, page.height), fill=colors.button)
        else:
            pen.rectangle((0, image.top - band, page.width, image.top), fill=colors.button)


def _arch(box: Box) -> Image.Image:
    """Return a doorway as a mask: a round head, straight sides."""
    large = Image.new("L", (box.width * 3, box.height * 3))
    pen, head = ImageDraw.Draw(large), min(box.width, box.height) * 3
    pen.ellipse((0, 0, large.width - 1, head - 1), fill=255)
    pen.rectangle((0, head // 2, *large.size), fill=255)
    return large.resize((box.width, box.height), Image.Resampling.BOX)


def _fill(page: Image.Image, box: Box, color: RGB, radius: int) -> None:
    page.paste(color, (box.left, box.top), _mask((box.width, box.height), radius))


def _mask(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a rectangle with round corners as a mask, with smooth edges."""
    large = Image.new("L", (size[0] * 3, size[1] * 3))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, size[0] * 3 - 1, size[1] * 3 - 1), radius * 3, fill=255)
    return large.resize(size, Image.Resampling.BOX)


def _draw_image(
    page: Image.Image, layout: AdLayout, image: Image.Image, colors: AdColors, subject: SubjectBox | None
) -> None:
    box = layout.image
    if is_see_through(image):
        sheet = _standing(image, (box.width, box.height), colors.field)
    else:
        sheet = fitted(image.convert("RGB"), (box.width, box.height), _insets(layout), colors.field, subject)
    if layout.format.is_strip or layout.design not in {"card", "arch"}:
        page.paste(sheet, (box.left, box.top))
        return
    radius = round(layout.format.unit * 0.035)
    mask = _arch(box) if layout.design == "arch" else _mask((box.width, box.height), radius)
    page.paste(sheet, (box.left, box.top), mask)


def subject_of(image: Image.Image) -> SubjectBox | None:
    """Return the box of a photo's subject; None if it is shown whole or has no single thing."""
    if is_see_through(image) or even_rim(image.convert("RGB")) is not None:
        return None
    return subject_box(image)


def is_see_through(image: Image.Image) -> bool:
    """Return whether an image is a thing that was cut out."""
    return image.mode == "RGBA" and bool((np.asarray(image.getchannel("A")) < _SOLID).any())


def _insets(layout: AdLayout) -> tuple[float, float, float, float]:
    """Return how much of each side of the image is outside the safe area or its shape, as shares."""
    box, safe = layout.image, layout.format.safe_box
    inside = box.within(safe)
    if layout.design == "arch" and not layout.format.is_strip:
        head = round(min(box.width, box.height) * 0.14)
        inside = Box(inside.left + head, inside.top + head, inside.right - head, inside.bottom)
    return (
        (inside.left - box.left) / box.width,
        (inside.top - box.top) / box.height,
        (box.right - inside.right) / box.width,
        (box.bottom - inside.bottom) / box.height,
    )


def fitted(
    image: Image.Image,
    size: tuple[int, int],
    insets: Insets,
    field: RGB,
    subject: SubjectBox | None = None,
) -> Image.Image:
    """Return the image in a size: a thing on an even ground whole, on more of that ground; else a smart crop.

    A crop never cuts the subject. Where one would, or would lose too much, as much of the image as fits
    beside the subject stands on the field.
    """
    rim = even_rim(image)
    if rim is not None and (thing := _thing(image, rim)) is not None:
        return _on_ground(image, thing, rim, size, insets)
    if subject is not None:
        around = window_around(subject, image.size, size, insets)
        if around is not None:
            return cropped(image, size, around)
        return _on_field(image, size, insets, field, subject)
    window = best_window(image, size, insets)
    if window.kept >= _KEPT:
        return cropped(image, size, window)
    sheet = Image.new("RGB", size, field)
    inner = ImageOps.contain(image, size, Image.Resampling.LANCZOS)
    sheet.paste(inner, ((size[0] - inner.width) // 2, (size[1] - inner.height) // 2))
    return sheet


def _on_field(
    image: Image.Image, size: tuple[int, int], insets: Insets, field: RGB, subject: SubjectBox
) -> Image.Image:
    """Return the part of a photo around its subject inside the safe part of a field of color."""
    left, top = round(size[0] * insets[0]), round(size[1] * insets[1])
    wide = size[0] - left - round(size[0] * insets[2])
    high = size[1] - top - round(size[1] * insets[3])
    box = tightened(subject, image.size, wide / high)
    shown = (box[2] - box[0], box[3] - box[1])
    scale = min(wide / shown[0], high / shown[1])
    inner = image.resize(scaled_size(shown, scale), Image.Resampling.LANCZOS, box=box)
    sheet = Image.new("RGB", size, field)
    sheet.paste(inner, (left + (wide - inner.width) // 2, top + (high - inner.height) // 2))
    return sheet


def even_rim(image: Image.Image) -> RGB | None:
    """Return the color along the border, if it is one color."""
    small = np.asarray(image.resize((96, 96), Image.Resampling.BOX), np.float32)
    rim = border(small, 3)
    if float(np.percentile(np.abs(rim - np.median(rim, 0)).max(1), 95)) > _EVEN_RIM:
        return None
    red, green, blue = np.median(rim, 0)
    return int(red), int(green), int(blue)


def _thing(image: Image.Image, rim: RGB) -> Box | None:
    """Return the box of what differs from the ground; None if nothing does."""
    apart = (
        ImageChops.difference(image, Image.new("RGB", image.size, rim))
        .convert("L")
        .filter(ImageFilter.BoxBlur(2))
    )
    found = apart.point([0] * 14 + [255] * 242).getbbox()
    return Box(*found) if found else None


def _on_ground(
    image: Image.Image, thing: Box, rim: RGB, size: tuple[int, int], insets: Insets
) -> Image.Image:
    left, top = round(size[0] * insets[0]), round(size[1] * insets[1])
    room = Box(left, top, size[0] - round(size[0] * insets[2]), size[1] - round(size[1] * insets[3]))
    scale = 0.86 * min(room.width / thing.width, room.height / thing.height)
    scale = min(scale, math.sqrt(_MAX_PIXELS / (image.width * image.height)))
    sheet = Image.new("RGB", size, rim)
    large = image.resize(scaled_size(image.size, scale), Image.Resampling.LANCZOS)
    across = (room.left + room.right) // 2 - round((thing.left + thing.right) / 2 * scale)
    down = (room.top + room.bottom) // 2 - round((thing.top + thing.bottom) / 2 * scale)
    # The ground of a photo is never quite one color: its edge fades into the sheet.
    soft, edge = Image.new("L", large.size), min(large.size) // 40
    soft.paste(255, (edge, edge, large.width - edge, large.height - edge))
    sheet.paste(large, (across, down), soft.filter(ImageFilter.GaussianBlur(edge / 2)))
    return sheet


def _standing(image: Image.Image, size: tuple[int, int], ground: RGB) -> Image.Image:
    """Return a cut-out thing on a ground, with a soft shadow below it."""
    sheet = Image.new("RGB", size, ground)
    box = image.getchannel("A").getbbox()
    thing = image.crop(box) if box else image
    thing = ImageOps.contain(thing, (round(size[0] * 0.78), round(size[1] * 0.78)), Image.Resampling.LANCZOS)
    left, top = (size[0] - thing.width) // 2, (size[1] - thing.height) // 2
    shadow = Image.new("L", size)
    bottom, high = top + thing.height, max(4, round(thing.width * 0.05))
    ImageDraw.Draw(shadow).ellipse(
        (left + thing.width * 0.04, bottom - high, left + thing.width * 0.96, bottom + high), fill=130
    )
    sheet.paste((12, 10, 8), (0, 0), shadow.filter(ImageFilter.GaussianBlur(high * 0.7)))
    sheet.paste(thing, (left, top), thing)
    return sheet


def _draw_line(page: Image.Image, line: Line, color: RGB, *, mirrored: bool) -> None:
    if mirrored:
        typeset.draw(page, line.block, (line.box.right, line.box.top), color, "right")
    else:
        typeset.draw(page, line.block, (line.box.left, line.box.top), color, "left")
