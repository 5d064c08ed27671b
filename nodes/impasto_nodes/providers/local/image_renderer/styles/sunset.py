"""Layered hills under a low sun, with mist between the ridges."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import RGB, lightness, mix
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Plane, Scene, blend, grain, grid, ramp, smooth


def sunset(scene: Scene) -> Image:
    """Draw sky, sun and five ridges."""
    x, y = grid(scene)
    low = scene.height / scene.unit / 2
    horizon = scene.between(0.0, 0.1) * low * 2
    sun = (scene.between(-0.26, 0.26) * scene.width / scene.unit, horizon - scene.between(0.12, 0.3))
    glowing, deep = _light_and_deep(scene)
    pixels = ramp(smooth(y, -low, horizon + 0.1), _sky(scene, glowing, deep))
    distance = np.hypot(x - sun[0], y - sun[1])
    pixels = blend(pixels, glowing, 0.75 * np.exp(-(distance**1.2) * 3.4))
    radius = scene.between(0.13, 0.2)
    disc = smooth(-distance, -radius - 0.0012, -radius + 0.0012)
    core = ramp(
        (y - sun[1] + radius) / (2 * radius),
        [mix(scene.palette.paper, (255, 255, 255), 0.4), glowing],
    )
    pixels = pixels + (core - pixels) * disc[..., None]
    ridges = 5
    for number in range(ridges):
        pixels = _ridge(scene, pixels, x, y, number / (ridges - 1), horizon, low, (glowing, deep))
    setting = Setting("serif", "bottom", "left", share=0.26, largest=0.14)
    return title(scene, grain(scene, pixels, 8), setting, scene.palette.paper)


def _light_and_deep(scene: Scene) -> tuple[RGB, RGB]:
    accents = sorted(scene.palette.accents, key=lightness)
    return accents[-1], accents[0]


def _sky(scene: Scene, glowing: RGB, deep: RGB) -> list[RGB]:
    main = scene.palette.main
    return [mix(deep, scene.palette.ink, 0.3), mix(deep, main, 0.55), main, mix(main, glowing, 0.6), glowing]


def _ridge(
    scene: Scene,
    pixels: Plane,
    x: Plane,
    y: Plane,
    near: float,
    horizon: float,
    low: float,
    colors: tuple[RGB, RGB],
) -> Plane:
    glowing, deep = colors
    line = _profile(scene, 2 + 3.2 * near, 0.05 + 0.11 * near)
    top = horizon + (low - horizon) * (0.02 + 0.72 * near**1.25) - line
    below = y - top[None, :]
    mask = smooth(below, -0.0012, 0.0012)
    # Distant ridges have the colour of the light, near ones a dark colour.
    crest = mix(mix(scene.palette.main, glowing, 0.35), mix(deep, scene.palette.ink, 0.72), near**0.8)
    foot = mix(crest, glowing, 0.5 * (1 - near) + 0.06)
    body = ramp(below / (0.16 + 0.2 * near), [crest, foot])
    return pixels + (body - pixels) * mask[..., None]


def _profile(scene: Scene, bumps: float, height: float) -> Plane:
    across = np.linspace(0, 1, scene.width, dtype=np.float32)
    line = np.zeros_like(across)
    for octave in range(5):
        count = max(3, round(bumps * 2**octave * scene.width / scene.unit)) + 1
        knots = scene.rng.random(count + 3)
        line += _curve(knots, across * count) * 0.5**octave
    line -= line.min()
    return line / max(1e-6, float(line.max())) * height


def _curve(knots: Plane, at: Plane) -> Plane:
    """Return a smooth curve by cosine interpolation."""
    left = np.floor(at).astype(int)
    part: Plane = (1 - np.cos((at - left) * np.pi)) / 2
    line: Plane = knots[left] * (1 - part) + knots[left + 1] * part
    return line
