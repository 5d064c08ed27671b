"""Reuse by what was read: the keys of steps with tracked inputs.

Such a step has a base key, which its tracked values are no part of. Under it the cache keeps sets of paths:
what the step has read in earlier runs. A set and the present values of its paths make the key of a result.
A function that gets equal values where it reads takes the same way, so equal keys mean equal results.
"""

import typing as t
from collections.abc import Iterable, Sequence

import orjson

from impasto.cache.keys import content_hash
from impasto.hashing import canonical_json, digest
from impasto.serialization import json_error
from impasto.tracking import EVERYTHING, WHOLE, field_at

_MAX_SETS: t.Final = 8  # a function that reads in more ways than this misses some reuse
_BASE: t.Final = b"\3"  # no other key's content begins with this byte


def base_key(content: bytes) -> bytes:
    """Return the base key for a step's content without its tracked values."""
    return digest(_BASE + digest(content))


def result_key(base: bytes, paths: frozenset[str], values: Sequence[t.Any]) -> bytes | None:
    """Return the key of the result that reads these paths of the values.

    None if there is no such key: everything was read, or a path leads to what has no JSON form.
    """
    if paths == EVERYTHING:
        return None
    parts = [base]
    for path in sorted(paths):
        found = _content(path, values)
        if found is None:
            return None
        parts += (canonical_json(path), found)
    return digest(b"".join(parts))


def _content(path: str, values: Sequence[t.Any]) -> bytes | None:
    place = field_at(path, values)
    if place is None:
        return None
    value, field = place
    try:
        found = value if field == WHOLE else getattr(value, field)
        dumped = canonical_json(found)
    except Exception:  # noqa: BLE001 - a property of a plugin's class may raise anything
        return None
    if b"null" in dumped and json_error(found) is not None:
        return None
    return digest(type(found).__qualname__.encode() + b"\0" + content_hash(dumped))


def load_sets(body: bytes | None) -> list[frozenset[str]]:
    """Return the sets of paths that the cache has under a base key, those used last first."""
    try:
        found = orjson.loads(body)["reads"] if body is not None else []
        return [frozenset(paths) for paths in found]
    except (ValueError, TypeError, KeyError):
        return []


def with_set(body: bytes | None, paths: Iterable[str]) -> bytes | None:
    """Return what the cache should have under a base key once these paths were read; None if it has it."""
    known, new = load_sets(body), frozenset(paths)
    if known and known[0] == new:
        return None
    sets = [new, *(each for each in known if each != new)][:_MAX_SETS]
    return orjson.dumps({"reads": [sorted(each) for each in sets]})
