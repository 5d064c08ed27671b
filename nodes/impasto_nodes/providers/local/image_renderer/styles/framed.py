"""A given image as the heart of a poster: in an arch, a disc or a window, on the brand's paper."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import mix
from impasto_nodes.providers.local.image_renderer import shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Scene, cover, grained
from impasto_nodes.providers.local.image_renderer.shapes import Shape


def framed(scene: Scene) -> Image:
    """The image cut to a shape, its shadow, a field of colour behind, the words below."""
    assert scene.image is not None
    palette = scene.palette
    ground = palette.paper if scene.chance(0.5) else palette.main
    canvas = Canvas(scene.width, scene.height, ground)
    box = _box(scene)
    window = _window(scene, box)
    field = window.moved(scene.unit * scene.between(-0.04, 0.04), scene.unit * 0.035)
    canvas.fill(field, palette.accent(1) if ground == palette.main else palette.main)
    canvas.shadow(window, (0, scene.unit * 0.016), scene.unit * 0.026, 0.34, palette.ink)
    left, top, right, bottom = (round(edge) for edge in box)
    sheet = np.empty((scene.height, scene.width, 3), np.float32)
    sheet[:] = mix(ground, palette.ink, 0.1)
    sheet[top:bottom, left:right] = np.asarray(
        cover(scene.image, (right - left, bottom - top)).convert("RGB"), np.float32
    )
    canvas.fill(window, sheet)
    face = "serif" if scene.chance(0.6) else "grotesk"
    setting = Setting(face, "bottom", "left", share=0.2, largest=0.12)
    if scene.wide:
        setting = Setting(face, "bottom", "left", share=0.5, measure=0.34, largest=0.14)
    return title(scene, grained(scene, canvas.image(), 4), setting, palette.ink)


def _box(scene: Scene) -> tuple[float, float, float, float]:
    """Where the image goes: above the words, or beside them on a wide sheet."""
    margin = scene.unit * 0.08
    if scene.words.silent:
        return margin, margin, scene.width - margin, scene.height - margin
    if scene.wide:
        return scene.width * 0.42, margin, scene.width - margin, scene.height - margin
    top = margin * 1.6 if scene.brand_name else margin
    return margin, top, scene.width - margin, scene.height * 0.72 - margin * 0.4


def _window(scene: Scene, box: tuple[float, float, float, float]) -> Shape:
    left, top, right, bottom = box
    pick = int(scene.rng.integers(3))
    if pick == 0 and bottom - top > (right - left) * 0.75:
        return shapes.arch(left, top, right, bottom)
    if pick == 1:
        return shapes.ellipse(
            (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2, 240
        )
    return shapes.rectangle(left, top, right, bottom, scene.unit * 0.04)
