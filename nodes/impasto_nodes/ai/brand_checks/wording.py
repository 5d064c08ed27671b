"""Whether a text uses words that the brand bans."""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from typing import Any

from impasto_nodes.providers.local.writing.languages import language_of

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "’‘ʼ`´"), "'")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of scripts without spaces between words, in which word boundaries cannot be detected."""
_STEMMERS = {
    "en": "english",
    "de": "german",
    "pt": "portuguese",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "sv": "swedish",
    "da": "danish",
    "tr": "turkish",
    "fi": "finnish",
    "ar": "arabic",
    "hi": "hindi",
    "ru": "russian",
    "el": "greek",
    "ta": "tamil",
    "cs": "czech",
}
_DEGREES = re.compile(r"(?:i?er|i?est|i?ly)$")
"""Endings of English words that its stemmer keeps: 'cheaper', 'cheapest', 'cheaply'."""
_GERMAN_VERBS = re.compile(r"ier(?:e|en|end|st|t|te|ten|test|tet|te[mrns]|ende[mrns]?)?$")
"""Endings of German verbs that its stemmer keeps: 'garantiert', 'garantieren'."""
_PORTUGUESE_PLURALS = re.compile(r"[õã]es$")
"""Plurals of Portuguese nouns that its stemmer keeps: 'promoções', 'pães'."""
_MIN_LENGTH = 5
_TOKEN = re.compile(r"\w+")


def check_words(text: str, banned: tuple[str, ...], languages: Collection[str] = ()) -> dict[str, Any]:
    """The banned words and phrases that stand in a text, whole words only, in any spelling and inflection.

    Case, width, accents put together or apart, curly quotes, kinds of hyphen and invisible letters make no
    difference; nor do the marks that set a word in italics. Inflections are those of the text's language
    and of `languages` (ISO 639-1 codes); the report's `inflections` names the languages used.
    """
    words = [word for word in banned if plain(word).strip()]
    if not words:
        return {"checked": False, "why": "The brand bans no words."}
    folded = plain(text)
    codes = sorted({language_of(text), *(code[:2].casefold() for code in languages)} & _STEMMERS.keys())
    stemmed = [(stem, [stem(token) for token in _TOKEN.findall(folded)]) for stem in map(_stemmer, codes)]
    found = [
        word
        for word in words
        if stands_in(plain(word), folded)
        or any(_is_inflected_in(plain(word), tokens, stem) for stem, tokens in stemmed)
    ]
    return {
        "checked": True,
        "passed": not found,
        "found": found,
        "looked_for": len(words),
        "inflections": codes,
    }


def _stemmer(code: str) -> Callable[[str], str]:
    """Return a function from a word to its stem, for a language of `_STEMMERS`."""
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer(_STEMMERS[code]).stemWord
    if code == "de":
        return lambda word: stem(_GERMAN_VERBS.sub("ier", word))
    if code == "pt":
        return lambda word: stem(_PORTUGUESE_PLURALS.sub("ão", word))
    if code != "en":
        return stem
    return lambda word: stem(base if len(base := _DEGREES.sub("", word)) >= _MIN_LENGTH else word)


def _is_inflected_in(phrase: str, tokens: Sequence[str], stem: Callable[[str], str]) -> bool:
    """Return whether the stems of a phrase stand in a row among those of a text."""
    wanted = [stem(token) for token in _TOKEN.findall(phrase)]
    return bool(wanted) and any(list(tokens[at : at + len(wanted)]) == wanted for at in range(len(tokens)))


def plain(text: str) -> str:
    """Return a text in a canonical spelling, for comparison."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return seen.translate(_DASHES).translate(_QUOTES)


def stands_in(word: str, text: str) -> bool:
    """Return whether a word or phrase stands in a text as a whole; both are `plain`."""
    before = "" if _UNSPACED.match(word[:1]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(word[-1:]) else r"(?![^\W_])"
    pattern = r"\s+".join(map(re.escape, word.split()))
    return re.search(f"{before}{pattern}{after}", text) is not None
