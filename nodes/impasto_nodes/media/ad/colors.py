"""The colors of an ad: the brand's own, the main one on each ad, each text readable on its ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impasto_nodes.media.image.color import (
    RGB,
    chroma,
    contrast,
    difference,
    lightness,
    mix,
    readable_on,
    with_lightness,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impasto_nodes.media.ad.layout import Design

_TEXT_CONTRAST, _BUTTON_CONTRAST, _DISTINCT = 4.5, 2.0, 12.0
_NEUTRAL: tuple[RGB, ...] = ((38, 62, 58), (243, 240, 234))


@dataclass(frozen=True, slots=True)
class AdColors:
    """One ad's colors: the ground of the words, the field behind the image, and the button with its label."""

    ground: RGB
    text: RGB
    field: RGB
    button: RGB
    label: RGB


def colors_for(palette: Sequence[RGB], design: Design) -> AdColors:
    """Give the palette's colors roles; the first is the main one, and stands on each ad."""
    main, *others = palette or _NEUTRAL
    known = [main, *others]
    lightest, darkest = max(known, key=lightness), min(known, key=lightness)
    light = lightest if lightness(lightest) > 0.88 else with_lightness(main, 0.965, saturation=0.12)
    dark = darkest if lightness(darkest) < 0.36 else with_lightness(main, 0.24, saturation=0.45)
    ground = {"split": main, "card": light, "arch": main, "base": dark}[design]
    if difference(ground, main) < _DISTINCT and design in {"card", "base"}:
        ground = dark if design == "card" else light
    text = _readable((light, dark), ground)
    accents = sorted((one for one in others if difference(one, main) > _DISTINCT), key=chroma, reverse=True)
    choices = [*([main] if ground != main else []), *accents, light, dark]
    button = next(
        one
        for one in (*choices, text)
        if (contrast(one, ground) >= _BUTTON_CONTRAST and difference(one, ground) > _DISTINCT) or one == text
    )
    field = main if difference(ground, main) > _DISTINCT else next(iter(accents), mix(main, text, 0.22))
    return AdColors(ground, text, field, button, _readable((light, dark), button))


def _readable(wanted: Sequence[RGB], ground: RGB) -> RGB:
    """Return the first color with enough contrast on a ground, else the best one, adjusted until it has."""
    for color in wanted:
        if contrast(color, ground) >= _TEXT_CONTRAST:
            return color
    return readable_on(ground, max(wanted, key=lambda color: contrast(color, ground)), _TEXT_CONTRAST)
