"""The nominative of German noun phrases."""

import re

_GERMAN_DETERMINER = re.compile(r"(?P<base>d|dies|jed|ein|kein|mein|unser|ihr|euer|eur)en\s", re.IGNORECASE)


def nominative(phrase: str) -> str:
    """Return a German phrase in the nominative; only masculine words differ from the accusative."""
    found = _GERMAN_DETERMINER.match(phrase)
    if found is None:  # without an article it may be a plural
        return phrase
    base, words = found["base"], phrase.split()
    is_definite = base.casefold() in {"d", "dies", "jed"}
    words[0] = {"d": "der", "eur": "euer"}.get(base.casefold(), f"{base}er" if is_definite else base)
    for at, word in enumerate(words[1:], 1):
        bare = word.rstrip(",")
        if bare.islower() and bare.endswith("en"):
            words[at] = f"{bare[:-2]}{'e' if is_definite else 'er'}{word[len(bare) :]}"
        elif bare != "und":
            break
    return " ".join(words)


def from_genitive(phrase: str) -> str:
    """Return a phrase that opens with "unserer" or "unseres" in the nominative, without adjectives."""
    owner, noun, *others = phrase.split()
    if noun.islower():  # its ending does not tell one thing from several
        return without_modifiers(phrase)
    if owner.endswith("er"):
        return " ".join([owner[:-1], noun, *others])
    bare = noun.rstrip(",.:;")
    return " ".join([owner[:-2], f"{bare[:-1]}{noun[len(bare) :]}", *others])


def without_modifiers(phrase: str) -> str:
    """Return a phrase without articles and adjectives, whose endings show the case."""
    words = phrase.split()
    while len(words) > 1 and words[0].islower():
        words.pop(0)
    return " ".join(words)
