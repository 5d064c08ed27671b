"""A packshot: one product on a plinth before a lit backdrop."""

from __future__ import annotations

import numpy as np
from PIL.Image import Image

from impasto_nodes.media.image.color import RGB, contrast, lightness, mix, with_lightness
from impasto_nodes.media.text import typeset
from impasto_nodes.media.text.typeset import Face
from impasto_nodes.providers.local.image_renderer import motifs, shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import Setting, title
from impasto_nodes.providers.local.image_renderer.scene import (
    Plane,
    Scene,
    clouds,
    grained,
    grid,
    ramp,
    smooth,
)

_PROPORTION = {"can": 0.92, "bottle": 0.62, "jar": 1.18, "tube": 0.66, "cup": 1.1}


def studio(scene: Scene) -> Image:
    """Draw backdrop, plinth, product and light."""
    palette = scene.palette
    dark = scene.chance(0.4)
    backdrop = (
        mix(palette.ink, palette.main, 0.35)
        if dark
        else palette.accent(1)
        if scene.chance(0.4)
        else palette.paper
    )
    canvas = Canvas(scene.width, scene.height, _backdrop(scene, backdrop))
    middle = scene.width * (0.5 if not scene.wide or scene.words.silent else 0.68)
    floor = scene.height * (0.80 if scene.words.silent or scene.wide else 0.70)
    _window_light(scene, canvas, backdrop)
    _plinth(scene, canvas, middle, floor, backdrop)
    _product(scene, canvas, middle, floor)
    image = grained(scene, canvas.image(), 5)
    if scene.wide:
        return title(scene, image, Setting("serif", "bottom", "left", share=0.4, measure=0.46, largest=0.13))
    return title(scene, image, Setting("serif", "bottom", "left", share=0.17, largest=0.11))


def _backdrop(scene: Scene, color: RGB) -> Plane:
    x, y = grid(scene)
    far = np.hypot(x * 0.9 + 0.1, y + 0.12) / (0.5 * max(scene.width, scene.height) / scene.unit)
    lit = 0.9 - 0.75 * far + 0.05 * clouds(scene, 1.5, 2)
    return ramp(
        lit, [mix(color, scene.palette.ink, 0.45), color, mix(color, (255, 252, 246), 0.55)], [0, 0.5, 1]
    )


def _window_light(scene: Scene, canvas: Canvas, backdrop: RGB) -> None:
    """Draw the slanted light of a window with four panes."""
    unit = scene.unit
    left, top = scene.width * scene.between(0.02, 0.3), scene.height * scene.between(0.06, 0.14)
    warm = mix(backdrop, (255, 244, 220), 0.75)
    for row in range(2):
        for column in range(2):
            x, y = left + column * unit * 0.24, top + row * unit * 0.27 + column * unit * 0.05
            pane = shapes.polygon(
                [
                    (x, y),
                    (x + unit * 0.2, y + unit * 0.042),
                    (x + unit * 0.2, y + unit * 0.272),
                    (x, y + unit * 0.23),
                ]
            )
            canvas.fill(pane, warm, 0.42, soft=unit * 0.008)


def _plinth(scene: Scene, canvas: Canvas, middle: float, floor: float, backdrop: RGB) -> None:
    unit = scene.unit
    reach, flat = unit * 0.36, unit * 0.062
    base = mix(backdrop, scene.palette.main, 0.55)
    if abs(lightness(base) - lightness(backdrop)) < 0.06:
        base = with_lightness(
            base, lightness(backdrop) - 0.12 if lightness(backdrop) > 0.4 else lightness(backdrop) + 0.12
        )
    x, _ = grid(scene)
    across = (x * unit + scene.width / 2 - middle) / reach
    side = ramp(
        across * 0.5 + 0.5,
        [mix(base, (255, 250, 240), 0.18), base, mix(base, scene.palette.ink, 0.55)],
        [0, 0.35, 1],
    )
    drum = shapes.rectangle(middle - reach, floor, middle + reach, scene.height * 1.1)
    canvas.shadow(
        shapes.rectangle(middle, floor + flat, middle + reach * 1.5, scene.height),
        (unit * 0.05, 0),
        unit * 0.06,
        0.35,
    )
    canvas.fill(drum, side)
    canvas.fill(shapes.ellipse(middle, floor, reach, flat, 240), mix(base, (255, 250, 240), 0.30))


def _product(scene: Scene, canvas: Canvas, middle: float, floor: float) -> None:
    kind = motifs.named(scene.words.thing)
    if kind not in motifs.PRODUCTS:
        _sphere(scene, canvas, middle, floor)
        return
    high = scene.unit * (0.50 if kind in {"jar", "cup"} else 0.58)
    wide = high * _PROPORTION[kind]
    if kind in {"jar", "cup"}:
        high, wide = high * 0.7, wide * 0.7
    shape = (
        motifs.motif("cylinder" if kind == "can" else kind)
        .moved(-0.5, -1)
        .scaled(wide, high)
        .moved(middle, floor + scene.unit * 0.012)
    )
    shadow = shapes.ellipse(middle + wide * 0.28, floor + scene.unit * 0.008, wide * 0.62, scene.unit * 0.034)
    canvas.fill(shadow, scene.palette.ink, 0.5, soft=scene.unit * 0.018)
    canvas.fill(
        shapes.ellipse(middle, floor + scene.unit * 0.012, wide * 0.34, scene.unit * 0.018),
        scene.palette.ink,
        0.55,
        soft=scene.unit * 0.006,
    )
    canvas.fill(
        shape, _lit(scene, middle, wide * _girth(kind), _body(scene, canvas, middle, floor - high / 2))
    )
    _dress(scene, canvas, kind, (middle, floor, wide, high))


def _sphere(scene: Scene, canvas: Canvas, middle: float, floor: float) -> None:
    """Draw a sphere on the plinth, if there is no drawing of the product."""
    radius = scene.unit * 0.17
    y = floor - radius + scene.unit * 0.012
    shadow = shapes.ellipse(
        middle + radius * 0.4, floor + scene.unit * 0.01, radius * 0.95, scene.unit * 0.03
    )
    canvas.fill(shadow, scene.palette.ink, 0.5, soft=scene.unit * 0.02)
    color = _body(scene, canvas, middle, y)
    across, down = grid(scene)
    x = (across * scene.unit + scene.width / 2 - middle) / radius
    lit = np.hypot(x + 0.38, (down * scene.unit + scene.height / 2 - y) / radius + 0.42)
    tones = [mix(color, (255, 253, 248), 0.6), color, mix(color, scene.palette.ink, 0.55)]
    canvas.fill(shapes.ellipse(middle, y, radius, radius, 240), ramp(lit / 1.75, tones))


def _girth(kind: str) -> float:
    return {"can": 0.60, "bottle": 0.60, "jar": 0.84, "tube": 0.64, "cup": 0.72}[kind]


def _body(scene: Scene, canvas: Canvas, x: float, y: float) -> RGB:
    """Return the accent with the highest contrast to the background."""
    red, green, blue = canvas.pixels[int(y), int(x)]
    behind = (int(red), int(green), int(blue))
    return max((*scene.palette.accents[:3], scene.palette.ink), key=lambda one: contrast(one, behind))


def _lit(scene: Scene, middle: float, girth: float, color: RGB) -> Plane:
    """Shade a cylinder: a bright strip left of the middle, a dark side, a thin highlight at the rim."""
    x, _ = grid(scene)
    across = (x * scene.unit + scene.width / 2 - middle) / girth + 0.5
    white, ink = (255, 253, 248), scene.palette.ink
    tones = [
        mix(color, ink, 0.5),
        mix(color, white, 0.12),
        mix(color, white, 0.75),
        mix(color, white, 0.10),
        color,
        mix(color, ink, 0.62),
        mix(color, white, 0.18),
    ]
    return ramp(across, tones, [0, 0.16, 0.27, 0.38, 0.58, 0.9, 1.0])


def _dress(scene: Scene, canvas: Canvas, kind: str, place: tuple[float, float, float, float]) -> None:
    """Draw lids, bands and a label with the name."""
    middle, floor, wide, high = place
    foot = floor + scene.unit * 0.012
    girth = wide * _girth(kind)
    metal = _lit(scene, middle, girth, (176, 174, 170))
    half = girth / 2
    if kind == "can":
        canvas.fill(
            shapes.rectangle(middle - half * 0.82, foot - high, middle + half * 0.82, foot - high * 0.965),
            metal,
        )
        canvas.fill(shapes.ellipse(middle, foot - high, half * 0.82, high * 0.018), (206, 204, 200))
        canvas.fill(
            shapes.rectangle(middle - half * 0.86, foot - high * 0.03, middle + half * 0.86, foot), metal
        )
    elif kind in {"bottle", "tube"}:
        neck = wide * (0.105 if kind == "bottle" else 0.205)
        low = 0.88 if kind == "bottle" else 0.90
        canvas.fill(
            shapes.rectangle(middle - neck, foot - high, middle + neck, foot - high * low),
            _lit(scene, middle, neck * 2, scene.palette.ink),
        )
    elif kind == "jar":
        canvas.fill(
            shapes.rectangle(
                middle - half * 0.8, foot - high, middle + half * 0.8, foot - high * 0.77, high * 0.02
            ),
            _lit(scene, middle, half * 1.6, scene.palette.ink),
        )
    elif kind == "cup":
        canvas.fill(
            shapes.ellipse(middle - wide * 0.10, foot - high * 0.82, wide * 0.34, high * 0.06),
            mix(scene.palette.ink, scene.palette.accent(2), 0.3),
        )
    _label(scene, canvas, kind, (middle - (wide * 0.1 if kind == "cup" else 0), foot, half, high))


def _label(scene: Scene, canvas: Canvas, kind: str, place: tuple[float, float, float, float]) -> None:
    middle, foot, half, high = place
    low, top = {
        "can": (0.22, 0.74),
        "bottle": (0.10, 0.42),
        "jar": (0.14, 0.62),
        "tube": (0.14, 0.62),
        "cup": (0.2, 0.6),
    }[kind]
    if kind != "cup":
        band = shapes.rectangle(middle - half, foot - high * top, middle + half, foot - high * low)
        canvas.fill(band, _lit(scene, middle, half * 2, scene.palette.paper))
        stripe = shapes.rectangle(
            middle - half, foot - high * (low + 0.045), middle + half, foot - high * low
        )
        canvas.fill(stripe, _lit(scene, middle, half * 2, scene.palette.main))
    # A label is small: a long headline on it would be illegible.
    name = scene.brand_name or (scene.words.headline if len(scene.words.headline) < 15 else "")
    if not name:
        return
    image = canvas.image()
    face = Face(scene.families[0] if scene.families else "Hanken Grotesk", "black", -0.02, 1.0)
    room = (round(half * 1.42), round(high * (top - low) * 0.62))
    block = typeset.fit(name, face, room, largest=round(scene.unit * 0.06), smallest=8)
    color = scene.palette.ink if kind != "cup" else scene.palette.paper
    typeset.draw(
        image,
        block,
        (round(middle), round(foot - high * (top + low + 0.03) / 2 - block.height / 2)),
        color,
        "center",
    )
    canvas.pixels = np.asarray(image, np.float32).copy()
    if kind != "cup":
        shine = (
            smooth(
                -np.abs(grid(scene)[0] * scene.unit + scene.width / 2 - (middle - half * 0.46)),
                -half * 0.10,
                0.0,
            )
            * 0.3
        )
        canvas.fill(
            shapes.rectangle(middle - half, foot - high * top, middle + half, foot - high * low),
            canvas.pixels + (255 - canvas.pixels) * shine[..., None],
        )
