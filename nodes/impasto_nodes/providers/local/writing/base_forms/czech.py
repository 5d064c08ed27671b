"""The nominative of Czech noun phrases."""

import re
from collections.abc import Mapping

_POSSESSIVES = {
    "naši": "naše",
    "naší": "naše",
    "svou": "",
    "vaši": "vaše",
    "svoji": "",
    "mou": "moje",
    "moji": "moje",
    "tu": "ta",
    "našeho": "náš",
    "našemu": "náš",
    "našem": "náš",
}
_UNCHANGED = re.compile(r"(?:náš|naše|můj|moje|ten|to|\w{2,}(?:ý|é|á|í))$", re.IGNORECASE)
_SOFT = {"ci": "ce", "ji": "je", "ši": "še", "ži": "že", "ni": "ně", "ři": "ře", "li": "le", "ii": "ie"}
_FROM_GENITIVE = {"y": "a", "e": "e"}
_FROM_LOCATIVE = {
    "ně": "na",
    "ře": "ra",
    "le": "la",
    "ově": "ova",
    "aci": "ace",
    "áci": "áce",
    "ici": "ice",
    "nci": "nce",
    "ii": "ie",
}
_MAX_ADJECTIVES = 4


def nominative(preposition: str, phrase: str) -> str:
    """Return a Czech phrase in the nominative, "" if its form is not certain."""
    words = phrase.split()
    if preposition in {"pro", "na", "object"}:
        return _from_accusative(words)
    if preposition == "genitive" and words[0].casefold() == "naší":
        return _feminine_of(words, _FROM_GENITIVE)
    if preposition == "o" and words[0].casefold() == "naší":
        return _feminine_of(words, _FROM_LOCATIVE)
    return ""


def _from_accusative(words: list[str]) -> str:
    first = words[0].casefold()
    if first in {"našeho", "mého", "svého"} or re.search(r"(?<=\w{3})ého$", first):
        return ""  # a person: the noun has lost an ending that the rules do not know
    kept = list(words)
    for at, word in enumerate(words[: _MAX_ADJECTIVES + 1]):
        bare = word.rstrip(",.:;")
        mark, plain = word[len(bare) :], bare.casefold()
        if plain in _POSSESSIVES:
            kept[at] = _cased(_POSSESSIVES[plain], word)
        elif re.search(r"(?<=\w{2})ou$", plain):
            kept[at] = f"{bare[:-2]}á{mark}"
        elif _UNCHANGED.match(bare) and at + 1 < len(words) and words[at + 1][0].isalpha():
            continue
        else:
            noun = _feminine(bare, has_adjective=at > 0)
            if not noun:
                return ""
            kept[at] = f"{noun}{mark}"
            return " ".join(filter(None, kept))
    return ""


def _feminine(word: str, *, has_adjective: bool) -> str:
    """Return a noun's nominative from its accusative; most nouns but those in -u and -i keep their form."""
    if word[:1].isupper() and not has_adjective:
        return ""
    if word.endswith("u"):
        return f"{word[:-1]}a"
    for ending, base in _SOFT.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + base
    return "" if re.search(r"(?:a|i|ře|tele)$", word) else word


def _feminine_of(words: list[str], endings: Mapping[str, str]) -> str:
    """Return a phrase that opens with "naší" and adjectives in the nominative."""
    kept = ["naše"]
    for at, word in enumerate(words[1 : _MAX_ADJECTIVES + 1], 1):
        bare = word.rstrip(",.:;")
        mark = word[len(bare) :]
        if bare.endswith("é") and not mark:
            kept.append(f"{bare[:-1]}á")
        elif bare.endswith("í") and not mark:
            kept.append(word)
        else:
            for ending, base in endings.items():
                if bare.endswith(ending):
                    return " ".join([*kept, f"{bare.removesuffix(ending)}{base}{mark}", *words[at + 1 :]])
            return ""
    return ""


def _cased(base: str, word: str) -> str:
    return base.capitalize() if word[:1].isupper() else base
