"""Overlay text: legible text on an image."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from impasto import Brand, Context, Image, NodeError, Setting, Text, node
from impasto_nodes.transform.files import (
    brand_fonts,
    read_image,
    refuse_lost_letters,
    report_missing_font,
    save_image,
)

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

    from impasto_nodes.media.image.color import RGB
    from impasto_nodes.media.text.typeset import Align, Block

Position: TypeAlias = Literal[
    "auto",
    "top left",
    "top",
    "top right",
    "left",
    "centre",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
]
Weight: TypeAlias = Literal["light", "regular", "bold", "black", "italic"]
_WIDTH, _MIN_HEIGHT = 96, 8
"""Width and minimum height in pixels of the copy on which the detail of an image is measured."""


@node(
    id="overlay_text",
    title="Overlay text",
    category="transform_assets",
    keywords=("caption", "title", "headline", "text on image", "type", "watermark"),
)
def overlay_text(
    image: Image,
    text: Text,
    brand: Brand | None = None,
    *,
    position: Annotated[
        Position, Setting(title="Position", help="Auto: where the image is calmest.")
    ] = "auto",
    size: Annotated[
        float,
        Setting(
            title="Size",
            widget="slider",
            ge=0.02,
            le=0.3,
            step=0.01,
            help="Share of the short side; long text shrinks.",
        ),
    ] = 0.1,
    font: Annotated[
        str,
        Setting(
            title="Font",
            options="list_fonts",
            help="Empty: the brand's first font.",
            placeholder="From the brand",
        ),
    ] = "",
    weight: Annotated[Weight, Setting(title="Weight", widget="select")] = "black",
    colour: Annotated[
        str,
        Setting(
            title="Colour", widget="colour", help="Moved as far as it takes to be readable. Empty: chosen."
        ),
    ] = "",
    upper_case: Annotated[bool, Setting(title="Capitals")] = False,
    margin: Annotated[float, Setting(title="Margin", ge=0, le=0.2, step=0.01, advanced=True)] = 0.07,
    measure: Annotated[
        float,
        Setting(
            title="Widest line", ge=0.2, le=1, step=0.05, help="Share of the image's width.", advanced=True
        ),
    ] = 0.86,
    context: Context,
) -> Image:
    """Set words on an image: in the brand's font, wrapped evenly, never unreadable.

    The colour is moved, and the image softly shaded behind the words, as far as a contrast of 4.5 to 1
    takes and no further. Text too long for the image shrinks, then ends in an ellipsis.
    """
    words = text.strip()
    if not words:
        return image
    bitmap = read_image(image, context)
    family = font or (brand and brand.main_font) or "Hanken Grotesk"
    style = Style(position, size, family, weight, _wanted(colour), upper_case, margin, measure)
    with brand_fonts(brand, family, context):
        refuse_lost_letters(words, family, weight)
        report_missing_font(family, context)
        drawn = lettered(bitmap, words, style)
    return save_image(drawn, context, like=image, name="with-text")


class Style:
    """The typographic settings of the text."""

    def __init__(
        self,
        position: Position,
        size: float,
        family: str,
        weight: Weight = "black",
        colour: RGB | None = None,
        upper_case: bool = False,
        margin: float = 0.07,
        measure: float = 0.86,
    ) -> None:
        self.position, self.size, self.family, self.weight = position, size, family, weight
        self.colour, self.upper_case, self.margin, self.measure = colour, upper_case, margin, measure


def _wanted(colour: str) -> RGB | None:
    from impasto_nodes.media.image.color import from_hex, is_hex

    if not colour.strip():
        return None
    if not is_hex(colour):
        raise NodeError(f"'{colour}' is not a colour. Write it like #de4f2a.", code="bad_colour")
    return from_hex(colour)


def lettered(bitmap: Bitmap, words: str, style: Style) -> Bitmap:
    """Return the image with the text. See-through parts stay so around the letters."""
    from PIL import Image, ImageChops

    from impasto_nodes.media.image.image_file import flattened
    from impasto_nodes.media.image.legibility import ensured
    from impasto_nodes.media.text import typeset

    block = _block(bitmap.size, words, style)
    if not block.width:
        return bitmap  # only emoji that no font draws, or signs without width
    position = (
        style.position if style.position != "auto" else _calmest(flattened(bitmap), block, style.margin)
    )
    left, top, align = _place(bitmap.size, block, position, style.margin)
    start = left - {"left": 0, "center": block.width // 2, "right": block.width}[align]
    box = (start, top, start + block.width, top + block.height)
    solid, colour = ensured(flattened(bitmap), box, style.colour)
    typeset.draw(solid, block, (left, top), colour, align)
    if bitmap.mode == "RGBA":
        letters = Image.new("RGBA", bitmap.size)
        typeset.draw(letters, block, (left, top), colour, align)
        solid.putalpha(ImageChops.lighter(bitmap.getchannel("A"), letters.getchannel("A")))
    return solid


def _block(size: tuple[int, int], words: str, style: Style) -> Block:
    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    tight = -0.03 if style.weight in {"black", "bold"} else -0.01
    face = Face(style.family, style.weight, tight, 1.02 if style.weight == "black" else 1.12)
    unit = min(size)
    room = (
        round(min(size[0] * style.measure, size[0] - 2 * unit * style.margin)),
        round(size[1] - 2 * unit * style.margin),
    )
    text = words.upper() if style.upper_case else words
    return typeset.fit(
        text, face, room, largest=max(6, round(unit * style.size)), smallest=min(10, max(4, unit // 12))
    )


def _place(size: tuple[int, int], block: Block, position: str, margin: float) -> tuple[int, int, Align]:
    """The anchor for the type: its left, middle or right edge, and its top."""
    edge = round(min(size) * margin)
    align: Align = "left" if "left" in position else "right" if "right" in position else "center"
    left = {"left": edge, "center": size[0] // 2, "right": size[0] - edge}[align]
    if position.startswith("top"):
        return left, edge, align
    if position.startswith("bottom"):
        return left, size[1] - edge - block.height, align
    return left, (size[1] - block.height) // 2, align


def _calmest(bitmap: Bitmap, block: Block, margin: float) -> Position:
    """Return bottom, top or middle, whichever has the least detail."""
    import numpy as np

    rows = max(_MIN_HEIGHT, round(_WIDTH * bitmap.height / bitmap.width))
    small = bitmap.convert("L").resize((_WIDTH, rows))
    plane = np.asarray(small, np.float32)
    down, across = np.gradient(plane)
    busy = np.hypot(down, across)
    wide, high = small.width / bitmap.width, small.height / bitmap.height
    choices: tuple[tuple[Position, float], ...] = (("bottom left", 1.0), ("top left", 1.12), ("left", 1.5))
    scores: dict[Position, float] = {}
    for position, dislike in choices:
        left, top, _ = _place(bitmap.size, block, position, margin)
        # A text that is higher than its image begins above it.
        lines = slice(int(max(0, top) * high), math.ceil((top + block.height) * high))
        columns = slice(int(left * wide), math.ceil((left + block.width) * wide))
        scores[position] = (float(busy[lines, columns].mean()) + 2.0) * dislike
    return min(scores, key=lambda position: scores[position])


async def list_fonts(query: str, context: object) -> list[dict[str, str]]:
    """The font families that can be set here."""
    from impasto_nodes.media.text import fonts

    del context
    return [{"value": name, "label": name} for name in fonts.families() if query.lower() in name.lower()]
