"""The canvas: what a shape covers, and how fillings, shadows and lights are laid over each other."""

import numpy as np
import pytest

from impasto_nodes.providers.local.image_renderer import canvas as canvas_module
from impasto_nodes.providers.local.image_renderer.canvas import Canvas, blurred, coverage
from impasto_nodes.providers.local.image_renderer.shapes import ellipse, rectangle, together


@pytest.fixture(params=["Skia", "Pillow"])
def _renderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "Pillow":
        monkeypatch.setattr(canvas_module, "_skia", lambda: None)


@pytest.mark.usefixtures("_renderer")
def test_a_pixel_is_covered_by_the_share_of_it_that_is_inside() -> None:
    covered = coverage(rectangle(1, 1, 3, 2.5), 4, 4)
    expected = [[0, 0, 0, 0], [0, 1, 1, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 0]]
    assert covered == pytest.approx(np.array(expected), abs=0.26), "Pillow counts the far edge too"
    assert covered[1, 1] == 1
    assert covered[3, 0] == 0


@pytest.mark.usefixtures("_renderer")
def test_an_outline_inside_another_cuts_a_hole() -> None:
    covered = coverage(together([ellipse(10, 10, 8), ellipse(10, 10, 4)]), 20, 20)
    assert (covered[10, 10], covered[10, 4], covered[0, 0]) == (0, 1, 0)
    assert float(covered.sum()) == pytest.approx(np.pi * (64 - 16), rel=0.04)


def test_a_filling_replaces_or_multiplies_what_is_below() -> None:
    canvas = Canvas(6, 4, (200, 100, 50))
    canvas.fill(rectangle(1, 1, 3, 3), (100, 200, 255))
    canvas.fill(rectangle(3, 1, 5, 3), (51, 102, 255), multiply=True)
    canvas.fill(rectangle(5, 0, 6, 4), (0, 0, 0), 0.5)
    shown = np.asarray(canvas.image())
    assert shown.shape == (4, 6, 3)
    assert shown[0, 0].tolist() == [200, 100, 50]
    assert shown[1, 1].tolist() == [100, 200, 255]
    assert shown[2, 4].tolist() == [40, 40, 50]
    assert shown[3, 5].tolist() == [100, 50, 25]


def test_pixels_fill_a_shape_at_their_own_place() -> None:
    canvas = Canvas(8, 5, (0, 0, 0))
    pixels = np.stack(np.broadcast_arrays(*np.mgrid[0:5, 0:8], 7), axis=2).astype(np.float32)
    canvas.fill(rectangle(2, 1, 6, 4), pixels)
    assert canvas.pixels[3, 5].tolist() == [3, 5, 7]
    assert canvas.pixels[1, 2].tolist() == [1, 2, 7]
    assert canvas.pixels[0, 5].tolist() == [0, 0, 0]


def test_an_image_has_the_nearest_colors_that_a_screen_shows() -> None:
    canvas = Canvas(2, 1, (0, 255, 7))
    canvas.pixels[0, 1] = (-5, 300, 7.9)
    assert np.asarray(canvas.image()).tolist() == [[[0, 255, 7]] * 2]


@pytest.mark.parametrize("outside", [(-9, 0), (0, -9), (20, 0), (0, 20), (-6, 0), (0, -6), (12, 0), (0, 12)])
def test_a_shape_outside_the_canvas_is_not_drawn(outside: tuple[int, int]) -> None:
    canvas = Canvas(10, 10, (9, 9, 9))
    canvas.fill(rectangle(0, 0, 4, 4).moved(*outside), (255, 255, 255))
    assert (canvas.pixels == 9).all()


def test_a_shape_across_the_edge_is_cut_there() -> None:
    canvas = Canvas(10, 8, (0, 0, 0))
    canvas.fill(rectangle(-5, -5, 3, 2), (255, 255, 255))
    canvas.fill(rectangle(8, 7, 20, 20), (255, 255, 255))
    white = canvas.pixels[..., 0] == 255
    assert white[:2, :3].all()
    assert white[7, 8:].all()
    assert white.sum() == 8


def test_a_soft_edge_fades_on_both_sides_and_keeps_its_light() -> None:
    canvas = Canvas(60, 60, (0, 0, 0))
    canvas.fill(rectangle(20, 20, 40, 40), (255, 255, 255), soft=3)
    row = canvas.pixels[30, :, 0]
    assert row[30] > 250
    assert row[12:29].tolist() == sorted(row[12:29])
    assert row[20] == pytest.approx(128, abs=24)
    assert row[8] < 2
    assert float(canvas.pixels[..., 0].sum()) == pytest.approx(255 * 400, rel=0.02)
    whole = blurred(coverage(rectangle(20, 20, 40, 40), 60, 60), 3) * 255
    assert np.abs(canvas.pixels[..., 0] - whole).max() < 1.1


def test_a_shadow_is_shifted_dark_and_soft() -> None:
    canvas = Canvas(60, 60, (255, 255, 255))
    canvas.shadow(rectangle(10, 10, 30, 30), (15, 20), 2, 0.5)
    dark = canvas.pixels[..., 0] < 160
    rows, columns = np.nonzero(dark)
    assert (rows.mean(), columns.mean()) == pytest.approx((39.5, 34.5), abs=0.5)
    assert canvas.pixels[40, 35].tolist() == pytest.approx([137.5, 134.5, 132.5], abs=1.5)
    assert canvas.pixels[5, 5].tolist() == [255, 255, 255]


@pytest.mark.parametrize("radius", [2.0, 11.9, 12.0, 30.0])
def test_blurring_keeps_size_and_light_and_spreads_by_its_radius(radius: float) -> None:
    side = 240
    plane = np.zeros((side, side), np.float32)
    plane[80:160, 80:160] = 1
    soft = blurred(plane, radius)
    assert soft.shape == (side, side)
    assert float(soft.sum()) == pytest.approx(6400, rel=0.06)
    slope = float(np.abs(np.gradient(soft[120]))[60:100].max())
    assert slope == pytest.approx(1 / (radius * np.sqrt(2 * np.pi)), rel=0.25)
