"""The contrast of a brand's colours against each other, by WCAG 2.2."""

from collections.abc import Sequence
from itertools import combinations

from impasto_server.brands.schemas import BrandColor, ContrastPair, TextUse

_ALL_TEXT, _HEADLINES = 4.5, 3.0
MAX_COLORS = 6
"""Pairs are listed for the first colours only: their number grows with the square."""


def contrast_pairs(colors: Sequence[BrandColor]) -> list[ContrastPair]:
    """Return every pair of the first `MAX_COLORS` colours, the highest contrast first."""
    shown = list(dict.fromkeys(color.hex for color in colors))[:MAX_COLORS]
    pairs = [_pair(one, other) for one, other in combinations(shown, 2)]
    return sorted(pairs, key=lambda pair: -pair.ratio)


def ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colours in hex notation, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _pair(one: str, other: str) -> ContrastPair:
    found = ratio(one, other)
    use: TextUse = "all_text" if found >= _ALL_TEXT else "headlines" if found >= _HEADLINES else "shapes"
    # Rounded down: 4.46 must not be shown as 4.5, which text needs.
    return ContrastPair(foreground=other, background=one, ratio=int(found * 10) / 10, use=use)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(int(color[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
