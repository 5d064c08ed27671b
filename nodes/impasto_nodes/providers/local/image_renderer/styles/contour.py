"""Contour: a landscape from above as stacked sheets of paper with shadows and contour lines."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import mix
from impasto_nodes.providers.local.image_renderer.canvas import blurred
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Plane, Scene, clouds, grain, shifted


def contour(scene: Scene) -> Image:
    """Draw seven sheets around a lake or a summit; the seed decides."""
    field = clouds(scene, scene.between(1.5, 2.1), 3, 0.34)
    if scene.chance(0.5):
        field = 1 - field
    sheets = 7
    colors = _sheets(scene, sheets)
    pixels = np.empty((scene.height, scene.width, 3), np.float32)
    pixels[:] = colors[0]
    edge = _softness(field)
    shift = round(scene.unit * 0.007)
    for number in range(1, sheets):
        level = 0.10 + 0.80 * number / sheets
        mask = np.clip((field - level) / edge + 0.5, 0, 1)
        shade = shifted(blurred(mask, scene.unit * 0.012), shift * 2, shift)
        pixels *= 1 - 0.42 * (shade * (1 - mask))[..., None]
        pixels += (np.asarray(colors[number], np.float32) - pixels) * mask[..., None]
    pixels = _ruled(scene, pixels, field, edge)
    setting = Setting("grotesk", "bottom", "left", share=0.3, largest=0.13)
    return title(scene, grain(scene, pixels, 6), setting)


def _sheets(scene: Scene, count: int) -> list[tuple[int, int, int]]:
    stack = scene.palette.by_light
    if scene.chance(0.4):
        stack = tuple(reversed(stack))
    places = np.linspace(0, len(stack) - 1, count)
    return [
        mix(stack[int(place)], stack[min(len(stack) - 1, int(place) + 1)], float(place % 1))
        for place in places
    ]


def _softness(field: Plane) -> Plane:
    down, across = np.gradient(field)
    slope: Plane = np.maximum(np.hypot(across, down), 1e-5)
    return slope


def _ruled(scene: Scene, pixels: Plane, field: Plane, edge: Plane) -> Plane:
    count = 44
    near = np.abs((field * count) % 1 - 0.5)
    distance = (0.5 - near) / count / edge
    width = scene.unit / 1024
    line = np.clip(0.9 * width - distance + 0.5, 0, 1) * 0.34
    light = pixels.mean(2) / 255
    ink = np.where(
        light[..., None] > 0.5,
        np.asarray(scene.palette.ink, np.float32),
        np.asarray(scene.palette.paper, np.float32),
    )
    ruled: Plane = pixels + (ink - pixels) * line[..., None]
    return ruled
