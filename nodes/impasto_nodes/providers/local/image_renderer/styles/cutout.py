"""Cutout: a paper collage of colour fields, leaves, pebbles, and the subject."""

from __future__ import annotations

import math

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import RGB, difference, mix
from impasto_nodes.providers.local.image_renderer import motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Scene, clouds, grained
from impasto_nodes.providers.local.image_renderer.shapes import Shape


def cutout(scene: Scene) -> Image:
    """Draw a collage: blocks of painted paper, shapes on them, a title on a separate sheet."""
    palette = scene.palette
    canvas = Canvas(scene.width, scene.height, palette.paper)
    fields = _fields(scene)
    for shape, color in fields:
        _paste(scene, canvas, shape, color, lift=0.3)
    colors = [palette.ink, *palette.accents, palette.paper]
    for number, (shape, place) in enumerate(_things(scene)):
        ground = _ground(canvas, place)
        color = max(
            (colors[(number + step) % len(colors)] for step in range(len(colors))),
            key=lambda one: min(difference(one, ground), 32),
        )
        _paste(scene, canvas, shape, color)
    if not scene.words.silent:
        sheet = shapes.rectangle(
            -scene.unit, scene.height * 0.735, scene.width + scene.unit, scene.height * 1.1
        )
        _paste(scene, canvas, sheet.turned(scene.between(-0.012, 0.012)), palette.paper, lift=1.6)
    image = grained(scene, _fibred(scene, canvas), 6)
    face = ("soft", "hand", "grotesk")[int(scene.rng.integers(3))]
    return title(
        scene,
        image,
        Setting(face, "bottom", "left", share=0.15, largest=0.12, signed="beside"),
        palette.ink,
    )


def _fields(scene: Scene) -> list[tuple[Shape, RGB]]:
    """Return uneven blocks that nearly tile the image."""
    columns, rows = (3, 2) if scene.wide else ((2, 3) if scene.height > scene.width * 1.15 else (2, 2))
    across = np.cumsum([0, *scene.rng.dirichlet(np.full(columns, 9.0))]) * scene.width
    down = np.cumsum([0, *scene.rng.dirichlet(np.full(rows, 9.0))]) * scene.height
    colors = [*scene.palette.accents, scene.palette.paper, scene.palette.ink]
    start = int(scene.rng.integers(len(colors)))
    found = []
    for row in range(rows):
        for column in range(columns):
            color = colors[(start + column + row * 2 + (row % 2)) % len(colors)]
            found.append(
                (_torn(scene, (across[column], down[row], across[column + 1], down[row + 1])), color)
            )
    return found


def _torn(scene: Scene, box: tuple[float, float, float, float]) -> Shape:
    """Return a rectangle with slightly slanted edges."""
    left, top, right, bottom = box
    slack = scene.unit * 0.012
    corners = [
        (left, top),
        ((left + right) / 2, top),
        (right, top),
        (right, bottom),
        ((left + right) / 2, bottom),
        (left, bottom),
    ]
    return shapes.polygon(
        [(x + scene.between(-slack, slack), y + scene.between(-slack, slack)) for x, y in corners]
    )


def _things(scene: Scene) -> list[tuple[Shape, tuple[float, float]]]:
    named = motifs.named(scene.words.thing)
    high = scene.height * (0.76 if scene.words.headline else 1.0)
    things: list[tuple[Shape, tuple[float, float]]] = []
    places = _spread(scene, high, 8 if scene.wide or scene.height > scene.width * 1.3 else 6)
    for number, (x, y) in enumerate(places):
        size = scene.unit * scene.between(0.24, 0.34)
        lean = scene.between(-0.5, 0.5)
        if named and number < 3:
            shape = (
                motifs.motif(named)
                .moved(-0.5, -0.5)
                .scaled(size * (1.5 if number == 0 else 1.05))
                .turned(lean * 0.5)
            )
        elif number % 3 == 2:
            shape = shapes.blob(scene.rng, size * 0.4, 0.35)
        elif not scene.words.all & motifs.PLANTS:
            shape = _bow(scene, size * 0.55).turned(lean * 4)
        else:
            shape = (
                shapes.frond(scene.rng, size * 1.25, int(scene.rng.integers(4, 7)))
                .moved(0, size * 0.6)
                .turned(lean * 1.6)
            )
        things.append((shape.moved(x, y), (x, y)))
    return things


def _bow(scene: Scene, size: float) -> Shape:
    """Return a half disc, an arch or a ring."""
    kind = int(scene.rng.integers(3))
    if kind == 0:
        angle = np.linspace(0, math.pi, 60)
        return shapes.polygon([(math.cos(one) * size, math.sin(one) * size) for one in angle])
    if kind == 1:
        return shapes.arch(-size * 0.6, -size * 0.9, size * 0.6, size * 0.9)
    return shapes.together([shapes.ellipse(0, 0, size * 0.9), shapes.ellipse(0, 0, size * 0.5)])


def _spread(scene: Scene, high: float, count: int) -> list[tuple[float, float]]:
    """Return points far from one another, the best of many attempts."""
    points: list[tuple[float, float]] = [
        (scene.width * scene.between(0.4, 0.6), high * scene.between(0.42, 0.58))
    ]
    while len(points) < count:
        tries = [
            (scene.between(0.06, 0.94) * scene.width, scene.between(0.1, 0.92) * high) for _ in range(24)
        ]
        points.append(max(tries, key=lambda point: min(math.dist(point, other) for other in points)))
    return points


def _ground(canvas: Canvas, place: tuple[float, float]) -> RGB:
    x, y = place
    red, green, blue = canvas.pixels[int(y), int(x)]
    return int(red), int(green), int(blue)


def _paste(scene: Scene, canvas: Canvas, shape: Shape, color: RGB, lift: float = 1.0) -> None:
    step = scene.unit * 0.006 * lift
    canvas.shadow(shape, (step * 0.8, step * 1.2), max(1.5, step * 1.1), 0.30)
    canvas.fill(shape, color)


def _fibred(scene: Scene, canvas: Canvas) -> Image:
    """Add a faint texture of gouache on paper: broad brush marks and fine fibres."""
    brush = clouds(scene, 40, 2)
    wash = clouds(scene, 5, 2)
    canvas.pixels *= (0.955 + 0.05 * brush + 0.03 * wash)[..., None]
    canvas.pixels += np.asarray(mix(scene.palette.paper, (255, 255, 255), 0.5), np.float32) * 0.012
    return canvas.image()
