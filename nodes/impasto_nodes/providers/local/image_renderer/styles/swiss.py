"""A typographic poster on a strict grid: one colour field, one figure, one very large word."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL.Image import Image

from impasto_nodes.media.image.color import RGB, contrast, mix
from impasto_nodes.media.image.legibility import legible
from impasto_nodes.media.text import typeset
from impasto_nodes.media.text.typeset import Face
from impasto_nodes.providers.local.image_renderer import motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import face
from impasto_nodes.providers.local.image_renderer.scene import Scene, grained


def swiss(scene: Scene) -> Image:
    """Draw ground, figure and text, aligned to the top left."""
    palette = scene.palette
    ground = palette.paper if scene.chance(0.45) else palette.main
    canvas = Canvas(scene.width, scene.height, ground)
    inks = sorted(
        {*palette.accents, palette.ink, palette.paper} - {ground}, key=lambda one: -contrast(one, ground)
    )
    figure = (
        _named
        if motifs.named(scene.words.thing) and scene.chance(0.6)
        else _FIGURES[int(scene.rng.integers(len(_FIGURES)))]
    )
    figure(scene, canvas, inks)
    image = grained(scene, canvas.image(), 4)
    if not scene.words.silent:
        _type(scene, image, ground)
    return image


def _area(scene: Scene) -> tuple[float, float, float]:
    """Return centre and half-size of the figure: the right half of a wide image, else the lower part."""
    if scene.words.silent:
        return scene.width / 2, scene.height / 2, scene.unit * 0.42
    if scene.wide:
        return scene.width - scene.height * 0.5, scene.height * 0.5, scene.height * 0.42
    size = min(scene.width * 0.43, scene.height * 0.255)
    return scene.width - scene.unit * 0.07 - size, scene.height - scene.unit * 0.07 - size, size


def _quarters(scene: Scene, canvas: Canvas, inks: list[RGB]) -> None:
    """Draw quarter circles in a grid, rotated at random."""
    x, y, half = _area(scene)
    cells = int(scene.rng.integers(3, 5))
    side = 2 * half / cells
    for row in range(cells):
        for column in range(cells):
            color = inks[int(scene.rng.integers(4))]
            turn = int(scene.rng.integers(4))
            left, top = x - half + column * side, y - half + row * side
            if scene.chance(0.16):
                canvas.fill(shapes.ellipse(left + side / 2, top + side / 2, side / 2), color)
                continue
            angle = [math.pi / 2 * number / 40 for number in range(41)]
            wedge = shapes.polygon([(0, 0), *((side * math.cos(at), side * math.sin(at)) for at in angle)])
            canvas.fill(
                wedge.moved(-side / 2, -side / 2)
                .turned(turn * math.pi / 2)
                .moved(left + side / 2, top + side / 2),
                color,
            )


_HALF_DISC = shapes.polygon(
    [(math.cos(math.pi * number / 90), math.sin(math.pi * number / 90)) for number in range(91)]
)
"""The lower half of a disc of radius 1."""


def _rings(scene: Scene, canvas: Canvas, inks: list[RGB]) -> None:
    """Draw half discs that are shifted against each other."""
    x, y, half = _area(scene)
    steps = int(scene.rng.integers(5, 8))
    slide = half * scene.between(0.12, 0.3)
    for number in range(steps):
        radius = half * (1 - number / steps)
        color = inks[number % 3]
        for side in (-1, 1):
            disc = _HALF_DISC.scaled(radius, side * radius)
            canvas.fill(disc.moved(x + side * slide / 2, y), color)


def _stripes(scene: Scene, canvas: Canvas, inks: list[RGB]) -> None:
    """Draw a disc of bars whose thickness grows."""
    x, y, half = _area(scene)
    bars = 13
    pitch = 2 * half / bars
    for number in range(bars):
        thick = pitch * (0.12 + 0.82 * number / (bars - 1))
        middle = y - half + (number + 0.5) * pitch
        reach = math.sqrt(max(0.0, half**2 - (middle - y) ** 2))
        color = mix(inks[0], inks[1], number / (bars - 1))
        canvas.fill(shapes.rectangle(x - reach, middle - thick / 2, x + reach, middle + thick / 2), color)


def _named(scene: Scene, canvas: Canvas, inks: list[RGB]) -> None:
    """Draw the named object in front of a disc."""
    x, y, half = _area(scene)
    canvas.fill(shapes.ellipse(x, y, half), inks[1])
    figure = (
        motifs.motif(motifs.named(scene.words.thing))
        .moved(-0.5, -0.5)
        .scaled(half * 1.5)
        .turned(scene.between(-0.2, 0.25))
    )
    shift = half * 0.09
    canvas.fill(figure.moved(x + shift, y + shift), inks[2])
    canvas.fill(figure.moved(x, y), inks[0])


_FIGURES: tuple[Callable[[Scene, Canvas, list[RGB]], None], ...] = (_quarters, _rings, _stripes)


def _type(scene: Scene, image: Image, ground: RGB) -> None:
    margin = round(scene.unit * 0.07)
    _, y, half = _area(scene)
    width = (
        scene.width - 2 * margin if not scene.wide else round(scene.width - scene.height * 0.94 - 2 * margin)
    )
    room = round(y - half - margin * 1.5) if not scene.wide else round(scene.height * 0.6)
    color = legible(image, (margin, margin, margin + width, margin + room), scene.palette.ink)
    small = Face(scene.families[0] if scene.families else "Hanken Grotesk", "regular", 0.0, 1.3)
    size = round(scene.unit * 0.029)
    rest = 0
    if scene.words.subline:
        block = typeset.fit(
            scene.words.subline, small, (width, round(size * 2.7)), largest=size, smallest=size
        )
        rest = block.height + round(size * 1.2)
        top = scene.height - margin - block.height if scene.wide else margin
        typeset.draw(image, block, (margin, top), color)
    head = typeset.fit(
        scene.words.headline, face(scene, "grotesk"), (width, room - rest), largest=round(scene.unit * 0.26)
    )
    typeset.draw(image, head, (margin, margin if scene.wide else margin + rest), color)
    if scene.brand_name:
        sign = typeset.fit(
            scene.brand_name,
            Face(small.family, "bold", 0.0, 1.0),
            (width // 2, size * 2),
            largest=size,
            smallest=size,
        )
        spot = (margin, scene.height - margin - sign.height - (rest if scene.wide else 0))
        box = (spot[0], spot[1], spot[0] + sign.width, spot[1] + sign.height)
        typeset.draw(image, sign, spot, legible(image, box, color))
