"""Orbit: side-lit spheres, some with rings, on a dark or a pale background."""

from __future__ import annotations

import math

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import RGB, mix
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Plane, Scene, clouds, grain, grid, ramp, smooth


def orbit(scene: Scene) -> Image:
    """Draw a large sphere, smaller ones, and their orbits."""
    x, y = grid(scene)
    reach = (scene.width / scene.unit / 2, scene.height / scene.unit / 2)
    night = scene.chance(0.65)
    pixels = _air(scene, x, y, night)
    angle = scene.between(-2.6, -0.9)
    light = (math.cos(angle) * 0.75, math.sin(angle) * 0.75, 0.62)
    centre = (scene.between(-0.18, 0.18) * reach[0], scene.between(-0.3, 0.0) * reach[1])
    large = scene.between(0.24, 0.31)
    tilt = scene.between(-0.5, 0.5)
    for number in range(3):
        pixels = _orbit_line(
            pixels,
            x,
            y,
            centre,
            large * (1.55 + 0.62 * number),
            tilt,
            scene.palette.paper if night else scene.palette.ink,
        )
    pixels = _sphere(scene, pixels, x, y, (*centre, large), scene.palette.main, light, banded=True)
    for number in range(3):
        turn = scene.between(0, math.tau)
        far = large * (1.55 + 0.62 * number)
        place = _on_orbit(centre, far, tilt, turn)
        size = large * scene.between(0.12, 0.34)
        pixels = _sphere(
            scene, pixels, x, y, (*place, size), scene.palette.accent(number + 1), light, banded=False
        )
    setting = Setting("poster" if scene.chance(0.5) else "plain", "bottom", "left", share=0.26, largest=0.12)
    return title(scene, grain(scene, pixels, 7), setting, scene.palette.paper if night else scene.palette.ink)


def _air(scene: Scene, x: Plane, y: Plane, night: bool) -> Plane:
    palette = scene.palette
    far = np.hypot(x * 0.8 + 0.2, y + 0.15)
    field = far * 0.9 + 0.25 * (clouds(scene, 1.2, 2) - 0.5)
    if not night:
        return ramp(
            field,
            [mix(palette.paper, (255, 255, 255), 0.5), palette.paper, mix(palette.paper, palette.main, 0.4)],
        )
    deep = mix(palette.ink, (4, 4, 10), 0.5)
    pixels = ramp(field, [mix(palette.ink, palette.main, 0.42), mix(palette.ink, palette.main, 0.12), deep])
    stars = (scene.rng.random((scene.height, scene.width), dtype=np.float32) > 0.9994).astype(np.float32)
    bright = scene.rng.random((scene.height, scene.width), dtype=np.float32)
    return pixels + (np.asarray(palette.paper, np.float32) - pixels) * (stars * bright)[..., None]


def _on_orbit(centre: tuple[float, float], far: float, tilt: float, turn: float) -> tuple[float, float]:
    across, down = far * math.cos(turn), far * 0.34 * math.sin(turn)
    return (
        centre[0] + across * math.cos(tilt) - down * math.sin(tilt),
        centre[1] + across * math.sin(tilt) + down * math.cos(tilt),
    )


def _orbit_line(
    pixels: Plane, x: Plane, y: Plane, centre: tuple[float, float], far: float, tilt: float, color: RGB
) -> Plane:
    across = (x - centre[0]) * math.cos(tilt) + (y - centre[1]) * math.sin(tilt)
    down = (-(x - centre[0]) * math.sin(tilt) + (y - centre[1]) * math.cos(tilt)) / 0.34
    radius = np.hypot(across, down)
    # The flattened direction is divided out so that the line keeps one width all round.
    slope = np.maximum(np.hypot(across, down / 0.34) / np.maximum(radius, 1e-5), 1e-5)
    line = smooth(-np.abs(radius - far) / slope, -0.0016, -0.0004) * 0.45
    return pixels + (np.asarray(color, np.float32) - pixels) * line[..., None]


def _sphere(
    scene: Scene, pixels: Plane, x: Plane, y: Plane, ball: tuple[float, float, float], color: RGB,
    light: tuple[float, float, float], *, banded: bool,
) -> Plane:  # fmt: skip
    left, top, radius = ball
    across, down = (x - left) / radius, (y - top) / radius
    square = across**2 + down**2
    towards = np.sqrt(np.maximum(1 - square, 0))
    lit = across * light[0] + down * light[1] + towards * light[2]
    if banded:
        lit = lit + 0.10 * np.sin(7 * (down + 0.35 * across) + 5 * clouds(scene, 1.6, 2)) * towards
    palette = scene.palette
    tones = [
        mix(color, palette.ink, 0.86),
        mix(color, palette.ink, 0.55),
        color,
        mix(color, palette.paper, 0.5),
        mix(palette.paper, (255, 255, 255), 0.6),
    ]
    body = ramp(lit * 0.5 + 0.5, tones, [0.12, 0.42, 0.7, 0.92, 1.0])
    rim = smooth(square, 0.72, 1.0) * np.maximum(0.25 - lit, 0)
    body = body + (np.asarray(palette.accent(2), np.float32) - body) * (0.75 * rim)[..., None]
    soft = 1.6 / (radius * scene.unit)
    mask = smooth(-np.sqrt(square), -1 - soft / 2, -1 + soft / 2)
    halo = (
        np.exp(-np.maximum(np.sqrt(square) - 1, 0) * 4.5)
        * (1 - mask)
        * 0.35
        * np.clip(across * light[0] + down * light[1] + 0.4, 0, 1)
    )
    pixels = pixels + (np.asarray(mix(color, palette.paper, 0.3), np.float32) - pixels) * halo[..., None]
    done: Plane = pixels + (body - pixels) * mask[..., None]
    return done
