"""Every style: a function from a scene to an image. `choose` finds the one for a prompt."""

from __future__ import annotations

from collections.abc import Callable

from PIL.Image import Image

from impasto_nodes.providers.local.image_renderer import motifs
from impasto_nodes.providers.local.image_renderer.scene import Scene
from impasto_nodes.providers.local.image_renderer.styles.aura import aura
from impasto_nodes.providers.local.image_renderer.styles.contour import contour
from impasto_nodes.providers.local.image_renderer.styles.cutout import cutout
from impasto_nodes.providers.local.image_renderer.styles.framed import framed
from impasto_nodes.providers.local.image_renderer.styles.impasto import impasto
from impasto_nodes.providers.local.image_renderer.styles.orbit import orbit
from impasto_nodes.providers.local.image_renderer.styles.riso import riso
from impasto_nodes.providers.local.image_renderer.styles.staged import staged
from impasto_nodes.providers.local.image_renderer.styles.studio import studio
from impasto_nodes.providers.local.image_renderer.styles.sunset import sunset
from impasto_nodes.providers.local.image_renderer.styles.swiss import swiss

STYLES: dict[str, Callable[[Scene], Image]] = {
    "aura": aura,
    "contour": contour,
    "cutout": cutout,
    "framed": framed,
    "impasto": impasto,
    "orbit": orbit,
    "riso": riso,
    "staged": staged,
    "studio": studio,
    "sunset": sunset,
    "swiss": swiss,
}

_CALLS: dict[str, str] = {
    "aura": "gradient soft calm dream aura glow light mood abstract haze music sleep scent",
    "contour": "map mountain hike hiking trail topographic contour terrain",
    "cutout": "plant leaf flower garden playful kids paper cut collage matisse spring fun fruit botanical",
    "impasto": "paint painting brush oil impasto art canvas thick painterly flowers",
    "orbit": "planet space orbit sphere cosmic moon galaxy",
    "riso": "riso zine print halftone retro music vintage indie festival podcast voice jazz concert",
    "studio": "product packshot studio can bottle jar cup box cream perfume coffee brew drink skincare tube",
    "sunset": "sunset landscape hills desert horizon beach dawn dusk sunrise",
    "swiss": "poster typographic typography swiss headline sale quote announcement event ad grid bold",
}
_FOR_IMAGES = ("staged", "framed")
_OF_IMAGES_ONLY = frozenset(_FOR_IMAGES)
_PRINTS_OF_IMAGES = ("riso", "impasto")
"""Styles that repaint a given image: used only if the prompt names them."""
_OF_A_PLACE = frozenset({"contour", "impasto", "orbit", "sunset"})
"""Styles that draw a planet, a map or a landscape: used only if the prompt names them."""
_SHOW_THINGS = ("studio", "riso", "cutout", "swiss")
"""Styles in which an object is recognizable."""
_PACKSHOT = frozenset({"packshot", "packshots"})


def choose(
    words: frozenset[str],
    thing: str,
    number: int,
    index: int,
    *,
    has_image: bool,
    has_cutout: bool = False,
    has_title: bool = False,
    asked: str | None = None,
) -> str:
    """Return the style for image `index`: the one that is named, else those that the words select, in turn.

    A given image is the subject of every image, so it gets the styles that show it. A title never stands on
    a photo that is not cut out.
    """
    if asked in STYLES and (asked not in _OF_IMAGES_ONLY or has_image):
        return asked
    usable = _usable(has_image=has_image)
    named = [name for name in usable if name in words - {"studio"}]  # "studio" often means a workshop
    if named and index == 0:
        return named[0]
    if has_image:
        return "staged" if has_cutout or (not has_title and index % 3 < 2) else "framed"
    scores = {name: len(words & set(calls.split())) for name, calls in _CALLS.items()}
    ranked = sorted(_CALLS, key=lambda name: (-scores[name], (hash_of(name) + number) % 101))
    # A packshot needs a product in the prompt.
    is_product = motifs.named(thing) in motifs.PRODUCTS
    fitting = [name for name in ranked if scores[name] or name not in _OF_A_PLACE]
    if not (is_product or words & _PACKSHOT):
        fitting.remove("studio")
    if "solemn" in words:
        fitting = [name for name in fitting if name in {"aura", "swiss"}]
    if words & _PACKSHOT and "studio" in fitting[:1]:
        return "studio"
    if is_product:  # a prompt that names a can gets a can in every image
        fitting.sort(key=lambda name: name not in _SHOW_THINGS)
    return fitting[index % len(fitting)]


def _usable(*, has_image: bool) -> tuple[str, ...]:
    if has_image:
        return *_FOR_IMAGES, *_PRINTS_OF_IMAGES
    return tuple(name for name in STYLES if name not in _OF_IMAGES_ONLY)


def hash_of(name: str) -> int:
    """Return a number for a name that is the same in every process."""
    return sum(position * ord(letter) for position, letter in enumerate(name, 1))
