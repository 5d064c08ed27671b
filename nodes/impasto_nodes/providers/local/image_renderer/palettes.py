"""The palette of an image: the brand's own if it has one, else one that suits the prompt's mood."""

# ruff: noqa: E501 - a drawing or a palette stands on one line

from __future__ import annotations

from dataclasses import dataclass

from impasto_nodes.media.image.color import (
    RGB,
    chroma,
    difference,
    from_hex,
    lightness,
    luminance,
    with_lightness,
)

# Each: the words that select it, then paper, ink and accents.
_MOODS: tuple[tuple[str, str], ...] = (
    ("warm summer sun sunset golden honey amber coffee brew caramel bread desert late", "f7e3c0 2b1608 e98b4a d8562a 7c2d12 f3b765"),
    ("bold launch sale energy red spice hot sport running fire pepper", "fbe9e1 240a0c de4f2a f7a58b 8e1b2e ffcf70"),
    ("blue ocean sea water swim trust tech software app cloud sky winter ice", "e6edff 0e1638 2f57e0 7f9cf7 1b2a7a f2b35d"),
    ("night dream music violet neon party club electronic cosmic space star lavender", "efe6ff 170b36 8a63e6 d65db1 2a1460 ffb86b"),
    ("green forest leaf plant garden organic matcha eco tea fresh spring nature", "eef2df 0f2a20 2e7d5b 9cc38a 14503c e9b44c"),
    ("calm clean skin cream linen minimal studio spa stone ceramic packshot product", "f3f0ea 23302c 8fa19b cfd6d3 c98f6b 55706a"),
    ("lemon yellow fun playful kids happy joy banana mustard", "fff2cc 3a2805 f2b705 d79b2b e4572e 2a7f9e"),
    ("pink love rose berry beauty lipstick candy valentine blush romance", "fde8ea 3a0b24 e0527a f3a6b5 8f1d4f f5b971"),
    ("mint podcast voice radio conversation health care medical", "d9f3ea 062b25 2ea58a 0d5c4c f2a65a 8ed6bd"),
    ("earth terracotta clay wood autumn rust leather craft harvest", "f4e6d6 2a1a14 b5532f d9a066 6b705c 8a3b1e"),
    ("riso zine print indie retro vintage poster festival jazz", "f6efdf 1c1d3a ff5a4f 1f6feb f5c33b 12806a"),
    ("luxury black gold night elegant perfume watch whisky noir premium", "f1e8d8 14110f c49a50 7a5a2c 3b2f2a e7cf9b"),
)  # fmt: skip


@dataclass(frozen=True)
class Palette:
    """Roles, light to dark: paper, accents (the most colourful first), ink."""

    paper: RGB
    ink: RGB
    accents: tuple[RGB, ...]

    @property
    def main(self) -> RGB:
        """The most colourful accent."""
        return self.accents[0]

    @property
    def by_light(self) -> tuple[RGB, ...]:
        """All colours, from dark to light."""
        return tuple(sorted((self.ink, *self.accents, self.paper), key=luminance))

    def accent(self, index: int) -> RGB:
        """Return the accent at `index` modulo their number."""
        return self.accents[index % len(self.accents)]


def suited(words: frozenset[str], hexes: tuple[str, ...], pick: int) -> Palette:
    """Return the brand's colours in roles, else the palette with most words in common; `pick` breaks ties."""
    colors = _distinct([from_hex(text) for text in hexes])
    if colors:
        return _cast(colors)
    scores = [
        (len(words & set(calls.split())), (index * 7 + pick) % len(_MOODS))
        for index, (calls, _) in enumerate(_MOODS)
    ]
    best = max(range(len(_MOODS)), key=lambda index: scores[index])
    paper, ink, *accents = (from_hex(text) for text in _MOODS[best][1].split())
    return Palette(paper, ink, tuple(accents))


def _distinct(colors: list[RGB]) -> list[RGB]:
    kept: list[RGB] = []
    for color in colors:
        if all(difference(color, other) > 3 for other in kept):
            kept.append(color)
    return kept


def _cast(colors: list[RGB]) -> Palette:
    colorful = sorted(colors, key=chroma, reverse=True)
    lightest, darkest = max(colors, key=lightness), min(colors, key=lightness)
    main = colorful[0]
    paper = lightest if lightness(lightest) > 0.86 else with_lightness(main, 0.95, saturation=0.18)
    ink = darkest if lightness(darkest) < 0.36 else with_lightness(main, 0.22, saturation=0.4)
    accents = [color for color in colorful if color not in {paper, ink}] or [main]
    shifts = ((0.78, 0.7), (0.42, 0.9), (0.62, 1.0), (0.88, 0.45))
    spare = [with_lightness(accents[0], light, saturation=share) for light, share in shifts]
    for color in spare:
        if len(accents) < 4 and all(difference(color, other) > 6 for other in accents):
            accents.append(color)
    return Palette(paper, ink, tuple(accents))
