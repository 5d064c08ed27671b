"""Shapes as lists of points, transformed with numpy and filled by `canvas`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """Closed outlines; where two overlap the even-odd rule cuts a hole."""

    outlines: tuple[Points, ...]

    def moved(self, x: float, y: float) -> Shape:
        """Return the shape shifted."""
        return Shape(tuple(outline + np.array((x, y)) for outline in self.outlines))

    def scaled(self, across: float, down: float | None = None) -> Shape:
        """Return the shape scaled around the origin."""
        return Shape(tuple(outline * (across, across if down is None else down) for outline in self.outlines))

    def turned(self, radians: float) -> Shape:
        """Return the shape rotated around the origin."""
        turn = np.array([[math.cos(radians), math.sin(radians)], [-math.sin(radians), math.cos(radians)]])
        return Shape(tuple(outline @ turn for outline in self.outlines))

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The bounds: left, top, right, bottom."""
        points = np.concatenate(self.outlines)
        left, top = points.min(0)
        right, bottom = points.max(0)
        return float(left), float(top), float(right), float(bottom)


def together(shapes: Iterable[Shape]) -> Shape:
    """Return several shapes as one."""
    return Shape(tuple(outline for shape in shapes for outline in shape.outlines))


def polygon(points: Sequence[Point]) -> Shape:
    """Return a polygon."""
    return Shape((np.asarray(points, float),))


def ellipse(x: float, y: float, across: float, down: float | None = None, steps: int = 120) -> Shape:
    """Return an ellipse by its centre and radii."""
    angle = np.linspace(0, math.tau, steps, endpoint=False)
    radius = across if down is None else down
    return Shape((np.stack([x + across * np.cos(angle), y + radius * np.sin(angle)], 1),))


def rectangle(left: float, top: float, right: float, bottom: float, radius: float = 0.0) -> Shape:
    """Return a rectangle; `radius` rounds its corners."""
    if radius <= 0:
        return polygon([(left, top), (right, top), (right, bottom), (left, bottom)])
    corners = [
        (right - radius, top + radius),
        (right - radius, bottom - radius),
        (left + radius, bottom - radius),
        (left + radius, top + radius),
    ]
    points = []
    for number, (x, y) in enumerate(corners):
        angle = np.linspace(-math.pi / 2, 0, 16) + number * math.pi / 2
        points.append(np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1))
    return Shape((np.concatenate(points),))


def arch(left: float, top: float, right: float, bottom: float) -> Shape:
    """Return an arch: straight sides and a round top."""
    radius = (right - left) / 2
    angle = np.linspace(math.pi, math.tau, 60)
    head = np.stack([left + radius + radius * np.cos(angle), top + radius + radius * np.sin(angle)], 1)
    return Shape((np.concatenate([head, [(right, bottom), (left, bottom)]]),))


def smooth_closed(points: Sequence[Point] | Points, steps: int = 14) -> Shape:
    """Return a closed Catmull-Rom curve through the points."""
    through = np.asarray(points, float)
    before, here, after, beyond = (np.roll(through, -shift, 0)[:, None] for shift in (-1, 0, 1, 2))
    part = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    square, cube = part**2, part**3
    bend = (2 * before - 5 * here + 4 * after - beyond) * square
    twist = (3 * here - before - 3 * after + beyond) * cube
    curve = 0.5 * (2 * here + (after - before) * part + bend + twist)
    return Shape((np.concatenate(curve),))


def blob(rng: np.random.Generator, radius: float, wobble: float = 0.3, corners: int = 7) -> Shape:
    """Return a rounded irregular shape around the origin."""
    angle = np.linspace(0, math.tau, corners, endpoint=False) + rng.uniform(-0.15, 0.15, corners)
    length = radius * (1 + rng.uniform(-wobble, wobble, corners))
    return smooth_closed(np.stack([np.cos(angle) * length, np.sin(angle) * length], 1))


def frond(rng: np.random.Generator, height: float, fingers: int = 5) -> Shape:
    """Return a leaf with rounded lobes left and right of a stem. Its foot is the origin."""
    left: list[Point] = []
    right: list[Point] = []
    for number in range(fingers):
        y = -height * (0.06 + 0.80 * number / fingers)
        step = height / fingers
        reach = (
            height * (0.30 + 0.14 * math.sin(math.pi * (number + 0.7) / fingers)) * rng.uniform(0.82, 1.12)
        )
        lift = step * rng.uniform(0.35, 0.75)
        for side, points in ((-1, left), (1, right)):
            points += [
                (side * height * 0.055, y),
                (side * reach * 0.62, y - lift * 0.55),
                (side * reach, y - lift - step * 0.22),
                (side * reach * 0.92, y - lift - step * 0.62),
                (side * reach * 0.45, y - lift * 0.8 - step * 0.34),
            ]
    tip = [(-height * 0.07, -height * 0.93), (0.0, -height * 1.04), (height * 0.07, -height * 0.93)]
    return smooth_closed([(0.0, 0.0), *left, *tip, *reversed(right)], 8)


_TOKEN = re.compile(r"[MLCQZ]|-?\d*\.?\d+")


def drawn(path: str) -> Shape:
    """Return a shape from an SVG path of absolute M, L, C, Q and Z."""
    tokens = _TOKEN.findall(path)
    outlines: list[Points] = []
    points: list[Point] = []
    index, command = 0, "M"
    while index < len(tokens):
        if tokens[index].isalpha():
            command, index = tokens[index], index + 1
        if command == "Z":
            outlines.append(np.asarray(points))
            points = []
            continue
        count = {"M": 2, "L": 2, "Q": 4, "C": 6}[command]
        numbers = [float(token) for token in tokens[index : index + count]]
        index += count
        points += _segment(points, numbers)
    if points:
        outlines.append(np.asarray(points))
    return Shape(tuple(outlines))


def _segment(points: list[Point], numbers: list[float]) -> list[Point]:
    controls = list(zip(numbers[::2], numbers[1::2], strict=True))
    if len(controls) == 1:
        return controls
    places = np.array([points[-1], *controls])
    degree = len(places) - 1
    part = np.linspace(0, 1, 20)[1:, None]
    curve = sum(
        math.comb(degree, number) * (1 - part) ** (degree - number) * part**number * place
        for number, place in enumerate(places)
    )
    return [(float(x), float(y)) for x, y in np.asarray(curve)]
