"""Step keys: two steps with equal keys give equal results, so one result serves both.

A key hashes the node type's id and version, its canonical settings and the content of its inputs. It does
not depend on ids, titles, positions or the order of object keys. Media count by their content hash.
"""

import typing as t
from collections.abc import Iterable

from impasto.hashing import canonical_json, digest, parse_json

# Markers inside a key's content. No value's digest begins with these bytes, so a key reads one way only.
NO_VALUE: t.Final = b"\0" * 17
LIST_START: t.Final = b"\1"  # around the values that several edges bring to one port
LIST_END: t.Final = b"\2"
# Searched for with `find`: `in` raises and drops an exception internally for every bytes argument.
TYPE_TAG: t.Final = b'"$type"'
_MAX_INLINE_VALUE: t.Final = 32
_MAX_INLINE_KEY: t.Final = 80


def step_key(content: bytes) -> bytes:
    """Return the key for this content: short content as it is, longer content by its digest.

    Only for keys that stay within a run. A cache is asked with `digest(content)`, which has a fixed length.
    """
    return content if 16 < len(content) <= _MAX_INLINE_KEY else digest(content)


def key_digest(key: bytes) -> bytes:
    """Return 16 bytes that identify a step key of any length."""
    return key if len(key) == 16 else digest(key)


def short_digest(dumped: bytes) -> bytes:
    """Return what represents canonical JSON inside a key: the JSON itself if it is short, else its digest.

    JSON contains no NUL. It ends the inline form and begins the digest, so that a concatenation of both
    forms is unambiguous.
    """
    return dumped + b"\0" if len(dumped) <= _MAX_INLINE_VALUE else b"\0" + digest(dumped)


def content_hash(dumped: bytes) -> bytes:
    """Return what represents a value inside a key, given its canonical JSON; assets count by content."""
    if dumped.find(TYPE_TAG) != -1:
        dumped = canonical_json(_without_asset_ids(parse_json(dumped)))
    return short_digest(dumped)


def _without_asset_ids(data: t.Any) -> t.Any:
    if isinstance(data, list):
        return [_without_asset_ids(item) for item in data]
    if not isinstance(data, dict):
        return data
    if data.get("$type") and data.get("sha256"):
        return {"$type": data["$type"], "sha256": data["sha256"], "media_type": data.get("media_type")}
    return {key: _without_asset_ids(item) for key, item in data.items()}


def type_key(type_id: str, version: int, ports: Iterable[str]) -> bytes:
    """Return the part of a key that all steps of one node type with these input ports share."""
    return digest("\0".join((type_id, str(version), *ports)).encode())


def static_key(type_part: bytes, settings: dict[str, t.Any]) -> bytes:
    """Return the part of a key that is known at compile time: the type and the settings.

    Raises TypeError, ValueError or RecursionError if the settings have no JSON form.
    """
    dumped = canonical_json(settings)
    return digest(type_part + content_hash(dumped) if TYPE_TAG in dumped else type_part + dumped)
