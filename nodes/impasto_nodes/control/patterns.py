"""Regular expressions of users, matched in linear time."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jsonschema_rs

MAX_PATTERN_LENGTH = 1_000
_MAX_COMPILED_BYTES = 2**18


def pattern_error(pattern: str, *, match_case: bool) -> str:
    """Return why this is not a regular expression that runs in linear time, or an empty text."""
    import jsonschema_rs

    if len(pattern) > MAX_PATTERN_LENGTH:
        return f"it is longer than {MAX_PATTERN_LENGTH:,} characters"
    try:
        _matcher(pattern, match_case)
    except (jsonschema_rs.ValidationError, ValueError):
        return "it is malformed, too large, or uses look-around or back-references"
    return ""


def matches(pattern: str, text: str, *, match_case: bool) -> bool:
    """Return whether a pattern that has no `pattern_error` matches anywhere in the text."""
    return bool(_matcher(pattern, match_case).is_valid(text))


@lru_cache(maxsize=256)
def _matcher(pattern: str, match_case: bool) -> "jsonschema_rs.Draft202012Validator":
    """Return a validator of texts: jsonschema-rs matches with the `regex` crate, which does not backtrack."""
    import jsonschema_rs

    options = jsonschema_rs.RegexOptions(size_limit=_MAX_COMPILED_BYTES)
    schema = {"type": "string", "pattern": pattern if match_case else f"(?i){pattern}"}
    return jsonschema_rs.Draft202012Validator(schema, pattern_options=options)
