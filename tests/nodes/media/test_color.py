import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_nodes.media.image import color

bytes_ = st.integers(0, 255)
colors = st.tuples(bytes_, bytes_, bytes_)


@given(colors)
def test_hex_and_oklab_round_trip(one):
    assert color.from_hex(color.to_hex(one)) == one
    assert all(abs(a - b) <= 1 for a, b in zip(color.from_oklab(color.to_oklab(one)), one, strict=True))


@given(colors, colors)
def test_readable_color_has_enough_contrast(ground, wanted):
    assert color.contrast(ground, color.readable_on(ground, wanted)) >= 4.49


def test_color_with_enough_contrast_is_unchanged():
    assert color.readable_on((255, 255, 255), (47, 87, 224)) == (47, 87, 224)


def test_contrast_is_what_wcag_says():
    assert color.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert color.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_difference_follows_perception():
    assert color.difference((222, 79, 42), (222, 79, 42)) == 0
    assert color.difference((222, 79, 42), (224, 82, 45)) < 2
    assert color.difference((222, 79, 42), (47, 87, 224)) > 25


@pytest.mark.parametrize("text", ["", "#", "red", "#12", "#1234567", "#gggggg", "1 2 3"])
def test_an_invalid_color_is_refused(text):
    with pytest.raises(ValueError, match="not a colour"):
        color.from_hex(text)


def test_short_hex_and_alpha_are_read():
    assert color.from_hex("#d84") == (0xDD, 0x88, 0x44)
    assert color.from_hex("de4f2aff") == (0xDE, 0x4F, 0x2A)
