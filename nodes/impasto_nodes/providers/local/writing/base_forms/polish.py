"""The nominative of Polish noun phrases."""

import re

_FEMININE = {"ni": "nia", "ji": "ja", "ii": "ia", "ki": "ka", "gi": "ga", "icy": "ica"}
_HARD = re.compile(r"[bdfłmnprstwz](?<!rz|sz|cz)y$")
"""Endings of hard feminine nouns; after a soft consonant the nominative may have no ending."""
_FROM_LOCATIVE = {"ni": "nia", "ji": "ja", "ii": "ia"}
_MASCULINE = re.compile(r"(?<!o)[bdfghlłmnprstwz](?<!rz|sz|cz)u$|(?<=[aeiouy])ku$")
"""Endings of masculine nouns whose stem is the same in the nominative."""
_MAX_ADJECTIVES = 4


def nominative(preposition: str, phrase: str) -> str:
    """Return a phrase that opens with "our" or "my" in the nominative, "" if its form is not certain."""
    first, *words = phrase.split()
    owner = re.fullmatch(r"(?P<stem>nasz|moj|mój)(?:ej|ego)", first, re.IGNORECASE)
    if owner is None:
        return ""
    is_feminine = first.endswith("ej")
    stem = owner["stem"] if is_feminine or owner["stem"][-1] == "z" else f"{owner['stem'][0]}ój"
    kept = [f"{stem}a" if is_feminine else stem]
    for at, word in enumerate(words[: _MAX_ADJECTIVES + 1]):
        bare = word.rstrip(",.:;")
        mark = word[len(bare) :]
        if found := re.fullmatch(r"(\w{2,}?)(i?)(?:ej|ego)", bare):
            if found[2] and found[1][-1] not in "kg":
                return ""
            masculine = "i" if found[2] else "y"
            kept.append(f"{found[1]}{'a' if is_feminine else masculine}{mark}")
            continue
        noun = _feminine(bare, preposition) if is_feminine else _masculine(bare)
        return " ".join([*kept, f"{noun}{mark}", *words[at + 1 :]]) if noun else ""
    return ""


def _feminine(word: str, preposition: str) -> str:
    for ending, base in (_FROM_LOCATIVE if preposition == "o" else _FEMININE).items():
        if word.endswith(ending):
            return word.removesuffix(ending) + base
    return f"{word[:-1]}a" if preposition != "o" and _HARD.search(word) else ""


def _masculine(word: str) -> str:
    return word[:-1] if _MASCULINE.search(word) else ""
