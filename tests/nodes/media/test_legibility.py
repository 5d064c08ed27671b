"""The color of text on an image, where the image is shaded behind it, and how far."""

import numpy as np
import pytest
from PIL import Image

from impasto_nodes.media.image.color import RGB
from impasto_nodes.media.image.legibility import (
    DARK,
    LIGHT,
    Box,
    ensured,
    grounds,
    is_partly_illegible,
    legible,
    steadied,
    worst_contrast,
)

BOX = (40, 230, 360, 280)


def greys(*levels: int, size: tuple[int, int] = (400, 300)) -> Image.Image:
    """Columns of these greys."""
    image = Image.new("RGB", size)
    width = size[0] // len(levels)
    for number, level in enumerate(levels):
        image.paste((level,) * 3, (number * width, 0, size[0], size[1]))
    return image


@pytest.mark.parametrize(
    ("box", "seen"),
    [
        ((0, 0, 8, 8), {(10 * x, 10 * y, 5) for x in range(8) for y in range(8)}),
        ((-5, -5, 1, 1), {(0, 0, 5)}),
        ((7, 6, 99, 99), {(70, 60, 5), (70, 70, 5)}),
        ((3, 4, 3, 4), {(30, 40, 5)}),
        ((3, 4, 2, 1), {(30, 40, 5)}),
    ],
)
def test_colors_behind_a_box_are_those_of_its_part_of_the_image(box: Box, seen: set[RGB]) -> None:
    image = Image.new("RGB", (8, 8))
    for x in range(8):
        for y in range(8):
            image.putpixel((x, y), (10 * x, 10 * y, 5))
    found = grounds(image, box)
    assert (len(found), set(found)) == (64, seen)


@pytest.mark.parametrize(
    ("levels", "wanted", "color"),
    [
        ((255,), None, DARK),
        ((0,), None, LIGHT),
        ((60, 200), None, DARK),
        ((30, 120), None, LIGHT),
        ((200,), (20, 60, 20), (20, 60, 20)),
        ((200,), (180, 180, 180), (78, 78, 78)),
        ((200, 208), (180, 180, 180), (78, 78, 78)),
        ((200, 209), (180, 180, 180), DARK),
        ((125, *[120] * 7), (120, 120, 120), (10, 10, 10)),
        ((30, 120), (200, 30, 30), LIGHT),
    ],
)
def test_wanted_color_is_used_or_adjusted_on_even_ground(
    levels: tuple[int, ...], wanted: RGB | None, color: RGB
) -> None:
    assert legible(greys(*levels), BOX, wanted) == color


@pytest.mark.parametrize(
    ("levels", "color", "left", "right"),
    [
        ((60,), LIGHT, 60, 60),
        ((115,), LIGHT, 115, 115),
        ((120,), LIGHT, 94, 94),
        ((125,), LIGHT, 98, 98),
        ((130,), DARK, 130, 130),
        ((180,), DARK, 180, 180),
        ((0, 255), LIGHT, 7, 82),
        ((60, 200), LIGHT, 33, 96),
        ((30, 120), LIGHT, 25, 94),
        ((130, 230), DARK, 130, 230),
        ((100, 180), DARK, 136, 197),
    ],
)
def test_ground_is_shaded_as_little_as_white_or_near_black_needs(
    levels: tuple[int, ...], color: RGB, left: int, right: int
) -> None:
    """The numbers are the green of the ground behind the text, at its left and at its right."""
    shaded, found = ensured(greys(*levels), BOX)
    assert found == color
    behind = [shaded.getpixel((x, 250))[1] for x in (100, 300)]
    assert behind == pytest.approx([left, right], abs=1)
    assert shaded.getpixel((5, 5)) == (levels[0],) * 3


@pytest.mark.parametrize("box", [(45, 45, 70, 53), (45, 35, 95, 43), (45, 60, 95, 68)])
def test_color_is_one_that_is_legible_where_the_shade_of_the_other_is_too_soft(box: Box) -> None:
    image = greys(0, 255, size=(100, 100))
    assert worst_contrast(steadied(image, box, DARK, stripes=True), box, DARK) < 4.5
    shaded, color = ensured(image, box)
    assert color == LIGHT
    assert worst_contrast(shaded, box, color) >= 4.5


@pytest.mark.parametrize(("line", "level"), [(170, 170), (190, 148)])
def test_color_that_no_shade_makes_legible_becomes_white_or_near_black(line: int, level: int) -> None:
    """A light shade hides the lines that cross a grey text, and the grey with them."""
    image = greys(0)
    for top in (235, 250, 265):
        image.paste((line,) * 3, (0, top, 400, top + 2))
    shaded, color = ensured(image, BOX, (150, 150, 150))
    assert color == LIGHT
    assert shaded.getpixel((200, 250))[1] == pytest.approx(level, abs=1)


@pytest.mark.parametrize(
    ("ratio", "level"),
    [(1.5, 200), (2.5, 155), (3.5, 125), (5.0, 96), (7.0, 66), (15, 36), (21, 10)],
)
def test_shading_grows_in_steps_until_the_contrast_is_reached(ratio: float, level: int) -> None:
    shaded = steadied(greys(200, size=(200, 100)), (20, 80, 180, 95), LIGHT, ratio)
    assert shaded.getpixel((100, 90))[1] == level


def full_shade(box: Box, color: RGB = LIGHT, ground: int = 255) -> np.ndarray:
    """The green of an even image of 200 by 100 pixels that is shaded for a contrast no text has."""
    shaded = steadied(greys(ground, size=(200, 100)), box, color, 99.0)
    return np.asarray(shaded)[..., 1].astype(int)


BELOW = [10, 10, 10, 10, 10, 48, 133, 218, *[255] * 12]


@pytest.mark.parametrize(
    ("box", "color", "ground", "column"),
    [
        ((20, 5, 180, 20), LIGHT, 255, BELOW),
        ((20, 80, 180, 95), LIGHT, 255, [*[255] * 12, 254, 202, 115, 36, *[10] * 4]),
        ((20, 5, 180, 95), LIGHT, 255, [36, *[10] * 19]),
        ((20, 80, 180, 95), DARK, 0, [*[0] * 12, 1, 55, 145, 226, *[253] * 4]),
        ((20, 30, 180, 73), LIGHT, 255, [255, 255, 254, 202, 115, 36, *[10] * 14]),
        ((20, 27, 180, 40), LIGHT, 255, [*[10] * 9, 48, 133, 218, *[255] * 8]),
        ((20, 20, 180, 72), LIGHT, 255, [*[10] * 15, 25, 96, 187, 248, 255]),
    ],
)
def test_shade_of_text_near_an_edge_comes_from_that_edge(
    box: Box, color: RGB, ground: int, column: list[int]
) -> None:
    shaded = full_shade(box, color, ground)
    assert shaded[::5, 100].tolist() == pytest.approx(column, abs=1)
    assert (shaded == shaded[:, :1]).all()


def test_shade_of_text_in_the_middle_is_a_cloud_around_it() -> None:
    shaded = full_shade((60, 40, 140, 60))
    row = [255, 255, 255, 250, 214, 120, 41, 18, 16, 16, 16, 16, 16, 16, 22, 59, 152, 232, 253, 255]
    column = [255, 255, 255, 249, 238, 207, 165, 108, 63, 31, 16, 11, 10, 15, 27, 58, 100, 157, 203, 233]
    assert shaded[50, ::10].tolist() == pytest.approx(row, abs=1)
    assert shaded[::5, 100].tolist() == pytest.approx(column, abs=1)
    for box in ((20, 30, 180, 72), (20, 29, 180, 60)):
        assert full_shade(box)[50, 2] > full_shade(box)[50, 100] + 50


@pytest.mark.parametrize(
    ("rows", "side", "box", "is_illegible"),
    [
        (2, 100, (0, 0, 100, 100), False),
        (3, 100, (0, 0, 100, 100), True),
        (2, 100, (-50, -20, 300, 150), False),
        (3, 100, (-50, -20, 300, 150), True),
        (1, 100, (0, 40, 100, 90), False),
        (2, 100, (0, 40, 100, 90), True),
        (2, 100, (0, 42, 100, 90), False),
        (7, 320, (0, 0, 320, 320), False),
        (8, 320, (0, 0, 320, 320), True),
    ],
)
def test_text_may_cross_dark_lines_on_a_fiftieth_of_its_ground(
    rows: int, side: int, box: Box, is_illegible: bool
) -> None:
    image = Image.new("RGB", (side, side), "white")
    image.paste((30, 30, 30), (0, 40, side, 40 + rows))
    assert is_partly_illegible(image, box, DARK) is is_illegible
    turned, turned_box = image.transpose(Image.Transpose.TRANSPOSE), (box[1], box[0], box[3], box[2])
    assert is_partly_illegible(turned, turned_box, DARK) is is_illegible


@pytest.mark.parametrize(("level", "is_illegible"), [(70, True), (75, False)])
def test_ground_needs_twice_the_light_of_the_text(level: int, is_illegible: bool) -> None:
    assert is_partly_illegible(greys(level), BOX, DARK) is is_illegible
