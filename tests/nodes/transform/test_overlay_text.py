"""Overlay text: how large a text is set in an image that has little room for it."""

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
