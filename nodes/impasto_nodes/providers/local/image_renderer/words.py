"""The words of an image: a headline and a line below it, taken from the prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief
from impasto_nodes.providers.local.writing.brief import read as read_brief
from impasto_nodes.providers.local.writing.grammar import trades_of

_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,70})[\"”»]")
_NAMED = re.compile(r"\b(?:headline|title|slogan|tagline)\s*[:=]\s*([^\n.;]{2,70})", re.IGNORECASE)
_PLAIN = re.compile(
    r"\b(?:no|without|free of)\s+(?:any\s+)?(?:text|words|type|typography|letters|lettering)\b"
    r"|\b(?:textless|clean plate)\b",
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
_SOLEMN = frozenset({"solemn", "calm", "stone", "linen", "minimal"})
"""Words that select muted colours and shapes."""
_MAX_HEADLINE, _MAX_SUBLINE = 64, 48


@dataclass(frozen=True)
class Words:
    """The words of an image. Empty strings are left out. `thing` is the noun of its subject, if known."""

    headline: str
    subline: str
    all: frozenset[str]
    thing: str = ""

    @property
    def silent(self) -> bool:
        """Whether there are no words to draw."""
        return not self.headline


# An image asks for its words several times: its style, its scene and the letters without a font need them.
@lru_cache(maxsize=32)
def read(prompt: str, brand_name: str = "") -> Words:
    """Find the headline: quoted words, a named title, else what the brief is about."""
    tokens = frozenset(re.findall(r"[a-z]+", prompt.lower()))
    brief = read_brief(_PLAIN.sub(" ", prompt))
    if "solemn" in trades_of(prompt):
        tokens |= _SOLEMN
    thing = _thing(brief)
    if _PLAIN.search(prompt):
        return Words("", "", tokens, thing)
    said = _QUOTED.search(prompt) or _NAMED.search(prompt)
    if said:
        brief = read_brief(prompt.replace(said[0], " "))
        lines = [line_for("headline", brief, 1, _MAX_SUBLINE, [])] if _says_something(brief.words) else []
        return Words(_headline(said[1]), _upper_first(next(iter(lines), "")), tokens, thing)
    if not _says_something(brief.words):
        return Words(_headline(brand_name), "", tokens)
    headline = _headline(line_for("headline", brief, 1, _MAX_HEADLINE, []) or brand_name)
    return Words(headline, _subline(brief, headline), tokens, thing)


def _says_something(text: str) -> bool:
    return any(word.lower() not in _STOP for word in re.findall(r"[^\W_]+", text))


def _thing(brief: Brief) -> str:
    """Return the noun of an English brief's subject: 'can' of 'our cold-brew can for late light'."""
    if brief.language != "en" or not brief.phrases:
        return ""
    words = brief.phrases[0].casefold().split()
    end = next((at for at, word in enumerate(words) if at and word in brief.grammar.cuts), len(words))
    return re.sub(r"[^a-z]", "", words[end - 1])


def _subline(brief: Brief, headline: str) -> str:
    """Return the details that fit on a line and that the headline does not say already."""
    line = ""
    for phrase in (*brief.phrases[1:], *brief.clauses):
        joined = f"{line}{brief.grammar.comma if line else ''}{phrase}"
        if phrase.casefold() in headline.casefold():
            continue
        if len(joined) > _MAX_SUBLINE:
            break
        line = joined
    return _upper_first(line)


def _upper_first(text: str) -> str:
    text = text.strip(" ,.;:-'")
    return text[:1].upper() + text[1:]


def _headline(text: str) -> str:
    text = _upper_first(" ".join(text.split()))
    return text if len(text) <= _MAX_HEADLINE else ""


def undrawn(said: Words) -> str:
    """Return the letters of the headline and the subline that no available font can draw."""
    from impasto_nodes.media.text.fonts import missing

    return missing(f"{said.headline} {said.subline}", "Manrope")


def drawn(said: Words) -> Words:
    """Return the words without the lines that have letters without a font."""
    from impasto_nodes.media.text.fonts import missing

    headline, subline = ("" if missing(line, "Manrope") else line for line in (said.headline, said.subline))
    return Words(headline, subline if headline else "", said.all, said.thing)
