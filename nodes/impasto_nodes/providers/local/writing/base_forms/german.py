"""The nominative of German noun phrases."""

import re

_GERMAN_DETERMINER = re.compile(r"(?P<base>d|dies|jed|ein|kein|mein|unser|ihr|euer|eur)en\s", re.IGNORECASE)


def nominative(phrase: str) -> str:
    """Return a German phrase in the nominative; only masculine words differ from the accusative."""
    found = _GERMAN_DETERMINER.match(phrase)
    words = phrase.split()
    if found is None and not re.match(r"[a-zäöü][\wäöüß]+en\s", phrase):
        return phrase
    definite = found is not None and found["base"].casefold() in {"d", "dies", "jed"}
    if found is not None:
        base = found["base"]
        words[0] = {"d": "der", "eur": "euer"}.get(base.casefold(), f"{base}er" if definite else base)
    for at in range(1 if found else 0, len(words)):
        if not words[at][:1].islower() or not words[at].endswith("en"):
            break
        if found is None:
            break  # without an article it may be a plural
        words[at] = f"{words[at][:-2]}{'e' if definite else 'er'}"
    return " ".join(words)


def without_modifiers(phrase: str) -> str:
    """Return a phrase without articles and adjectives, whose endings show the case."""
    words = phrase.split()
    while len(words) > 1 and words[0][:1].islower():
        words.pop(0)
    return " ".join(words)
