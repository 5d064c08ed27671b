"""Drawings of objects that a prompt may name, each in a unit box with its foot at the bottom."""

# ruff: noqa: E501 - a drawing or a palette stands on one line

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from impasto_nodes.providers.local.image_renderer import shapes
from impasto_nodes.providers.local.image_renderer.shapes import Shape, drawn, ellipse, rectangle, together

_PATHS: dict[str, str] = {
    "leaf": "M .5 1 C .1 .8 .02 .35 .5 0 C .98 .35 .9 .8 .5 1 Z",
    "drop": "M .5 0 C .62 .3 .9 .45 .9 .68 C .9 .86 .72 1 .5 1 C .28 1 .1 .86 .1 .68 C .1 .45 .38 .3 .5 0 Z",
    "heart": "M .5 .96 C .1 .62 .0 .46 .02 .28 C .05 .06 .38 .0 .5 .26 C .62 .0 .95 .06 .98 .28 C 1 .46 .9 .62 .5 .96 Z",
    "mountain": "M 0 1 L .34 .28 L .44 .42 L .62 .06 L 1 1 Z",
    "wave": "M 0 1 L 0 .55 C .12 .2 .4 .02 .66 .14 C .86 .24 .9 .48 .74 .54 C .78 .38 .6 .32 .52 .44 C .42 .6 .6 .82 1 .8 L 1 1 Z",
    "house": "M .5 .04 L 1 .46 L .88 .46 L .88 1 L .6 1 L .6 .66 L .4 .66 L .4 1 L .12 1 L .12 .46 L 0 .46 Z",
    "city": "M 0 1 L 0 .5 L .16 .5 L .16 .3 L .3 .3 L .3 .62 L .4 .62 L .4 .12 L .47 .02 L .54 .12 L .54 .44 L .68 .44 L .68 .24 "
    "L .84 .24 L .84 .58 L 1 .58 L 1 1 Z",
    "bird": "M 0 .38 C .2 .2 .36 .3 .46 .5 C .52 .22 .74 .06 1 .1 C .86 .2 .76 .34 .7 .5 C .62 .74 .44 .84 .2 .8 C .32 .74 .38 .68 .4 .6 "
    "C .3 .46 .16 .4 0 .38 Z",
    "fish": "M 0 .5 C .18 .16 .52 .12 .76 .44 L 1 .2 C .95 .42 .95 .58 1 .8 L .76 .56 C .52 .88 .18 .84 0 .5 Z",
    "bolt": "M .6 0 L .14 .58 L .44 .58 L .34 1 L .86 .38 L .54 .38 Z",
    "bottle": "M .4 0 L .6 0 L .6 .24 C .6 .32 .8 .36 .8 .5 L .8 .94 C .8 .98 .77 1 .73 1 L .27 1 C .23 1 .2 .98 .2 .94 L .2 .5 "
    "C .2 .36 .4 .32 .4 .24 Z",
    "can": "M .27 0 L .73 0 L .745 .03 L .255 .03 Z M .25 .045 L .75 .045 L .8 .1 L .8 .22 C .6 .25 .4 .25 .2 .22 L .2 .1 Z "
    "M .2 .25 C .4 .28 .6 .28 .8 .25 L .8 .74 C .6 .77 .4 .77 .2 .74 Z M .2 .77 C .4 .8 .6 .8 .8 .77 L .8 .92 L .75 .965 L .25 .965 L .2 .92 Z "
    "M .27 .98 L .73 .98 L .71 1 L .29 1 Z",
    "cylinder": "M .26 0 L .74 0 L .8 .07 L .8 .94 L .75 1 L .25 1 L .2 .94 L .2 .07 Z",
    "cup": "M .06 .18 L .74 .18 L .74 .3 C 1 .28 1 .66 .7 .66 C .66 .88 .54 .98 .4 .98 C .16 .98 .06 .7 .06 .18 Z "
    "M .74 .4 L .72 .56 C .84 .56 .84 .4 .74 .4 Z",
    "jar": "M .18 0 L .82 0 L .82 .2 L .92 .28 L .92 .92 C .92 .97 .88 1 .83 1 L .17 1 C .12 1 .08 .97 .08 .92 L .08 .28 L .18 .2 Z",
    "tube": "M .3 0 L .7 0 L .7 .1 L .82 .16 L .78 1 L .22 1 L .18 .16 L .3 .1 Z",
    "bag": "M .1 .3 L .9 .3 L .98 1 L .02 1 Z M .3 .3 C .3 -.08 .7 -.08 .7 .3 L .62 .3 C .62 .04 .38 .04 .38 .3 Z",
    "phone": "M .28 0 L .72 0 C .77 0 .8 .03 .8 .08 L .8 .92 C .8 .97 .77 1 .72 1 L .28 1 C .23 1 .2 .97 .2 .92 L .2 .08 C .2 .03 .23 0 .28 0 Z",
    "shoe": "M .02 .42 C .1 .5 .22 .5 .32 .34 C .42 .44 .52 .6 .74 .64 C .9 .67 1 .74 .99 .86 L .03 .86 C 0 .72 .0 .54 .02 .42 Z",
    "book": "M .5 .2 C .36 .08 .16 .08 0 .14 L 0 .86 C .16 .8 .36 .8 .5 .92 C .64 .8 .84 .8 1 .86 L 1 .14 C .84 .08 .64 .08 .5 .2 Z",
    "bulb": "M .5 0 C .8 0 .98 .22 .94 .46 C .91 .62 .74 .68 .7 .82 L .3 .82 C .26 .68 .09 .62 .06 .46 C .02 .22 .2 0 .5 0 Z "
    "M .32 .86 L .68 .86 L .64 1 L .36 1 Z",
    "rocket": "M .5 0 C .72 .18 .76 .44 .72 .66 L .9 .86 L .66 .84 L .6 .94 L .4 .94 L .34 .84 L .1 .86 L .28 .66 C .24 .44 .28 .18 .5 0 Z",
    "chair": "M .18 0 L .32 0 L .34 .5 L .82 .5 L .86 1 L .78 1 L .74 .66 L .26 .66 L .22 1 L .14 1 L .2 .6 Z",
}  # fmt: skip


def _mic() -> Shape:
    return together([
        rectangle(0.34, 0, 0.66, 0.56, 0.16),
        drawn("M .18 .4 L .26 .4 C .26 .84 .74 .84 .74 .4 L .82 .4 C .82 .78 .6 .84 .54 .84 L .54 .92 L .72 .92 L .72 1 L .28 1 L .28 .92 "
              "L .46 .92 L .46 .84 C .4 .84 .18 .78 .18 .4 Z"),
    ])  # fmt: skip


def _vinyl() -> Shape:
    return together(
        [ellipse(0.5, 0.5, 0.5), ellipse(0.5, 0.5, 0.17), ellipse(0.5, 0.5, 0.14), ellipse(0.5, 0.5, 0.03)]
    )


def _flower() -> Shape:
    angle = np.linspace(0, math.tau, 240, endpoint=False)
    radius = 0.36 + 0.13 * np.cos(angle * 6)
    petals = Shape((np.stack([0.5 + radius * np.cos(angle), 0.5 + radius * np.sin(angle)], 1),))
    return together([petals, ellipse(0.5, 0.5, 0.12)])


def _star() -> Shape:
    angle = np.linspace(0, math.tau, 16, endpoint=False) - math.pi / 2
    radius = np.where(np.arange(16) % 2 == 0, 0.5, 0.2)
    return Shape((np.stack([0.5 + radius * np.cos(angle), 0.5 + radius * np.sin(angle)], 1),))


def _citrus() -> Shape:
    parts = [ellipse(0.5, 0.5, 0.5), ellipse(0.5, 0.5, 0.44)]
    for number in range(8):
        wedge = drawn("M 0 -.05 L .13 -.34 C .08 -.4 -.08 -.4 -.13 -.34 Z").turned(number * math.tau / 8)
        parts.append(wedge.moved(0.5, 0.5))
    return together(parts)


def _sun() -> Shape:
    rays = [
        shapes.polygon([(-0.03, -0.34), (0.03, -0.34), (0.012, -0.5), (-0.012, -0.5)]).turned(
            number * math.tau / 16
        )
        for number in range(16)
    ]
    return together([ellipse(0.5, 0.5, 0.28), *(ray.moved(0.5, 0.5) for ray in rays)])


_MADE: dict[str, Callable[[], Shape]] = {
    "mic": _mic,
    "vinyl": _vinyl,
    "flower": _flower,
    "star": _star,
    "citrus": _citrus,
    "sun": _sun,
}

_NAMES: dict[str, str] = {
    "leaf": "leaf leaves",
    "flower": "flower flowers blossom blossoms bouquet bouquets",
    "drop": "drop drops raindrop raindrops",
    "heart": "heart hearts valentine",
    "mountain": "mountain mountains alps",
    "wave": "wave waves sea ocean surf",
    "house": "house houses cottage cottages",
    "city": "city skyline",
    "bird": "bird birds",
    "fish": "fish",
    "bolt": "lightning",
    "bottle": "bottle bottles wine",
    "can": "can cans",
    "cup": "cup cups mug mugs coffee espresso",
    "jar": "jar jars",
    "tube": "tube tubes toothpaste",
    "bag": "bag bags tote totes",
    "phone": "phone phones smartphone smartphones",
    "shoe": "shoe shoes sneaker sneakers trainers",
    "book": "book books novel novels",
    "bulb": "bulb bulbs",
    "rocket": "rocket rockets",
    "chair": "chair chairs",
    "mic": "podcast microphone microphones",
    "vinyl": "vinyl record records",
    "star": "star stars",
    "citrus": "orange oranges lemon lemons lime limes citrus grapefruit grapefruits",
    "sun": "sun",
}
"""The nouns that each drawing shows. An object that only resembles one of them has no drawing."""


def named(thing: str) -> str:
    """Return the name of the motif for a noun; "" if there is none."""
    return next((name for name, nouns in _NAMES.items() if thing in nouns.split()), "")


@cache
def motif(name: str) -> Shape:
    """Return the drawing of a motif."""
    return _MADE[name]() if name in _MADE else drawn(_PATHS[name])


PLANTS = frozenset(
    [
        "plant",
        "plants",
        "leaf",
        "leaves",
        "flower",
        "flowers",
        "floral",
        "florist",
        "garden",
        "gardens",
        "botanical",
        "herb",
        "herbs",
        "forest",
        "meadow",
        "spring",
        "nature",
        "organic",
        "tea",
        "matcha",
        "vineyard",
        "vineyards",
    ]
)
"""Words of a brief that leaves and petals suit."""
PRODUCTS = frozenset({"bottle", "can", "cup", "jar", "tube"})
ALL = (*_PATHS, *_MADE)
