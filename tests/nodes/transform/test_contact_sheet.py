"""Contact sheet: the size of the page and of its cells, at their limits."""

from itertools import repeat

import pytest
from PIL import Image as Pillow

from impasto import NodeError
from impasto_nodes.media.image import image_file
from impasto_nodes.transform.contact_sheet import sheet


def page(count=1, *, title="", columns=0, cell="1:1", gap=0.0, image=(10, 10), width=320):
    bitmaps = repeat(Pillow.new("RGB", image, "teal"), count)
    look = {"ground": (246, 243, 236), "family": "Source Serif Pro"}
    return sheet(bitmaps, count, [], title, columns=columns, width=width, gap=gap, cell=cell, **look)


@pytest.mark.parametrize(
    ("count", "size"), [(1, (320, 320)), (2, (320, 640)), (3, (320, 320)), (5, (320, 480)), (6, (320, 212))]
)
def test_a_sheet_without_columns_is_about_as_wide_as_high(count, size):
    assert page(count, cell="1:1").size == size


@pytest.mark.parametrize(
    ("image", "height"), [((50, 10), 128), ((25, 10), 128), ((20, 10), 160), ((10, 25), 800), ((10, 50), 800)]
)
def test_a_cell_as_the_first_image_is_at_most_two_and_a_half_times_as_long_as_wide(image, height):
    assert page(cell="as the first", image=image).size == (320, height)


@pytest.mark.parametrize(("words", "height"), [(1, 1073), (12, 1106), (18, 1128), (80, 1123)])
def test_a_title_is_as_large_as_a_ninth_of_the_width_allows(words, height):
    title = " ".join((["Autumn", "leaves"] * 40)[:words])
    assert page(title=title, gap=0.1, width=800).size == (800, height)


def test_a_cell_has_eight_pixels_at_least():
    assert page(columns=40).getpixel((7, 7)) == (0, 128, 128)
    with pytest.raises(NodeError) as caught:
        page(columns=41)
    assert caught.value.code == "no_room"


def test_a_sheet_has_as_many_pixels_as_an_image_may_have(monkeypatch):
    monkeypatch.setattr(image_file, "MAX_PIXELS", 320 * 400)
    assert page(cell="4:5").size == (320, 400)
    monkeypatch.setattr(image_file, "MAX_PIXELS", 320 * 400 - 1)
    with pytest.raises(NodeError) as caught:
        page(cell="4:5")
    assert caught.value.code == "picture_too_large"
