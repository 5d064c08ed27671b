"""The visible "AI" mark of exported images."""

import numpy as np
import pytest
from PIL import Image, ImageChops

from impasto_server.marking.visible_mark import burn_in, mark_for

GROUND = (29, 26, 22, 199)


@pytest.mark.parametrize(
    ("size", "height"), [((100, 100), 18), ((360, 2000), 18), ((400, 2000), 20), ((4000, 2000), 100)]
)
def test_mark_is_a_twentieth_of_the_shorter_side_in_the_corner(size: tuple[int, int], height: int) -> None:
    mark = mark_for(size)
    margin = round(height / 2)
    left, top, right, bottom = mark.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert (left, top) == (margin, margin)
    assert bottom - top == height + 1
    assert 1.1 * height < right - left < 2 * height
    assert mark.size == ((right + 1) // 2 * 2, (bottom + 1) // 2 * 2)
    assert mark.getpixel((left, top + height // 2)) == GROUND
    assert mark.getpixel((0, 0)) == (0, 0, 0, 0)
    assert mark.getpixel((left, top))[3] < GROUND[3]  # type: ignore[index] # its corners are round


def test_letters_are_in_the_middle_of_the_mark() -> None:
    mark = np.asarray(mark_for((2000, 2000)))
    ink = np.argwhere(mark[..., 0] > 200)
    box = np.argwhere(mark[..., 3] > 0)
    assert np.abs(ink.mean(axis=0) - box.mean(axis=0)).max() < 5
    height, width = np.ptp(ink, axis=0)
    assert 35 < height < 60
    assert 30 < width < 80


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_image_keeps_its_mode_and_everything_beside_the_mark(mode: str) -> None:
    image = Image.linear_gradient("L").resize((300, 200)).convert(mode)
    before = np.asarray(image).copy()
    marked = burn_in(image)
    assert (marked.mode, marked.size) == (mode, image.size)
    assert np.array_equal(np.asarray(image), before)
    changed = np.argwhere(np.asarray(marked) != before)
    assert changed[:, :2].min(axis=0).tolist() == [9, 9]
    assert changed[:, 0].max() <= 27
    assert changed[:, 1].max() < 50


def test_image_smaller_than_the_mark_has_its_upper_left_part() -> None:
    image = Image.new("RGB", (16, 15), "white")
    marked = burn_in(image)
    assert marked.size == (16, 15)
    change = ImageChops.difference(marked, image)
    assert change.getbbox() == (9, 9, 16, 15)
