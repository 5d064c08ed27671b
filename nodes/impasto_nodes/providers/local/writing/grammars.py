"""The languages that texts are written in without a language model."""

from impasto_nodes.providers.local.writing.english import ENGLISH
from impasto_nodes.providers.local.writing.finnish import FINNISH
from impasto_nodes.providers.local.writing.german import GERMAN
from impasto_nodes.providers.local.writing.grammar import Grammar
from impasto_nodes.providers.local.writing.greek import GREEK
from impasto_nodes.providers.local.writing.more_languages import (
    CHINESE,
    DANISH,
    DUTCH,
    ITALIAN,
    KOREAN,
    POLISH,
    SWEDISH,
    TURKISH,
)
from impasto_nodes.providers.local.writing.other_scripts import ARABIC, HINDI, JAPANESE
from impasto_nodes.providers.local.writing.romance import FRENCH, PORTUGUESE, SPANISH
from impasto_nodes.providers.local.writing.slavic import CZECH, RUSSIAN

_GRAMMARS = {
    one.code: one
    for one in (
        *(ENGLISH, GERMAN, PORTUGUESE, SPANISH, FRENCH, ITALIAN, DUTCH, POLISH, SWEDISH, DANISH, TURKISH),
        *(FINNISH, RUSSIAN, CZECH, GREEK),
        *(JAPANESE, KOREAN, CHINESE, ARABIC, HINDI),
    )
}
_NO_MATCH = r"(?!)"
_PLAIN = Grammar(
    code="",
    order=_NO_MATCH,
    direction=_NO_MATCH,
    statement="",
    cuts=frozenset(),
    stop=frozenset(),
    about=(),
    frames=("{x}",),
    moves=ENGLISH.moves,
    calls={},
    closers=(),
    greeting="",
)
"""For every other language: the brief's own sentences, and no phrase beside them."""


def is_written(language: str) -> bool:
    """Return whether texts are written in a language (an ISO 639-1 code)."""
    return language in _GRAMMARS


def grammar_of(language: str) -> Grammar:
    """Return the grammar of a language; for an unknown one a grammar without phrases of its own."""
    return _GRAMMARS.get(language, _PLAIN)
