"""Which words of a text its language does not have, by the word lists of pyspellchecker.

A small model makes words up. Names and technical terms are unknown, too: only their share says something.
"""

import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker

LANGUAGES = frozenset({"ar", "de", "en", "es", "fr", "it", "nl", "pt", "ru"})
_WORD = re.compile(r"[^\W\d_]{4,}")
_MIN_PART = 4
# What joins the parts of German and Dutch compounds.
_JOINTS = ("", "s", "n", "en", "es", "er", "e")
_COMPOUNDING = frozenset({"de", "nl"})


def unknown_share(text: str, known: str, language: str) -> float:
    """Return the share of the different longer words that the language, and `known`, do not have.

    One unknown word counts as none: it may be a name. 0.0 for a language without a word list. Call `load`
    first: it reads a file.
    """
    if language not in LANGUAGES:
        return 0.0
    words = set(_WORD.findall(text.casefold()))
    lists = _lists(language)
    given = set(_WORD.findall(known.casefold()))
    unknown = [
        word
        for word in words - given
        if not lists.known([word]) and not (language in _COMPOUNDING and _is_compound(word, lists, given))
    ]
    return len(unknown) / len(words) if len(unknown) > 1 else 0.0


def load(language: str) -> None:
    """Read the word list of a language, if there is one. Takes up to a second; again, none."""
    if language in LANGUAGES:
        _lists(language)


def _is_compound(word: str, lists: "SpellChecker", given: set[str]) -> bool:
    def is_known(part: str) -> bool:
        return part in given or bool(lists.known([part]))

    for at in range(_MIN_PART, len(word) - _MIN_PART + 1):
        if is_known(word[at:]):
            start = word[:at]
            if any(start.endswith(joint) and is_known(start[: len(start) - len(joint)]) for joint in _JOINTS):
                return True
    return False


@functools.cache
def _lists(language: str) -> "SpellChecker":
    from spellchecker import SpellChecker

    return SpellChecker(language=language)
