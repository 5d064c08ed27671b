"""Reads why a value does not fit a setting out of the sentences of msgspec, which has no codes."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from impasto.errors import Reason

_TYPES = {
    "str": ("text", "text"),
    "int": ("integer", "a whole number"),
    "float": ("number", "a number"),
    "bool": ("boolean", "true or false"),
    "array": ("list", "a list"),
    "object": ("object", "an object"),
    "null": ("nothing", "nothing"),
}


def reason_of(sentence: str) -> Reason:
    """Return the reason that a message of msgspec states, without its path; "other" for an unknown one."""
    for pattern, read in _PATTERNS:
        if found := re.fullmatch(pattern, sentence):
            code, parameters = read(*found.groups())
            return Reason(code, _plain_words(sentence), parameters)
    return Reason("other", _plain_words(sentence))


def wrong_type(expected: str, found: str) -> Reason:
    """Return the reason of a value of another type; both are value types, such as "Image"."""
    return Reason("wrong_type", f"expected {expected}, got {found}", {"expected": expected, "found": found})


def _types(expected: str, found: str) -> tuple[str, Mapping[str, Any]]:
    return "wrong_type", {"expected": _type(expected), "found": _type(found)}


def _type(names: str) -> str:
    """Return the types by their codes; a type that may be empty has the code of what it holds."""
    codes = [_TYPES[name][0] if name in _TYPES else name for name in names.split(" | ")]
    return " | ".join([code for code in codes if code != "nothing"] or codes)


def _plain_words(sentence: str) -> str:
    """Replace msgspec's type names by words for the flow's author."""
    if not sentence.startswith("Expected"):
        return sentence.replace("`", "'")
    return re.sub("`(.*?)`", _words, sentence).replace("Expected", "expected")


def _words(types: re.Match[str]) -> str:
    names = types[1].split(" | ")
    if any(name not in _TYPES for name in names):
        return f"'{types[1]}'"
    return " or ".join(_TYPES[name][1] for name in names)


_Read = Callable[..., tuple[str, Mapping[str, Any]]]
_PATTERNS: tuple[tuple[str, _Read], ...] = (
    (r"Expected `(.+?)`, got `(\w+)`", _types),
    (r"Invalid enum value .+", lambda: ("not_a_choice", {})),
    (r"Object missing required field `(.+)`", lambda name: ("missing_field", {"name": name})),
    (r"Object contains unknown field `(.+)`", lambda name: ("unknown_field", {"name": name})),
)
