"""Staged: the subject of a given image on colored paper, or else the photo itself."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageOps

from impasto_nodes.media.ad.drawing import even_rim, is_see_through
from impasto_nodes.media.image.color import RGB, difference, mix
from impasto_nodes.providers.local.image_renderer import shapes
from impasto_nodes.providers.local.image_renderer.canvas import Canvas
from impasto_nodes.providers.local.image_renderer.lettering import title
from impasto_nodes.providers.local.image_renderer.scene import Scene, cover, grained
from impasto_nodes.providers.local.image_renderer.styles.framed import image_box, title_setting

_CLOSER = 0.86
"""The share of a photo's sides that a closer crop keeps."""


def staged(scene: Scene) -> Image.Image:
    """Draw the subject on colored paper, with a shadow; a photo with a background is cropped."""
    assert scene.image is not None
    setting = title_setting(scene, "grotesk")
    if scene.cutout is None:
        return title(scene, _photo(scene, scene.image), setting)
    box = image_box(scene, setting)
    left, top, right, bottom = box
    across, down = (right - left, bottom - top)
    if scene.words.silent:  # so that a crop to another shape keeps the subject
        across, down = scene.width * 0.7, scene.height * 0.64
    thing = ImageOps.contain(
        scene.cutout, (round(across * 0.78), round(down * 0.84)), Image.Resampling.LANCZOS
    )
    middle, foot = (left + right) / 2, (top + bottom) / 2 + thing.height / 2
    ground = _ground(scene, scene.cutout)
    canvas = Canvas(scene.width, scene.height, ground)
    _decorate(scene, canvas, ground, (middle, (top + bottom) / 2, foot), min(right - left, bottom - top) / 2)
    wide = thing.width / 2
    canvas.fill(
        shapes.ellipse(middle + wide * 0.12, foot, wide, wide * 0.14),
        (16, 12, 10),
        0.34,
        soft=wide * 0.09,
    )
    canvas.fill(
        shapes.ellipse(middle, foot - wide * 0.01, wide * 0.86, wide * 0.05),
        (16, 12, 10),
        0.5,
        soft=wide * 0.03,
    )
    page = grained(scene, canvas.image(), 4)
    page.paste(thing, (round(middle - thing.width / 2), round(foot) - thing.height), thing)
    return title(scene, page, setting, scene.palette.ink)


def _photo(scene: Scene, image: Image.Image) -> Image.Image:
    closer = 1.0 if scene.chance(0.5) else _CLOSER
    size = (scene.width, scene.height)
    if scene.subject is not None:
        return cover(image, size, scene.subject, closer=closer)
    inset = (1 - closer) / 2
    across, down = round(image.width * inset), round(image.height * inset)
    return cover(image.crop((across, down, image.width - across, image.height - down)), size)


def _ground(scene: Scene, thing: Image.Image) -> RGB:
    """Return the paper that the subject stands out from, one of the two best."""
    pixel = thing.reduce(thing.size)  # the mean color: see-through parts do not count
    red, green, blue, _ = np.asarray(pixel)[0, 0].tolist()
    mean = (red, green, blue)
    palette = scene.palette
    papers = [
        palette.paper,
        palette.main,
        mix(palette.main, palette.paper, 0.6),
        mix(palette.accent(1), palette.paper, 0.5),
    ]
    best = sorted(papers, key=lambda paper: -min(40.0, difference(paper, mean)))
    return best[0 if scene.chance(0.5) else 1]


def _decorate(
    scene: Scene, canvas: Canvas, ground: RGB, place: tuple[float, float, float], radius: float
) -> None:
    """Draw the backdrop of the subject: a disc, an arch, a table or a band."""
    x, y, foot = place
    palette, unit = scene.palette, scene.unit
    color = max(
        (palette.main, palette.accent(1), palette.paper), key=lambda one: min(18.0, difference(one, ground))
    )
    shade = mix(color, ground, 0.25)
    kind = int(scene.rng.integers(4))
    if kind == 0:
        canvas.fill(shapes.ellipse(x, y, radius * 0.92, radius * 0.92, 240), shade)
    elif kind == 1:
        canvas.fill(
            shapes.arch(x - radius * 0.78, y - radius * 0.98, x + radius * 0.78, foot + unit * 0.02), shade
        )
        canvas.fill(
            shapes.rectangle(0, foot + unit * 0.02, scene.width, scene.height), mix(ground, palette.ink, 0.08)
        )
    elif kind == 2:
        canvas.fill(shapes.rectangle(0, foot - radius * 0.22, scene.width, scene.height), shade)
    else:
        lean = radius * 0.5
        band = [
            (x - radius * 0.5 + lean, 0),
            (x + radius * 0.5 + lean, 0),
            (x + radius * 0.5 - lean, scene.height),
            (x - radius * 0.5 - lean, scene.height),
        ]
        canvas.fill(shapes.polygon(band), shade)


def cut_out_of_even_ground(image: Image.Image) -> Image.Image | None:
    """Return the subject of an image that is see-through or on one even color, trimmed; else None."""
    from impasto_nodes.media.image import matting

    if is_see_through(image):
        box = image.getchannel("A").getbbox()
        return image.crop(box) if box else None
    image = image.convert("RGB")
    if even_rim(image) is None:
        return None
    mask, _ = matting.matte(image, with_network=False)
    share = float((mask > 0.5).mean())
    if not 0.03 < share < 0.9:
        return None
    cut = matting.cut_out(image, mask)
    box = cut.getchannel("A").point([0] * 40 + [255] * 216).getbbox()
    return cut.crop(box) if box else None
