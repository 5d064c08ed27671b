"""Crops that follow the subject into the safe area, and whole images on a ground of their own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from impasto_nodes.media.image.framing import best_window, cropped, salience, whole
from impasto_nodes.media.video.video_reader import blurred_ground

sides = st.integers(16, 900)


def scene(x, y, size=(900, 600)):
    """A bright thing at x, y on a quiet ground."""
    image = Image.new("RGB", size, (120, 124, 128))
    ImageDraw.Draw(image).ellipse((x - 50, y - 50, x + 50, y + 50), fill=(230, 60, 30))
    return image


def stripes():
    """White and black stripes from top to bottom."""
    image = Image.new("RGB", (300, 300))
    for left in range(0, 300, 60):
        image.paste((255, 255, 255), (left, 0, left + 30, 300))
    return image


def test_salience_sums_to_one_and_peaks_at_the_subject():
    plane = salience(scene(150, 300))
    assert abs(float(plane.sum()) - 1) < 1e-3
    row, column = np.unravel_index(plane.argmax(), plane.shape)
    assert abs(column / plane.shape[1] - 150 / 900) < 0.12
    assert abs(row / plane.shape[0] - 0.5) < 0.15


def test_window_follows_the_subject():
    for x in (120, 450, 780):
        window = best_window(scene(x, 300), (500, 500))
        left, _, right, _ = window.box
        assert left <= x - 50
        assert x + 50 <= right
        assert window.kept > 0.5


@pytest.mark.parametrize(
    ("at", "box"),
    [
        ((60, 300), (0, 0, 600, 600)),
        ((840, 300), (300, 0, 900, 600)),
        ((300, 60), (0, 0, 600, 600)),
        ((300, 840), (0, 300, 600, 900)),
    ],
)
def test_window_reaches_the_edges_of_the_image(at, box):
    size = (900, 600) if box[3] == 600 and at[1] == 300 else (600, 900)
    assert best_window(scene(*at, size), (500, 500)).box == pytest.approx(box)


def test_subject_is_placed_in_the_safe_area():
    insets = (0, 0.4, 0, 0.1)
    window = best_window(scene(450, 900, (900, 1800)), (1080, 1080), insets)
    top, bottom = window.box[1], window.box[3]
    assert top + (bottom - top) * 0.4 <= 870
    assert bottom - (bottom - top) * 0.1 >= 930


@given(sides, sides, sides, sides)
@settings(max_examples=25, deadline=None)
def test_any_size_is_framed_to_any_size(width, height, wide, high):
    image = Image.new("RGB", (width, height), (200, 80, 40))
    assert cropped(image, (wide, high), best_window(image, (wide, high))).size == (wide, high)
    assert whole(image, (wide, high), (0.1, 0.1, 0.1, 0.1)).size == (wide, high)


def test_whole_image_fits_inside_the_safe_area():
    page = whole(scene(450, 300), (1080, 1920), (0.06, 0.14, 0.06, 0.2))
    assert page.getpixel((540, round(1920 * 0.14 + 1920 * 0.66 / 2)))[0] > 200


def test_the_ground_around_a_whole_image_has_no_second_sharp_image():
    page = np.asarray(whole(stripes(), (540, 960), (0.06, 0.14, 0.06, 0.2)).convert("L"), int)
    rows = np.abs(np.diff(page, axis=1)).max(1) > 20
    assert np.flatnonzero(rows).tolist() == list(range(213, 688)), "those of the image"


def test_the_ground_of_fewer_than_24_pixels_a_side_has_one_color():
    ground = np.asarray(blurred_ground(stripes().rotate(45), (23, 23)))
    assert (ground == ground[0, 0]).all()


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (5000, 3)])
def test_an_image_of_one_pixel_width_is_framed(size):
    image = Image.new("RGB", size, "red")
    window = best_window(image, (1080, 1080))
    assert cropped(image, (1080, 1080), window).size == (1080, 1080)
    assert min(salience(image).shape) == 2
