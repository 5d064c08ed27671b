"""Shapes as outlines: their points, and drawings that are compared with those approved last."""

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.fixtures.approved import assert_approved

from impasto_nodes.providers.local.image_renderer import canvas, motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.shapes import Shape

APPROVED = Path(__file__).parent / "approved"


@pytest.fixture(autouse=True)
def _drawn_by_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skia, which draws edges a little differently, is not on every machine."""
    monkeypatch.setattr(canvas, "_skia", lambda: None)


def points(shape: Shape) -> list[list[tuple[float, float]]]:
    return [[(round(float(x), 3), round(float(y), 3)) for x, y in outline] for outline in shape.outlines]


def area(shape: Shape) -> float:
    """The area inside one outline."""
    (outline,) = shape.outlines
    x, y = outline.T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def drawn(parts: list[Shape], columns: int, cell: int) -> Image.Image:
    """Each shape fills a cell of a sheet, white on black."""
    page = Canvas(columns * cell, -(-len(parts) // columns) * cell, (0, 0, 0))
    for number, part in enumerate(parts):
        left, top, right, bottom = part.bounds
        placed = part.moved(-left, -top).scaled((cell - 4) / max(right - left, bottom - top))
        page.fill(placed.moved(number % columns * cell + 2, number // columns * cell + 2), (255, 255, 255))
    return page.image().convert("L")


def test_shapes_are_moved_scaled_and_turned_around_the_origin() -> None:
    flag = shapes.polygon([(1, 0), (3, 0), (3, 1)])
    assert points(flag.moved(2, -1)) == [[(3, -1), (5, -1), (5, 0)]]
    assert points(flag.scaled(2)) == [[(2, 0), (6, 0), (6, 2)]]
    assert points(flag.scaled(2, 3)) == [[(2, 0), (6, 0), (6, 3)]]
    assert points(flag.turned(math.pi / 2)) == [[(0, 1), (0, 3), (-1, 3)]]
    assert shapes.together([flag, flag.moved(4, 4)]).bounds == (1, 0, 7, 5)


def test_an_ellipse_is_given_by_its_centre_and_radii() -> None:
    assert shapes.ellipse(10, 20, 5).bounds == pytest.approx((5, 15, 15, 25))
    assert shapes.ellipse(10, 20, 5, 2).bounds == pytest.approx((5, 18, 15, 22))
    assert points(shapes.ellipse(0, 0, 2, 1, steps=4)) == [[(2, 0), (0, 1), (-2, 0), (0, -1)]]
    assert area(shapes.ellipse(3, 4, 5, 2)) == pytest.approx(math.pi * 10, rel=0.001)


def test_a_rectangle_has_straight_or_round_corners() -> None:
    assert points(shapes.rectangle(1, 2, 5, 8)) == [[(1, 2), (5, 2), (5, 8), (1, 8)]]
    rounded = shapes.rectangle(1, 2, 5, 8, 1)
    assert rounded.bounds == pytest.approx((1, 2, 5, 8))
    assert area(rounded) == pytest.approx(24 - 4 + math.pi, rel=0.002)
    assert len(rounded.outlines[0]) == 64


def test_an_arch_has_straight_sides_below_half_a_circle() -> None:
    door = shapes.arch(2, 1, 6, 10)
    assert door.bounds == pytest.approx((2, 1, 6, 10), abs=0.01)
    assert area(door) == pytest.approx(4 * 7 + math.pi * 2, rel=0.001)


def test_a_smooth_curve_goes_through_its_points() -> None:
    corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    curve = shapes.smooth_closed(corners, 4)
    assert len(curve.outlines[0]) == 16
    assert points(Shape((curve.outlines[0][::4],)))[0] == corners
    assert curve.outlines[0][1:4].tolist() == [[0.8125, -0.375], [2, -0.5], [3.1875, -0.375]]


def test_a_path_of_lines_and_curves_is_read() -> None:
    path = shapes.drawn("M 0 0 L 4 0 Q 4 4 0 4 Z M 1 1 C 1 2 2 2 2 1")
    assert path.bounds == pytest.approx((0, 0, 4, 4))
    outer, inner = points(path)
    assert outer[:2] == [(0, 0), (4, 0)]
    assert (len(outer), outer[-1]) == (2 + 19, (0, 4))
    assert min(math.dist(at, (3, 3)) for at in outer) < 0.15
    assert (inner[0], inner[-1], len(inner)) == ((1, 1), (2, 1), 20)
    assert max(y for _, y in inner) == pytest.approx(1.75, abs=0.01)
    assert points(shapes.drawn("M -.5 .25 L 1 -2")) == [[(-0.5, 0.25), (1, -2)]]


def test_motifs_look_as_approved() -> None:
    motifs.motif.cache_clear()
    assert_approved(drawn([motifs.motif(name) for name in motifs.ALL], 7, 40), APPROVED / "motifs.png")


def test_leaves_and_blobs_look_as_approved() -> None:
    rng = np.random.default_rng(5)
    made = [shapes.blob(rng, 10), shapes.blob(rng, 10, 0.6), shapes.blob(rng, 10, 0.3, 4)]
    made += [shapes.frond(rng, 10), shapes.frond(rng, 10, 3), shapes.frond(rng, 10, 8)]
    made += [shapes.arch(0, 0, 4, 6), shapes.smooth_closed([(0, 0), (4, 1), (3, 5)])]
    assert_approved(drawn(made, 4, 60), APPROVED / "leaves.png")
