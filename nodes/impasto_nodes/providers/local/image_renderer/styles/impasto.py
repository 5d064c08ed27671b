"""Impasto: thick brush strokes along the shapes, with relief lit from the upper left."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PIL import Image, ImageFilter

from impasto_nodes.providers.local.image_renderer import motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas, blurred
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import Plane, Scene, clouds, cover, smooth
from impasto_nodes.providers.local.image_renderer.styles.studio import studio
from impasto_nodes.providers.local.image_renderer.styles.sunset import sunset
from impasto_nodes.providers.local.image_renderer.words import Words


def impasto(scene: Scene) -> Image.Image:
    """Paint an underpainting (the given image, or one of our own) in three sizes of brush."""
    under = (
        np.asarray(cover(scene.image, (scene.width, scene.height), scene.subject).convert("RGB"), np.float32)
        if scene.image
        else _own(scene)
    )
    flow = _flow(scene, under)
    paint, height = under * 0.9, np.zeros(under.shape[:2], np.float32)
    for size, count, detail in ((0.2, 190, 0.0), (0.12, 520, 0.1), (0.06, 900, 0.42)):
        _pass(scene, under, paint, height, flow, (size, count, detail))
    lit = _light(scene, paint, height)
    image = Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8))
    return title(scene, image, Setting("serif", "top", "left", share=0.28, largest=0.14), scene.palette.paper)


def _own(scene: Scene) -> Plane:
    """Return the motif without a given image: a still life of the named object, else a landscape."""
    silent = replace(
        scene, words=Words("", "", scene.words.all, scene.words.thing), brand_name="", image=None
    )
    named = motifs.named(scene.words.thing)
    if named in motifs.PRODUCTS:
        return np.asarray(studio(silent), np.float32)
    canvas = Canvas(scene.width, scene.height, np.asarray(sunset(silent), np.float32))
    for number in range(150 if "flower" in named or scene.chance(0.5) else 0):
        _blossom(scene, canvas, (number / 150) ** 1.4)
    return canvas.pixels


def _blossom(scene: Scene, canvas: Canvas, near: float) -> None:
    """Draw one flower, larger in the foreground."""
    x = scene.between(0, 1) * scene.width
    y = scene.height * (0.60 + 0.42 * near) + scene.between(-0.02, 0.02) * scene.unit
    size = scene.unit * (0.012 + 0.05 * near) * scene.between(0.6, 1.3)
    color = scene.palette.accent(int(scene.rng.integers(4))) if scene.chance(0.7) else scene.palette.paper
    canvas.fill(shapes.blob(scene.rng, size, 0.3).scaled(1.0, 0.75).moved(x, y), color)


def _flow(scene: Scene, under: Plane) -> Plane:
    """Return the direction of strokes: along edges if there are any, else along slow noise."""
    light = blurred(under.mean(2) / 255, scene.unit * 0.012)
    down, across = np.gradient(light)
    along = np.arctan2(across, -down)
    strength = smooth(np.hypot(across, down) * scene.unit, 0.4, 2.4)
    current = (clouds(scene, 1.4, 2) - 0.5) * 4.4 + 0.3
    # Doubled angles average correctly for lines, which have no sign.
    mixed = strength * np.exp(2j * along) + (1 - strength) * np.exp(2j * current)
    angle: Plane = np.angle(mixed)
    return angle / 2


@lru_cache(maxsize=64)
def _brush(length: int, seed: int, turn: int) -> tuple[Plane, Plane]:
    """Return the coverage and the relief of one stroke; `turn` in 24ths of a half circle."""
    rng = np.random.default_rng(seed)
    width = round(length / 2.3)
    side = length + 4
    rows = np.linspace(-1, 1, width)[:, None]
    columns = np.linspace(0, 1, length)[None, :]
    bristles = np.convolve(rng.random(width + 4), np.ones(3) / 3, "same")[2:-2][:, None]
    # Round, frayed ends: the outer bristles make shorter strokes.
    ends = 0.04 + 0.16 * rows**2 + 0.09 * rng.random((width, 1))
    start, stop = smooth(columns, 0.0, ends), smooth(1 - columns, 0.0, ends * 1.8)
    body = smooth(1 - np.abs(rows), 0.0, 0.25) * start * stop * (0.72 + 0.5 * bristles)
    ridge = (
        (bristles - 0.5) * 1.5 + 0.55 * smooth(np.abs(rows), 0.55, 0.95) + 0.6 * smooth(columns, 0.75, 0.97)
    )
    cover_, height = np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    top = (side - width) // 2
    cover_[top : top + width, 2 : 2 + length] = np.clip(body, 0, 1)
    height[top : top + width, 2 : 2 + length] = (0.5 + ridge * 0.5) * np.clip(body, 0, 1)
    degrees = turn * 180 / 24
    turned = [Image.fromarray(plane).rotate(-degrees, Image.Resampling.BICUBIC) for plane in (cover_, height)]
    return np.clip(np.asarray(turned[0]), 0, 1), np.asarray(turned[1])


def _pass(
    scene: Scene, under: Plane, paint: Plane, height: Plane, flow: Plane, brush: tuple[float, int, float]
) -> None:
    size, count, detail = brush
    length = round(scene.unit * size)
    count = round(count * scene.width * scene.height / scene.unit**2)
    colors = np.asarray(
        Image.fromarray(under.astype(np.uint8)).filter(ImageFilter.GaussianBlur(length / 7)),
        np.float32,
    )
    wanted = _busy(under, length) if detail else None
    for _ in range(count):
        x, y = int(scene.rng.integers(scene.width)), int(scene.rng.integers(scene.height))
        if wanted is not None and wanted[y, x] + 0.35 * scene.rng.random() < detail:
            continue
        turn = round(float(flow[y, x] + scene.rng.normal(0, 0.16)) / math.pi * 24) % 24
        color = colors[y, x] * scene.rng.normal(1, 0.035) + scene.rng.normal(0, 3.5, 3)
        _stamp(paint, height, _brush(length, int(scene.rng.integers(2)), turn), (x, y), color)


def _busy(under: Plane, length: int) -> Plane:
    light = under.mean(2) / 255
    return smooth(blurred(np.abs(light - blurred(light, length / 3)) * 6, length / 4), 0.02, 0.5)


def _stamp(
    paint: Plane, height: Plane, brush: tuple[Plane, Plane], at: tuple[int, int], color: Plane
) -> None:
    mask, ridge = brush
    half = mask.shape[0] // 2
    left, top = at[0] - half, at[1] - half
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(paint.shape[1], left + mask.shape[1]), min(paint.shape[0], top + mask.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left]
    tone = 1 + (ridge[y0 - top : y1 - top, x0 - left : x1 - left] - 0.5) * 0.10
    area = paint[y0:y1, x0:x1]
    area += (color * tone[..., None] - area) * part[..., None]
    lift = height[y0:y1, x0:x1]
    lift += (ridge[y0 - top : y1 - top, x0 - left : x1 - left] + 0.25 * lift - lift) * part


def _light(scene: Scene, paint: Plane, height: Plane) -> Plane:
    """Apply grazing light to the relief: shading, and highlights on the ridges."""
    down, across = np.gradient(height * scene.unit / 1024 * 3.4)
    slope = -(across * -0.62 + down * -0.74)
    shade = np.clip(1 + 0.42 * np.tanh(slope * 1.3), 0.5, 1.5)
    shine = np.clip(np.tanh(slope * 1.5) - 0.62, 0, 1) * 92
    lit: Plane = paint * (0.35 + 0.65 * shade)[..., None] + shine[..., None]
    return lit
