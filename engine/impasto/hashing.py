"""Step keys: what must be equal for a step's result to be used again.

A key is a hash of the node type's id and version, its canonical settings, and the content of its
inputs: never of ids, titles, positions or the order of dict keys. Media count by their content hash.
"""

import json
import re
import typing as t
from collections.abc import Iterable
from hashlib import blake2b

import orjson

from impasto.types import encode, to_json

OPTIONS: t.Final = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS
_write: t.Final = orjson.dumps
_tagged: t.Final = encode
_fresh: t.Final = blake2b(digest_size=16).copy  # cheaper than making one
NOTHING: t.Final = b"\0" * 17
OPENS: t.Final = b"\1"  # around the values that meet at one port: no stand-in begins with these
ENDS: t.Final = b"\2"
# Looked for with `find`: `in` makes an error for every bytes that it is given, and drops it.
TAG: t.Final = b'"$type"'
_SHORT: t.Final = 32
_BRIEF: t.Final = 80
_ROOMY: t.Final = 2**16
_LONG: t.Final = re.compile(rb"\d{19}").search


def digest(data: bytes) -> bytes:
    """Sixteen bytes that stand for the data."""
    found = _fresh()
    found.update(data)
    return found.digest()


def step_key(told: bytes) -> bytes:
    """The key of a step of which this is told: short words for themselves, longer by their hash."""
    return told if 16 < len(told) <= _BRIEF else digest(told)


def fixed(key: bytes) -> bytes:
    """Sixteen bytes that stand for a step's key, however long it is."""
    return key if len(key) == 16 else digest(key)


def snug(dumped: bytes) -> bytes:
    """What orjson wrote, to be kept: the same bytes without the 4 KiB of room that it leaves behind them."""
    return b"%b" % dumped if len(dumped) < _ROOMY else dumped


def written(value: t.Any) -> bytes:
    """A value's canonical JSON, if orjson can write it: TypeError, ValueError or RecursionError if not."""
    return snug(_write(value, _tagged, OPTIONS))


def dumps(value: t.Any) -> bytes:
    """A value's canonical JSON, tags and all."""
    try:
        return written(value)
    except TypeError:
        # Whole numbers beyond 64 bits, and keys that are not text, are beyond orjson.
        return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def loads(dumped: bytes) -> t.Any:
    """The plain data that `dumps` wrote: whole numbers of any size are exact, which orjson alone is not."""
    return json.loads(dumped) if has_long_number(dumped) else orjson.loads(dumped)


def has_long_number(dumped: bytes) -> bool:
    """Whether orjson may not read all of it exactly."""
    return len(dumped) >= 19 and _LONG(dumped) is not None


def stand_in(dumped: bytes) -> bytes:
    """What stands in a key for plain data: short JSON for itself, longer by its hash.

    JSON holds no NUL: it ends the one and begins the other, so a row of stand-ins can be read one way only.
    """
    return dumped + b"\0" if len(dumped) <= _SHORT else b"\0" + digest(dumped)


def content_hash(dumped: bytes) -> bytes:
    """What stands in a key for a value, by its canonical JSON; assets count by content, not by id."""
    if dumped.find(TAG) >= 0:
        dumped = orjson.dumps(_content_only(orjson.loads(dumped)), option=orjson.OPT_SORT_KEYS)
    return stand_in(dumped)


def _content_only(data: t.Any) -> t.Any:
    if isinstance(data, list):
        return [_content_only(item) for item in data]
    if not isinstance(data, dict):
        return data
    if data.get("$type") and data.get("sha256"):
        return {"$type": data["$type"], "sha256": data["sha256"], "media_type": data.get("media_type")}
    return {key: _content_only(item) for key, item in data.items()}


def type_key(type_id: str, version: int, ports: Iterable[str]) -> bytes:
    """The part of a key that all steps of a node type share."""
    return digest("\0".join((type_id, str(version), *ports)).encode())


def static_key(type_part: bytes, settings: dict[str, t.Any]) -> bytes:
    """The part of a key that is known when the flow is compiled: the type and the settings."""
    dumped = dumps(settings)
    return digest(type_part + content_hash(dumped) if b'"$type"' in dumped else type_part + dumped)
