"""Contact sheet: many images in a grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from impasto import Brand, Context, Image, NodeError, Setting, Text, node
from impasto_nodes.transform.files import brand_fonts, read_image, save_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

_LIMIT = 120
_MIN_SIDE = 8
_INK = (29, 26, 22)
"""Of the words: the ground is always light."""


@node(
    id="contact_sheet",
    title="Contact sheet",
    category="transform_assets",
    keywords=("grid", "collage", "moodboard", "mosaic", "montage"),
)
def contact_sheet(
    images: list[Image],
    labels: list[Text] = [],  # noqa: B006
    title: Text = "",
    brand: Brand | None = None,
    *,
    columns: Annotated[
        int, Setting(title="Columns", ge=0, le=12, help="0: as square as it goes.", main=True)
    ] = 0,
    width: Annotated[int, Setting(title="Width", ge=320, le=6000, step=10, unit="px")] = 1600,
    gap: Annotated[
        float, Setting(title="Gap", ge=0, le=0.1, step=0.005, help="Share of the width.", advanced=True)
    ] = 0.015,
    cell: Annotated[
        str, Setting(title="Shape of a cell", choices=["as the first", "1:1", "4:5", "16:9", "9:16", "3:2"])
    ] = "as the first",
    context: Context,
) -> Image:
    """Lay images out in a grid, a label below each, a title above: a moodboard, a storyboard, a proof."""
    if not images:
        raise NodeError("There is no image for the sheet.", code="nothing_to_show")
    if len(images) > _LIMIT:
        raise NodeError(
            f"{len(images)} images are too many for one sheet; {_LIMIT} is the limit.",
            code="too_many_pictures",
        )
    ground, family = _look(brand)

    def read() -> Iterator[Bitmap]:
        for number, image in enumerate(images):
            yield read_image(image, context)
            context.progress(0.9 * (number + 1) / len(images))

    with brand_fonts(brand, family, context):
        page = sheet(
            read(),
            len(images),
            labels,
            title,
            columns=columns,
            width=width,
            gap=gap,
            cell=cell,
            ground=ground,
            family=family,
        )
    return save_image(page, context, name="contact-sheet")


def _look(brand: Brand | None) -> tuple[tuple[int, int, int], str]:
    from impasto_nodes.media.image.color import from_hex, is_hex, lightness

    colors = [from_hex(text) for text in (brand.palette if brand else ()) if is_hex(text)]
    light = [color for color in colors if lightness(color) > 0.9]
    family = (brand and brand.main_font) or "Source Serif Pro"
    return (light[0] if light else (246, 243, 236)), family


def sheet(
    bitmaps: Iterator[Bitmap],
    count: int,
    labels: list[str],
    title: str,
    *,
    columns: int,
    width: int,
    gap: float,
    cell: str,
    ground: tuple[int, int, int],
    family: str,
) -> Bitmap:
    """Return the page: `count` images, each cropped to its cell, decoded one at a time."""
    from PIL import Image, ImageOps

    from impasto_nodes.media.errors import ImageTooLarge
    from impasto_nodes.media.image.image_file import MAX_PIXELS
    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    first = next(bitmaps)
    across = columns or max(1, round(math.sqrt(count * 1.1)))
    space = round(width * gap)
    side = (width - space * (across + 1)) // across
    if side < _MIN_SIDE:
        raise NodeError("There is no room for so many columns. Choose fewer, or less gap.", code="no_room")
    high = round(side / _ratio(cell, first))
    note = max(10, round(width * 0.012))
    line = round(note * 3.1) if any(labels) else 0
    heading = (
        typeset.fit(
            title, Face(family, "light", -0.02, 1.06), (width - 2 * space, width // 9), largest=width // 24
        )
        if title.strip()
        else None
    )
    head = heading.height + 3 * space if heading else 0
    rows = math.ceil(count / across)
    size = (width, head + space + rows * (high + line + space))
    if size[0] * size[1] > MAX_PIXELS:
        raise ImageTooLarge(size, MAX_PIXELS)
    page = Image.new("RGB", size, ground)
    if heading:
        typeset.draw(page, heading, (space, 2 * space), _INK)
    for number, bitmap in enumerate(chain((first,), bitmaps)):
        left = space + (number % across) * (side + space)
        top = head + space + (number // across) * (high + line + space)
        fitted = ImageOps.fit(bitmap, (side, high), Image.Resampling.LANCZOS).convert("RGBA")
        page.paste(fitted, (left, top), fitted.getchannel("A"))
        if number < len(labels) and labels[number].strip():
            words = typeset.fit(
                labels[number],
                Face("Manrope", "regular", 0.0, 1.3),
                (side, line - note // 2),
                largest=note,
                smallest=note,
            )
            typeset.draw(page, words, (left, top + high + note // 2), _INK)
    return page


def _ratio(cell: str, first: Bitmap) -> float:
    across, _, down = cell.partition(":")
    return int(across) / int(down) if down else min(2.5, max(0.4, first.width / first.height))
