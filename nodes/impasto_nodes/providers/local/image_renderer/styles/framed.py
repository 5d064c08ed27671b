"""Framed: a given image in an arch, a disc or a window, on the brand's paper colour."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import mix
from impasto_nodes.media.image.framing import NO_INSETS, Insets
from impasto_nodes.providers.local.image_renderer import shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import Setting, lay_out, title
from impasto_nodes.providers.local.image_renderer.scene import Scene, cover, grained
from impasto_nodes.providers.local.image_renderer.shapes import Shape

_ROUND = 0.147
"""The share of a side between an ellipse and the largest rectangle inside it."""
FIELD_DROP = 0.035
"""How far the field of colour reaches below the image, in units of the short side."""


def framed(scene: Scene) -> Image:
    """Draw the image cropped to a shape, with a shadow, a colour field behind and the words below."""
    assert scene.image is not None
    palette = scene.palette
    ground = palette.paper if scene.chance(0.5) else palette.main
    canvas = Canvas(scene.width, scene.height, ground)
    shape = int(scene.rng.integers(3))
    shift = scene.between(-0.04, 0.04)
    setting = title_setting(scene, "serif" if scene.chance(0.6) else "grotesk")
    box = image_box(scene, setting)
    window = _window(scene, box, shape)
    field = window.moved(scene.unit * shift, scene.unit * FIELD_DROP)
    canvas.fill(field, palette.accent(1) if ground == palette.main else palette.main)
    canvas.shadow(window, (0, scene.unit * 0.016), scene.unit * 0.026, 0.34, palette.ink)
    left, top, right, bottom = (round(edge) for edge in box)
    sheet = np.empty((scene.height, scene.width, 3), np.float32)
    sheet[:] = mix(ground, palette.ink, 0.1)
    sheet[top:bottom, left:right] = np.asarray(
        cover(scene.image, (right - left, bottom - top), scene.subject, _insets(box, shape)).convert("RGB"),
        np.float32,
    )
    canvas.fill(window, sheet)
    return title(scene, grained(scene, canvas.image(), 4), setting, palette.ink)


def title_setting(scene: Scene, face: str) -> Setting:
    """Return how the words are set: below the image, or beside it on a wide sheet."""
    if scene.wide:
        return Setting(face, "bottom", "left", share=0.5, measure=0.34, largest=0.14)
    return Setting(face, "bottom", "left", share=0.2, largest=0.12)


def image_box(scene: Scene, setting: Setting) -> tuple[float, float, float, float]:
    """Return where the image goes: above the words, without touching them, or beside them on a wide sheet."""
    margin = scene.unit * 0.08
    if scene.words.silent:
        return margin, margin, scene.width - margin, scene.height - margin
    if scene.wide:
        return scene.width * 0.42, margin, scene.width - margin, scene.height - margin
    top = margin * 1.6 if scene.brand_name else margin
    clear = lay_out(scene, setting).box[1] - scene.unit * (FIELD_DROP + 0.02)
    return margin, top, scene.width - margin, min(scene.height * 0.72 - margin * 0.4, clear)


def _insets(box: tuple[float, float, float, float], shape: int) -> Insets:
    """Return the shares of the sides that the shape may cut off."""
    if shape == 1:
        return (_ROUND, _ROUND, _ROUND, _ROUND)
    return (0.0, _ROUND, 0.0, 0.0) if shape == 0 and _is_arch(box) else NO_INSETS


def _is_arch(box: tuple[float, float, float, float]) -> bool:
    return box[3] - box[1] > (box[2] - box[0]) * 0.75


def _window(scene: Scene, box: tuple[float, float, float, float], shape: int) -> Shape:
    left, top, right, bottom = box
    if shape == 0 and _is_arch(box):
        return shapes.arch(left, top, right, bottom)
    if shape == 1:
        return shapes.ellipse(
            (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2, 240
        )
    return shapes.rectangle(left, top, right, bottom, scene.unit * 0.04)
