"""Text on an image: a block of headline, subline and brand name with enough contrast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PIL import Image

from impasto_nodes.media.image.color import RGB
from impasto_nodes.media.image.legibility import Box, legible, steadied
from impasto_nodes.media.text import typeset
from impasto_nodes.media.text.typeset import Align, Block, Face
from impasto_nodes.providers.local.image_renderer.scene import Scene

Edge: TypeAlias = Literal["top", "bottom"]

_FACES = {
    "grotesk": Face("Hanken Grotesk", "black", -0.035, 0.98),
    "poster": Face("Red Hat Display", "black", -0.03, 0.94),
    "serif": Face("Source Serif Pro", "light", -0.02, 1.02),
    "italic": Face("Source Serif Pro", "italic", -0.015, 1.04),
    "soft": Face("Fredoka One", "regular", -0.01, 1.0),
    "hand": Face("Amatic SC", "regular", 0.01, 0.92),
    "plain": Face("Manrope", "bold", -0.03, 1.04),
}


def face(scene: Scene, name: str) -> Face:
    """Return one of the faces, in the brand's first font family if it has one."""
    chosen = _FACES[name]
    if scene.families:
        return Face(scene.families[0], chosen.weight, chosen.tracking / 2, max(1.0, chosen.leading))
    return chosen


@dataclass(frozen=True)
class Setting:
    """The place and the look of a title."""

    face: str = "grotesk"
    edge: Edge = "bottom"
    align: Align = "left"
    share: float = 0.34
    measure: float = 0.86
    largest: float = 0.15
    upper: bool = False
    signed: Literal["opposite", "beside"] = "opposite"


@dataclass(frozen=True)
class TitleLayout:
    """The blocks of a title and where they stand, in pixels; `left` is the edge that they are aligned to."""

    headline: Block
    subline: Block | None
    left: int
    top: int
    subline_top: int
    box: Box


def lay_out(scene: Scene, setting: Setting) -> TitleLayout:
    """Fit headline and subline to the image and place them at the setting's edge."""
    margin = round(scene.unit * 0.07)
    headline = _headline_block(scene, setting, margin)
    subline = _subline_block(scene, headline.size, round((scene.width - 2 * margin) * setting.measure))
    gap = round(headline.size * 0.34) if subline else 0
    height = headline.height + gap + (subline.height if subline else 0)
    top = margin if setting.edge == "top" else scene.height - margin - height
    left = {"left": margin, "center": scene.width // 2, "right": scene.width - margin}[setting.align]
    width = max(headline.width, subline.width if subline else 0)
    box = _around(left, top, width, height, setting.align)
    return TitleLayout(headline, subline, left, top, top + headline.height + gap, box)


def title(scene: Scene, image: Image.Image, setting: Setting, wanted: RGB | None = None) -> Image.Image:
    """Set headline, subline and brand at an edge of the image. An image without words stays as it is."""
    if scene.words.silent:
        return image
    layout = lay_out(scene, setting)
    headline, subline, left = layout.headline, layout.subline, layout.left
    color = legible(image, layout.box, wanted)
    image = steadied(image, layout.box, color)
    if subline:  # small text is illegible on lines that a headline is large enough for
        below = _around(left, layout.subline_top, subline.width, subline.height, setting.align)
        image = steadied(image, below, color, stripes=True)
    typeset.draw(image, headline, (left, layout.top), color, setting.align)
    if subline:
        typeset.draw(image, subline, (left, layout.subline_top), color, setting.align)
    if setting.signed == "beside":
        signature(scene, image, setting.edge, align="right")
    else:
        signature(scene, image, "bottom" if setting.edge == "top" else "top")
    return image


def _headline_block(scene: Scene, setting: Setting, margin: int) -> Block:
    text = scene.words.headline.upper() if setting.upper else scene.words.headline
    room = (round((scene.width - 2 * margin) * setting.measure), round(scene.height * setting.share))
    return typeset.fit(text, face(scene, setting.face), room, largest=round(scene.unit * setting.largest))


def _subline_block(scene: Scene, above: int, measure: int) -> Block | None:
    if not scene.words.subline:
        return None
    size = max(round(scene.unit * 0.024), min(round(scene.unit * 0.036), above // 3))
    room = (measure, round(size * 2.6))
    return typeset.fit(
        scene.words.subline, Face("Manrope", "regular", 0.0, 1.3), room, largest=size, smallest=size
    )


def signature(
    scene: Scene, image: Image.Image, edge: Edge, wanted: RGB | None = None, align: Align = "left"
) -> None:
    """Draw the brand's name, small, in a corner."""
    if not scene.brand_name:
        return
    margin, size = round(scene.unit * 0.07), round(scene.unit * 0.026)
    style = Face(scene.families[0] if scene.families else "Manrope", "bold", 0.01, 1.0)
    block = typeset.fit(
        scene.brand_name, style, (scene.width - 2 * margin, size * 2), largest=size, smallest=size
    )
    top = margin if edge == "top" else scene.height - margin - block.height
    left = scene.width - margin if align == "right" else margin
    color = legible(image, _around(left, top, block.width, block.height, align), wanted)
    typeset.draw(image, block, (left, top), color, align)


def _around(left: int, top: int, width: int, height: int, align: Align) -> Box:
    start = left - round(width * {"left": 0.0, "center": 0.5, "right": 1.0}[align])
    return start, top, start + width, top + height
