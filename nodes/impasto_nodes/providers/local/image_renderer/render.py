"""Render a request: choose a style, build the scene, draw and encode."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from impasto_nodes.media.image.color import is_hex
from impasto_nodes.providers.local.image_renderer import palettes, words
from impasto_nodes.providers.local.image_renderer.request import RenderRequest, size_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from impasto_nodes.media.image.subject import SubjectBox
    from impasto_nodes.providers.local.image_renderer.scene import Scene


def render_images(request: RenderRequest) -> list[bytes]:
    """Return every image of the request, as PNG."""
    return [render_image(request, index) for index in range(request.n_images)]


def render_image(request: RenderRequest, index: int = 0) -> bytes:
    """Return one image of the request, as PNG."""
    from impasto_nodes.providers.local.image_renderer.styles import STYLES

    image = STYLES[style_of(request, index)](_scene(request, index))
    out = io.BytesIO()
    image.convert("RGB").save(out, "PNG", compress_level=4)
    return out.getvalue()


def style_of(request: RenderRequest, index: int = 0) -> str:
    """Return the name of the style of image `index`."""
    from impasto_nodes.providers.local.image_renderer.styles import choose

    said = words.read(request.prompt, request.brand_name)
    return choose(
        said.all,
        said.thing,
        _number(request, 0),
        index,
        has_image=request.image is not None,
        has_cutout=_cutout(request.image) is not None,
        has_title=not _words(request).silent,
        asked=request.style,
    )


def undrawn_letters(request: RenderRequest) -> str:
    """Return the letters that no font can draw; words with such letters are left out."""
    return words.undrawn(_words(request))


def words_of(request: RenderRequest) -> words.Words:
    """Return the words that the images of the request show."""
    return words.drawn(_words(request))


def _words(request: RenderRequest) -> words.Words:
    found = words.read(request.prompt, request.brand_name)
    headline = found.headline if request.headline is None else " ".join(request.headline.split())
    line = found.subline if request.line is None else " ".join(request.line.split())
    return replace(found, headline=headline, subline=line)


def _number(request: RenderRequest, index: int) -> int:
    key = f"{request.seed}|{request.prompt}|{request.brand_name}|{index}"
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")


def _scene(request: RenderRequest, index: int) -> Scene:
    import numpy as np

    from impasto_nodes.providers.local.image_renderer.scene import Scene

    said = words_of(request)
    width, height = size_of(request.aspect_ratio)
    brand = tuple(color for color in request.palette if is_hex(color))
    return Scene(
        width=width,
        height=height,
        palette=palettes.suited(said.all, brand, _number(request, 0) % 97),
        words=said,
        brand_name=" ".join(request.brand_name.split())[:40],
        families=_known(request.fonts),
        rng=np.random.default_rng(_number(request, index)),
        image=_source(request.image),
        cutout=_cutout(request.image),
        subject=_subject(request.image),
    )


def _known(families: tuple[str, ...]) -> tuple[str, ...]:
    from impasto_nodes.media.text import fonts

    return tuple(family for family in families if fonts.find(family) is not None)


def _source(data: bytes | None) -> Image | None:
    if data is None:
        return None
    from impasto_nodes.media.image.image_file import decode, flattened

    return flattened(decode(data))


@lru_cache(maxsize=1)
def _cutout(data: bytes | None) -> Image | None:
    if data is None:
        return None
    from impasto_nodes.media.image.image_file import decode
    from impasto_nodes.providers.local.image_renderer.styles.staged import cut_out_of_even_ground

    return cut_out_of_even_ground(decode(data))


@lru_cache(maxsize=1)
def _subject(data: bytes | None) -> SubjectBox | None:
    """Return the box of the subject of a photo that cannot be cut out."""
    if data is None or _cutout(data) is not None:
        return None
    from impasto_nodes.media.image.image_file import decode, flattened
    from impasto_nodes.media.image.subject import subject_box

    return subject_box(flattened(decode(data)))
