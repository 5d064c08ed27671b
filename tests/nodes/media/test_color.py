"""Colors between hex, OKLab and WCAG's luminance, and the nearest one that can be read."""

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
    assert not color.is_hex(text)
    with pytest.raises(ValueError, match="not a colour"):
        color.from_hex(text)


def test_short_hex_and_alpha_are_read():
    assert color.from_hex("#d84") == (0xDD, 0x88, 0x44)
    assert color.from_hex("de4f2aff") == (0xDE, 0x4F, 0x2A)
    assert color.is_hex(" #d84 ") is color.is_hex("DE4F2AFF") is True
    assert color.to_hex((0xDE, 0x4F, 0x0A)) == "#de4f0a"


# Of Björn Ottosson's page, rounded as there, and converted with his program.
OKLAB = {
    (255, 255, 255): (1.0, 0.0, 0.0),
    (0, 0, 0): (0.0, 0.0, 0.0),
    (255, 0, 0): (0.628, 0.225, 0.126),
    (0, 255, 0): (0.866, -0.234, 0.179),
    (0, 0, 255): (0.452, -0.032, -0.312),
    (10, 10, 10): (0.145, 0.0, 0.0),
}


@pytest.mark.parametrize("rgb", OKLAB)
def test_oklab_matches_the_published_values(rgb):
    assert color.to_oklab(rgb) == pytest.approx(OKLAB[rgb], abs=0.001)
    assert color.from_oklab(color.to_oklab(rgb)) == rgb
    assert color.lightness(rgb) == color.to_oklab(rgb)[0]


def test_colors_outside_srgb_become_the_nearest_ones():
    assert color.from_oklab((1.2, 0, 0)) == (255, 255, 255)
    assert color.from_oklab((-0.2, 0, 0)) == (0, 0, 0)
    assert color.from_oklab((0.6, 0.5, 0.1))[1] == 0


@pytest.mark.parametrize(
    ("rgb", "luminance"),
    [
        ((0, 0, 0), 0),
        ((255, 0, 0), 0.2126),
        ((0, 255, 0), 0.7152),
        ((0, 0, 255), 0.0722),
        ((10, 10, 10), 0.00304),
        ((11, 11, 11), 0.00335),
        ((188, 188, 188), 0.5029),
    ],
)
def test_luminance_is_what_wcag_says(rgb, luminance):
    assert color.luminance(rgb) == pytest.approx(luminance, abs=5e-5)


def test_colors_are_mixed_lightened_and_greyed_in_oklab():
    assert [color.mix((255, 0, 0), (0, 0, 255), share) for share in (0, 0.5, 1)] == [
        (255, 0, 0),
        (140, 83, 162),
        (0, 0, 255),
    ]
    assert color.with_lightness((222, 79, 42), 0.9) == (255, 172, 133)
    assert color.with_lightness((222, 79, 42), 0.5, saturation=0) == (99, 99, 99)
    assert color.chroma((128, 128, 128)) == pytest.approx(0, abs=1e-4)
    assert color.chroma((255, 0, 0)) == pytest.approx(0.2577, abs=1e-3)
    assert color.difference((0, 0, 0), (255, 255, 255)) == pytest.approx(100, abs=0.01)


@pytest.mark.parametrize(
    ("ground", "wanted", "expected"),
    [
        ((255, 255, 255), (119, 119, 119), (111, 111, 111)),
        ((255, 255, 255), (255, 200, 200), (128, 99, 99)),
        ((0, 0, 0), (40, 0, 0), (144, 117, 112)),
        ((200, 200, 200), (180, 180, 180), (78, 78, 78)),
        ((120, 120, 120), (120, 120, 120), (5, 5, 5)),
    ],
)
def test_a_color_moves_just_far_enough_to_be_readable(ground, wanted, expected):
    assert color.readable_on(ground, wanted) == expected


def test_a_color_moves_the_nearer_way_and_no_further_than_black_or_white():
    assert color.readable_on((119, 119, 119), (110, 110, 110), 21) == (0, 0, 0)
    assert color.readable_on((110, 110, 110), (100, 100, 100), 21) == (255, 255, 255)
    edge = color.contrast((255, 255, 255), (119, 119, 119))
    assert color.readable_on((255, 255, 255), (119, 119, 119), edge) == (119, 119, 119)
