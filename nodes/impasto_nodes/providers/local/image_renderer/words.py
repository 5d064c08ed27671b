"""The words worth setting: a headline and a line below it, taken from the prompt itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,70})[\"”»]")
_NAMED = re.compile(r"\b(?:headline|title|slogan|tagline)\s*[:=]\s*([^\n.;]{2,70})", re.IGNORECASE)
_PLAIN = re.compile(
    r"\b(?:no|without|free of)\s+(?:any\s+)?(?:text|words|type|typography|letters|lettering)\b"
    r"|\b(?:textless|clean plate)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please\s+)?(?:(?:can you|could you|i want|i need|we need|give me|let'?s)\s+)?"
    r"(?:(?:create|make|generate|design|draw|paint|render|show|produce|write|imagine|compose|launch)\s+)?"
    r"(?:(?:me|us)\s+)?(?:(?:an?|the|some|our|my|one|two|three|four|\d+)\s+)?"
    r"(?:(?:[\w-]+\s+){0,2}?(?:visuals?|images?|pictures?|posters?|photos?|photographs?|illustrations?|ads?|"
    r"adverts?|banners?|campaigns?|shots?|packshots?|videos?|clips?|posts?|covers?|frames?|artworks?|moodboards?|"
    r"storyboards?|teasers?|reels?|kit)\b\s*)?"
    r"(?:(?:of|for|about|showing|with|on|to)\s+)?(?:(?:an?|the|our|my|your|this|new)\s+)*",
    re.IGNORECASE,
)
_STOP_WORDS = """
a an and are as at be by for from has have in into is it its of off on onto or our out over so
than that the their then there these they this those to under up us was we were while will with
your you my me i he she his her him who which what when where how not no but if about against
between during before after above below again very just can't please style shot high quality
detailed cinematic photorealistic 4k 8k hd
"""
_STOP = frozenset(_STOP_WORDS.split())
_BREAK = re.compile(r"[,.;:!?()\[\]\n\r|/—–]+|\s-\s")


@dataclass(frozen=True)
class Words:
    """What an image may say. Empty strings say nothing."""

    headline: str
    subline: str
    all: frozenset[str]

    @property
    def silent(self) -> bool:
        """Whether there is nothing to set."""
        return not self.headline


def read(prompt: str, brand_name: str = "") -> Words:
    """Find the headline: quoted words, a named title, else the prompt's first solid phrase."""
    tokens = frozenset(re.findall(r"[a-z]+", prompt.lower()))
    if _PLAIN.search(prompt):
        return Words("", "", tokens)
    said = _QUOTED.search(prompt) or _NAMED.search(prompt)
    phrases = _phrases(_QUOTED.sub(" ", prompt))
    if said:
        return Words(_headline(said[1]), phrases[0] if phrases else "", tokens)
    if not phrases:
        return Words(_headline(brand_name), "", tokens)
    return Words(_headline(_solid(phrases[0])), _subline(phrases), tokens)


def _phrases(prompt: str) -> list[str]:
    plain = _ORDER.sub("", " ".join(prompt.split()), count=1)
    phrases = (" ".join(piece.split()) for piece in _BREAK.split(plain))
    return [phrase for phrase in phrases if any(word.lower() not in _STOP for word in phrase.split())]


def _solid(phrase: str) -> str:
    """The first run of words that mean something, four at most."""
    run: list[str] = []
    for word in phrase.split():
        if word.lower() in _STOP:
            if run:
                break
            continue
        run.append(word)
    return " ".join(run[:4])


def _subline(phrases: list[str]) -> str:
    rest = phrases[0][phrases[0].find(_solid(phrases[0])) + len(_solid(phrases[0])) :].strip()
    candidates = phrases[1:] if len(phrases) > 1 else [rest]
    line = ""
    for phrase in candidates:
        joined = f"{line}, {phrase}" if line else phrase
        if len(joined) > 48:
            break
        line = joined
    return _upper_first(line)


def _upper_first(text: str) -> str:
    text = text.strip(" ,.;:-'")
    return text[:1].upper() + text[1:]


def _headline(text: str) -> str:
    return _upper_first(" ".join(text.split())[:64])


def undrawn(said: Words) -> str:
    """The letters of the headline and the line below it that no font at hand can draw."""
    from impasto_nodes.media.text.fonts import missing

    return missing(f"{said.headline} {said.subline}", "Manrope")


def drawn(said: Words) -> Words:
    """The same without the lines that would be set with holes in them."""
    from impasto_nodes.media.text.fonts import missing

    headline, subline = ("" if missing(line, "Manrope") else line for line in (said.headline, said.subline))
    return Words(headline, subline if headline else "", said.all)
