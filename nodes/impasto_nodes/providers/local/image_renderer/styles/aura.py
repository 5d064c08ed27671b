"""Aura: distorted veils of colour with a bright centre, and small text."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import luminance, mix
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Scene, blend, clouds, grain, grid, ramp, smooth


def aura(scene: Scene) -> Image:
    """Draw a distorted gradient, brightest off centre."""
    x, y = grid(scene)
    heart = (
        scene.between(-0.22, 0.22) * scene.width / scene.unit,
        scene.between(-0.24, 0.1) * scene.height / scene.unit,
    )
    bend = clouds(scene, 0.8, 1) - 0.5
    sway = clouds(scene, 0.8, 1) - 0.5
    distance = np.hypot(x - heart[0] + 0.42 * bend, (y - heart[1]) * scene.between(0.7, 1.15) + 0.42 * sway)
    # At most three accents: more of them in one gradient look garish.
    inner = sorted(scene.palette.accents[:3], key=luminance, reverse=True)
    colors = [mix(scene.palette.paper, (255, 255, 255), 0.25), *inner, scene.palette.ink]
    field = np.clip(distance / (0.62 * max(scene.width, scene.height) / scene.unit), 0, 1) ** 0.85
    pixels = ramp(field, colors)
    veil = smooth(np.sin(field * scene.between(5, 8) + 3 * bend + x * 1.5), 0.2, 1.0)
    pixels = blend(pixels, scene.palette.accent(1), 0.3 * veil * (1 - field) ** 0.5)
    pixels = blend(pixels, scene.palette.accent(0), 0.28 * smooth(sway + 0.4 * y, 0.0, 0.5))
    face = "italic" if scene.chance(0.5) else "serif"
    setting = Setting(face, "bottom", "left", share=0.34, largest=0.15)
    return title(scene, grain(scene, pixels, 11), setting, scene.palette.paper)
