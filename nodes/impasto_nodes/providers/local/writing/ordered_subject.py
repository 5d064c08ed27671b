"""The subject that an order names, as it stands on its own."""

import re

from impasto_nodes.providers.local.writing.base_forms import german, polish
from impasto_nodes.providers.local.writing.grammar import Grammar
from impasto_nodes.providers.local.writing.sentences import split_parts

_OPEN_WITH = {
    "do": "o",
    "da": "a",
    "dos": "os",
    "das": "as",
    "del": "el",
    "du": "le",
    "de la": "la",
    "des": "les",
}
"""The article that is left of a Romance contraction when its preposition goes with the order."""
_ITALIAN_ARTICLES = {
    "del": "il ",
    "della": "la ",
    "dello": "lo ",
    "dei": "i ",
    "delle": "le ",
    "degli": "gli ",
}


def preposition_of(order: re.Match[str]) -> str:
    """Return the "for" at the end of an order, or "" if it ends with another word."""
    last = order[0].split()[-1].casefold() if order[0].split() else ""
    return last if last in {"for", "für", "para", "pour"} else ""


def in_base_form(order: re.Match[str], rest: str, grammar: Grammar) -> str:
    """Return what follows an order as it stands on its own: in the nominative, with its article."""
    groups = order.groupdict()
    for name in ("case", "genitive", "object"):
        if grammar.base_form and groups.get(name) is not None:
            return _inflected(groups[name].lower(), name, rest, grammar)
    if groups.get("acc") is not None or groups.get("acc2") is not None:
        return german.nominative(rest)
    if groups.get("dat"):
        return german.without_modifiers(rest)
    if groups.get("de"):
        article = _OPEN_WITH.get(groups["de"].casefold(), "l'" if "l" in groups["de"].casefold() else "")
        return f"{article} {rest}".replace("l' ", "l'").strip()
    if groups.get("di"):
        return _ITALIAN_ARTICLES.get(groups["di"].strip().casefold(), "l'") + rest
    if groups.get("gen") is not None or groups.get("gen2") is not None:
        return _name_in(rest, groups.get("gen") or "", grammar)
    if groups.get("owner") is not None:
        return german.from_genitive(rest) if grammar.code == "de" else _name_in(rest, "dla", grammar)
    if groups.get("lam"):
        return f"ال{rest[1:]}" if rest.startswith("ل") else rest
    return rest


def _inflected(preposition: str, name: str, phrase: str, grammar: Grammar) -> str:
    """Return a phrase in the nominative; where that is not certain, from its quoted name on, or as it was."""
    base = grammar.base_form(preposition or name, phrase) if grammar.base_form else ""
    if base:
        return base
    named = re.search('[«„“"]', split_parts(phrase)[0])
    return phrase[named.start() :] if named else f"{preposition} {phrase}".strip()


def _name_in(phrase: str, preposition: str, grammar: Grammar) -> str:
    """Return a Polish phrase from its first name on, which is not inflected.

    A name after a preposition is inflected. Without another name the phrase is in the nominative, or with its
    preposition if that is not certain.
    """
    words = split_parts(phrase)[0].split()
    names = (at for at, word in enumerate(words[:4]) if word[:1].isupper())
    start = next((at for at in names if not at or words[at - 1] not in grammar.cuts), None)
    if start is None:
        return polish.nominative(preposition, phrase) or f"{preposition} {phrase}".strip()
    return " ".join(phrase.split()[start:])
