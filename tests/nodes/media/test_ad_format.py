"""Boxes, and the shapes of ads from which words stand beside the image or in one row with it."""

import pytest

from impasto_nodes.media.ad.format import Box, Format


def test_box_is_measured_reduced_and_cut() -> None:
    box = Box(10, 20, 110, 80)
    assert (box.width, box.height) == (100, 60)
    assert box.inset(5) == Box(15, 25, 105, 75)
    assert box.within(Box(0, 30, 200, 70)) == Box(10, 30, 110, 70)
    assert box.within(Box(30, 0, 90, 200)) == Box(30, 20, 90, 80)


@pytest.mark.parametrize(("width", "is_strip"), [(259, False), (260, True)])
def test_format_of_2_6_times_its_height_is_a_strip(width: int, is_strip: bool) -> None:
    assert Format(width, 100).is_strip is is_strip


@pytest.mark.parametrize(
    ("width", "image_ratio", "is_beside"),
    [
        (120, 1.0, False),
        (121, 1.0, True),
        (95, 0.94, False),
        (96, 0.94, True),
        (120, 0.95, False),
        (121, 0.95, True),
    ],
)
def test_words_stand_beside_the_image_on_a_wide_page_and_in_a_square_beside_an_upright_one(
    width: int, image_ratio: float, is_beside: bool
) -> None:
    assert Format(width, 100).is_side_by_side(image_ratio) is is_beside


def test_safe_part_is_rounded_to_pixels_and_sizes_follow_the_short_side() -> None:
    page = Format(1000, 405, (0.1, 0.2, 0.3, 0.4))
    assert page.safe_box == Box(100, 81, 700, 243)
    assert (page.unit, Format(405, 1000).unit) == (405, 405)
    assert Format(30, 20).safe_box == Box(0, 0, 30, 20)
