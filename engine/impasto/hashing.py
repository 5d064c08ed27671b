"""Digests and canonical JSON: the bytes that step keys, journals and documents are made of.

Canonical JSON has sorted object keys and no spaces, so equal values give equal bytes.
"""

import json
import re
import typing as t
from hashlib import blake2b

import orjson

from impasto.encoding import encode, to_json

_CANONICAL: t.Final = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS
_new_hash: t.Final = blake2b(digest_size=16).copy  # cheaper than constructing one
_MAX_COPIED: t.Final = 2**16
LONG_INTEGER_DIGITS: t.Final = 19
_LONG_INTEGER: t.Final = re.compile(rb"\d{%d}" % LONG_INTEGER_DIGITS).search


def digest(data: bytes) -> bytes:
    """Return the 16-byte BLAKE2b digest of the data."""
    found = _new_hash()
    found.update(data)
    return found.digest()


def copy_exact(dumped: bytes) -> bytes:
    """Return the bytes without orjson's spare capacity (about 4 KiB), for data that is kept in memory."""
    return b"%b" % dumped if len(dumped) < _MAX_COPIED else dumped


def fast_canonical_json(value: t.Any) -> bytes:
    """Return a value's canonical JSON as orjson writes it.

    Raises TypeError, ValueError or RecursionError where orjson cannot: integers beyond 64 bits, keys that
    are not strings, values that are neither JSON nor of a value type.
    """
    dumped = orjson.dumps(value, encode, _CANONICAL)
    return b"%b" % dumped if len(dumped) < _MAX_COPIED else dumped  # copy_exact without another call


def canonical_json(value: t.Any) -> bytes:
    """Return a value's canonical JSON, with integers of any size and keys of any type.

    Raises TypeError or ValueError for values that have no JSON form.
    """
    try:
        return fast_canonical_json(value)
    except TypeError:
        return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def parse_json(dumped: bytes) -> t.Any:
    """Parse JSON into plain data. Integers of any size are exact, which orjson alone does not promise."""
    return json.loads(dumped) if has_long_integer(dumped) else orjson.loads(dumped)


def has_long_integer(dumped: bytes) -> bool:
    """Return whether the JSON may hold an integer that orjson cannot represent exactly."""
    return len(dumped) >= LONG_INTEGER_DIGITS and _LONG_INTEGER(dumped) is not None
