"""Overlay text: how large a text is set where there is little room, and where it stands by itself."""

import numpy as np
import pytest
from PIL import Image as Pillow

from impasto_nodes.transform.overlay_text import Style, lettered

LONG, SHORT = "HH " * 200, "HH\nHH\nHH"


@pytest.mark.parametrize(
    ("text", "size", "share", "line"),
    [
        (LONG, (160, 140), 0.1, 10),
        (LONG, (120, 96), 0.1, 8),
        (LONG, (60, 20), 0.1, 4),
        (SHORT, (200, 24), 0.02, 6),
        (SHORT, (400, 200), 0.1, 20),
        (SHORT, (400, 200), 0.3, 61),
    ],
    ids=["ten pixels", "a twelfth", "four pixels", "six pixels", "its share", "a large share"],
)
def test_text_shrinks_to_ten_pixels_or_a_twelfth_of_the_short_side(
    text: str, size: tuple[int, int], share: float, line: int
) -> None:
    style = Style("left", share, "Manrope", "black", (0, 0, 0), False, 0.0, 1.0)
    drawn = lettered(Pillow.new("RGB", size, "white"), text, style)
    dark = (np.asarray(drawn.convert("L")) < 128).any(1)
    starts = np.flatnonzero(dark[1:] & ~dark[:-1])
    assert set(np.diff(starts)) == {line}


def test_an_image_of_one_pixel_may_have_a_text() -> None:
    assert lettered(Pillow.new("RGB", (1, 1), "white"), LONG, Style("left", 0.1, "Manrope")).size == (1, 1)


def test_calmest_place_is_found_for_a_text_that_is_higher_than_its_image() -> None:
    """A mean of no rows would be NaN with a warning, which fails the test."""
    drawn = lettered(Pillow.new("RGB", (4, 4), "white"), "Hi", Style("auto", 0.1, "Manrope", margin=0.2))
    assert drawn.size == (4, 4)


@pytest.mark.parametrize("text", ["🎉", "\u200b"], ids=["an emoji", "a space without width"])
def test_text_without_anything_to_draw_leaves_the_image_as_it_is(text: str) -> None:
    image = Pillow.effect_noise((120, 80), 90).convert("RGB")
    assert lettered(image, text, Style("auto", 0.1, "Manrope", margin=0.0)).tobytes() == image.tobytes()


@pytest.mark.parametrize(
    ("size", "busy", "side"),
    [
        ((192, 192), (13, 150, 85, 180), "top"),
        ((192, 192), (104, 140, 192, 192), "bottom"),
        ((192, 192), (0, 140, 8, 192), "bottom"),
        ((192, 192), (0, 20, 192, 140), "bottom"),
        ((2400, 60), (0, 46, 2400, 60), "top"),
        ((2400, 60), (0, 0, 2400, 14), "bottom"),
    ],
    ids=["under it", "right of it", "left of it", "above it", "low in a strip", "high in a strip"],
)
def test_text_leaves_the_bottom_only_for_detail_where_it_would_stand(
    size: tuple[int, int], busy: tuple[int, int, int, int], side: str
) -> None:
    image = Pillow.new("RGB", size, (40, 60, 80))
    for left in range(busy[0], busy[2], 8):
        image.paste((180, 170, 160), (left, busy[1], left + 4, busy[3]))
    style = Style("auto", 0.1, "Manrope", "black", (255, 255, 255))
    drawn = np.asarray(lettered(image, "Calm", style))
    rows = (drawn > 240).all(2).any(1)
    middle = np.flatnonzero(rows).mean() / size[1]
    assert ("top" if middle < 0.4 else "bottom" if middle > 0.6 else "middle") == side
