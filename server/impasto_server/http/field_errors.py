"""The sentences of invalid request fields, in place of the messages of the validation library."""

import re
from collections.abc import Callable, Mapping
from typing import Any

_NOT_AN_OBJECT = "Send a JSON object, with Content-Type: application/json."
_PREFIX = re.compile(r"^(Value error|Assertion failed), ")
_BY_PATTERN: dict[str, str] = {
    # Of names: any character but white space.
    r"[^\s\x00]": "must not be empty.",
    # Of provider keys: what a header of HTTP can hold.
    r"^[!-~]+$": "must be ASCII letters, digits and signs without spaces: copy it again.",
}

_BY_TYPE: dict[str, str] = {
    "missing": "is required.",
    "extra_forbidden": "is not a known field.",
    "string_type": "must be text.",
    "string_unicode": "has characters that are not valid Unicode.",
    "list_type": "must be a list.",
    "set_type": "must be a list.",
    "tuple_type": "must be a list.",
    "dict_type": "must be an object.",
    "model_type": "must be an object.",
    "model_attributes_type": "must be an object.",
    "finite_number": "must be a finite number.",
    "none_required": "must be null.",
    "greater_than_equal": "must be at least {ge}.",
    "greater_than": "must be more than {gt}.",
    "less_than_equal": "must be at most {le}.",
    "less_than": "must be less than {lt}.",
    "literal_error": "must be {expected}.",
    "enum": "must be {expected}.",
}
# Types that share a prefix, such as int_type, int_parsing and int_from_float.
_BY_PREFIX: dict[str, str] = {
    "int_": "must be a whole number.",
    "float_": "must be a number.",
    "decimal_": "must be a number.",
    "bool_": "must be true or false.",
    "datetime_": "must be a date and time, such as 2026-01-31T09:00:00Z.",
    "timezone_": "must be a date and time with a time zone, such as 2026-01-31T09:00:00Z.",
    "date_": "must be a date, such as 2026-01-31.",
    "url_": "must be a URL, such as https://example.com.",
    "uuid_": "must be a UUID.",
}


def describe_field_error(item: Mapping[str, Any]) -> dict[str, str]:
    """Return the path, code and sentence of a validation error, as problem documents list them."""
    location = item["loc"][1:] if len(item["loc"]) > 1 else item["loc"]
    path = ".".join(str(key) for key in location)
    kind = str(item["type"])
    if kind == "model_attributes_type" and len(item["loc"]) == 1:
        return {"path": path, "code": "not_an_object", "message": _NOT_AN_OBJECT}
    predicate = _predicate(kind, item)
    message = f"{_label(location)} {predicate}" if predicate else _PREFIX.sub("", str(item["msg"]))
    return {"path": path, "code": kind, "message": message}


def _predicate(kind: str, item: Mapping[str, Any]) -> str | None:
    """Return what the field must be; None if the message of the error is a sentence already."""
    context = item.get("ctx", {})
    if (describe := _DESCRIBED.get(kind)) is not None:
        # Without values it is an error of our own validators, which has a sentence.
        return describe(context, isinstance(item.get("input"), str)) if context else None
    if (template := _BY_TYPE.get(kind)) is not None:
        return template.format_map(context)
    return next((text for prefix, text in _BY_PREFIX.items() if kind.startswith(prefix)), None)


def _too_short(context: Mapping[str, Any], is_text: bool) -> str:
    minimum = context["min_length"]
    if minimum == 1:
        return "must not be empty."
    return f"must be at least {minimum} characters." if is_text else f"must have at least {minimum} items."


def _too_long(context: Mapping[str, Any], is_text: bool) -> str:
    maximum = context["max_length"]
    unit = "character" if is_text else "item"
    return f"must {'be' if is_text else 'have'} at most {maximum} {unit}{'' if maximum == 1 else 's'}."


def _mismatch(context: Mapping[str, Any], _is_text: bool) -> str:
    return _BY_PATTERN.get(context["pattern"], "has an invalid form.")


_DESCRIBED: dict[str, Callable[[Mapping[str, Any], bool], str]] = {
    "too_short": _too_short,
    "string_too_short": _too_short,
    "too_long": _too_long,
    "string_too_long": _too_long,
    "string_pattern_mismatch": _mismatch,
}


def _label(location: tuple[str | int, ...]) -> str:
    """Return the name of a field for people: "First name" for `first_name`, "Tags" for `tags.0`."""
    name = next((key for key in reversed(location) if isinstance(key, str)), "")
    words = name.replace("_", " ").strip() or "the value"
    return words[0].upper() + words[1:]
