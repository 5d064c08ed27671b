"""Suggestions in the hints of problems, bounded so that a flow of many mistakes compiles in linear time."""

from collections.abc import Iterable, Sequence

_MAX_NAME_LENGTH = 40
_MAX_COMPARISONS = 2000  # of one compilation
_MAX_LISTED = 30
_MAX_SHOWN_LENGTH = 100


class Suggestions:
    """Finds similar names during one compilation, until it has compared `_MAX_COMPARISONS` of them."""

    def __init__(self) -> None:
        self._left = _MAX_COMPARISONS

    def closest(self, name: str, names: Sequence[str]) -> str | None:
        """Return the most similar name; None if none is similar or the search would take too long."""
        from difflib import get_close_matches

        if len(name) > _MAX_NAME_LENGTH or len(names) > self._left:
            return None
        self._left -= len(names)
        return next(iter(get_close_matches(name, names, 1)), None)


def listed(names: Iterable[str]) -> str:
    """Return the names in one line: the first thirty, and how many more there are; "none" if empty."""
    found = list(names)
    if not found:
        return "none"
    more = f" and {len(found) - _MAX_LISTED:,} more" if len(found) > _MAX_LISTED else ""
    return ", ".join(_shortened(name) for name in found[:_MAX_LISTED]) + more


def _shortened(name: str) -> str:
    return name if len(name) <= _MAX_SHOWN_LENGTH else f"{name[:_MAX_SHOWN_LENGTH]}…"
