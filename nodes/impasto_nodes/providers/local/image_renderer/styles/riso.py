"""Riso: two or three inks through halftone screens, slightly misregistered like a risograph print."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from impasto_nodes.media.image.color import RGB, contrast, lightness, mix
from impasto_nodes.providers.local.image_renderer import motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas, blurred, coverage
from impasto_nodes.providers.local.image_renderer.lettering import Setting, lay_out, title
from impasto_nodes.providers.local.image_renderer.scene import (
    Plane,
    Scene,
    clouds,
    cover,
    grain,
    grid,
    shifted,
    smooth,
)

_BLACK, _DARK, _GREY, _WHITE = (0, 0, 0), (70, 70, 70), (150, 150, 150), (255, 255, 255)


def riso(scene: Scene) -> Image.Image:
    """Draw the separated planes, each through its screen, one over the other."""
    planes = _from_image(scene) if scene.image is not None else planes_of(scene)
    inks = _inks(scene, len(planes))
    paper = mix(scene.palette.paper, (250, 246, 236), 0.35)
    pixels = np.empty((scene.height, scene.width, 3), np.float32)
    pixels[:] = paper
    for number, (plane, ink) in enumerate(zip(planes, inks, strict=True)):
        pixels = _printed(scene, pixels, plane, ink, angle=(0.26, 1.31, 0.78)[number])
    return title(scene, grain(scene, pixels, 6), title_setting(scene), scene.palette.ink)


def title_setting(scene: Scene) -> Setting:
    """Return the place and the look of the title."""
    upper = len(scene.words.headline) < 18
    return Setting("poster", "bottom", "left", share=0.24, largest=0.14, upper=upper)


def _above_title(scene: Scene) -> float:
    """Return the top pixel row of the title; the height without a title."""
    if scene.words.silent:
        return scene.height
    return lay_out(scene, title_setting(scene)).box[1] - scene.unit * 0.03


def _inks(scene: Scene, count: int) -> list[RGB]:
    """Return the inks from light to dark, so that the dark one defines the shapes."""
    paper = scene.palette.paper
    usable = [ink for ink in scene.palette.accents if contrast(ink, paper) > 1.25][:count]
    while len(usable) < count:
        usable.append(scene.palette.ink)
    if all(contrast(ink, paper) < 5 for ink in usable):
        usable[-1] = scene.palette.ink
    return sorted(usable, key=lightness, reverse=True)


def _printed(scene: Scene, pixels: Plane, plane: Plane, ink: RGB, angle: float) -> Plane:
    slip = scene.rng.integers(-round(scene.unit * 0.004), round(scene.unit * 0.004) + 1, 2)
    screened = shifted(_screen(scene, plane, angle), int(slip[0]), int(slip[1]))
    # Uneven ink: cloudy areas of lower density, and specks without ink.
    worn = 0.86 + 0.14 * smooth(clouds(scene, 6, 3), 0.2, 0.6)
    specks = scene.rng.random((scene.height, scene.width), dtype=np.float32) > 0.012
    mask = (screened * worn * specks * 0.94)[..., None]
    return pixels * (1 - mask + mask * np.asarray(ink, np.float32) / 255)


def _screen(scene: Scene, plane: Plane, angle: float) -> Plane:
    cell = scene.unit / 128
    x, y = grid(scene)
    across = (x * math.cos(angle) + y * math.sin(angle)) * scene.unit / cell * math.pi
    down = (-x * math.sin(angle) + y * math.cos(angle)) * scene.unit / cell * math.pi
    dots = 0.5 + 0.25 * (np.cos(across) + np.cos(down))
    screened = smooth(plane - dots, -0.13, 0.13)
    return np.where(plane > 0.985, 1.0, np.where(plane < 0.015, 0.0, screened)).astype(np.float32)


def _from_image(scene: Scene) -> list[Plane]:
    assert scene.image is not None
    pixels = np.asarray(cover(scene.image, (scene.width, scene.height), scene.subject), np.float32) / 255
    light = pixels @ np.array([0.299, 0.587, 0.114], np.float32)
    low, high = np.percentile(light, (2, 98))
    dark = 1 - np.clip((light - low) / max(1e-3, high - low), 0, 1)
    warm = np.clip(pixels[..., 0] - pixels[..., 2], 0, 1)
    return [np.clip(0.2 + 0.9 * warm + 0.35 * dark, 0, 1), smooth(dark, 0.25, 1.0)]


def planes_of(scene: Scene) -> list[Plane]:
    """Return the planes of a drawing: ground, foot and figure, which leave the title its room."""
    width, height = scene.width, scene.height
    x, y = grid(scene)
    high = 0.40 if not scene.words.silent else 0.5
    clear, edge = _above_title(scene), scene.unit * 0.05
    size = min(scene.unit * (0.33 if not scene.words.silent else 0.38), (clear - edge) / 2)
    centre = (width * (0.5 if not scene.wide else 0.62), max(edge + size, min(height * high, clear - size)))
    disc = coverage(shapes.ellipse(*centre, size), width, height)
    fade = np.clip(0.5 + (y - (centre[1] - height / 2) / scene.unit) * 1.5, 0.06, 1)
    named = motifs.named(scene.words.thing)
    if named:
        thing = (
            motifs.motif(named)
            .moved(-0.5, -0.5)
            .scaled(size * 1.75)
            .turned(scene.between(-0.25, 0.25))
            .moved(*centre)
        )
        figure = coverage(thing, width, height)
    else:
        figure = (_petals if scene.words.all & motifs.PLANTS else _discs)(scene, centre, size)
    shade = np.clip(0.35 + 0.8 * (x * 0.9 + 0.6) * 0.6 + 0.3 * (clouds(scene, 3, 2) - 0.5), 0, 1)
    back = np.clip(disc * fade + (1 - disc) * _field(scene, x, y), 0, 1)
    cast = (
        shifted(blurred(figure, scene.unit * 0.02), round(scene.unit * 0.03), round(scene.unit * 0.02))
        * 0.35
        * disc
    )
    front = np.maximum(figure * np.clip(shade + 0.25, 0, 1), cast * (1 - figure))
    third = _band(scene, x, y) * (1 - figure * 0.7)
    if not scene.words.silent:  # type drowns among dots that are as large as its strokes
        start = (clear - height / 2) / scene.unit
        quiet = 1 - 0.8 * smooth(y, start - 0.06, start)
        back, third = back * quiet, third * quiet
    return [back * (1 - 0.85 * figure), third, front]


def _field(scene: Scene, x: Plane, y: Plane) -> Plane:
    turn = scene.between(-0.6, 0.6)
    return np.clip(0.12 + 0.20 * (x * math.sin(turn) + y * math.cos(turn)), 0.0, 0.5)


def _band(scene: Scene, x: Plane, y: Plane) -> Plane:
    """Return wavy strips along the bottom edge."""
    wave = 0.03 * np.sin(x * scene.between(5, 9) + scene.between(0, 6))
    foot = scene.height / scene.unit / 2
    start = foot - scene.between(0.34, 0.46)
    darkest = 0.62 if scene.words.silent else 0.16  # small text is illegible among large dots
    strength: Plane = np.clip(0.18 + (y - start) * 1.1, 0, darkest)
    return smooth(y + wave, start, start + 0.005) * strength


def _discs(scene: Scene, centre: tuple[float, float], size: float) -> Plane:
    """Return quarter and half discs around a point, for a brief without a drawable subject."""
    canvas = Canvas(scene.width, scene.height, _BLACK)
    turn = int(scene.rng.integers(4))
    for number, (across, down) in enumerate(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))):
        x, y, half = centre[0] + across * size, centre[1] + down * size, size * 0.47
        corner = (number + turn) % 4
        if corner == 3:
            canvas.fill(shapes.ellipse(x, y, half * 0.62), _GREY)
            continue
        angle = np.linspace(0, math.pi / 2, 40) + corner * math.pi / 2
        pivot = (
            -math.cos(math.pi / 4 + corner * math.pi / 2) * half * math.sqrt(2),
            -math.sin(math.pi / 4 + corner * math.pi / 2) * half * math.sqrt(2),
        )
        arc = [
            (x + pivot[0] + math.cos(one) * half * 2, y + pivot[1] + math.sin(one) * half * 2)
            for one in angle
        ]
        canvas.fill(shapes.polygon([(x + pivot[0], y + pivot[1]), *arc]), _WHITE, 0.86)
    return _plane_of(canvas)


def _petals(scene: Scene, centre: tuple[float, float], size: float) -> Plane:
    canvas = Canvas(scene.width, scene.height, _BLACK)
    count = int(scene.rng.integers(5, 9))
    for number in range(count):
        leaf = (
            motifs.motif("leaf")
            .moved(-0.5, -1.0)
            .scaled(size * 0.5, size * 0.86)
            .turned(number * math.tau / count)
        )
        canvas.fill(leaf.moved(*centre), _WHITE, 0.86)
    canvas.fill(shapes.ellipse(*centre, size * 0.16), _DARK)
    return _plane_of(canvas)


def _plane_of(canvas: Canvas) -> Plane:
    """Return the brightness of a grey canvas, from 0 to 1."""
    plane: Plane = canvas.pixels.max(2) / 255
    return plane
