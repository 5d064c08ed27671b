"""Whether a value survives a round trip through JSON, and why not."""

import json
import typing as t

import orjson

from impasto.encoding import encode
from impasto.hashing import canonical_json, has_long_integer, parse_json

_TOO_DEEP = "it is nested too deeply"


def json_error(value: t.Any) -> str | None:
    """Return why the value cannot be written as JSON and read back unchanged; None if it can.

    The reason is a clause without a full stop: "it holds a number that is not finite".
    """
    try:
        dumped = orjson.dumps(value, encode, orjson.OPT_PASSTHROUGH_DATACLASS)
        if b"null" in dumped:
            # orjson writes NaN and infinity as null: the slow check is only needed where there is a null.
            json.dumps(value, allow_nan=False, default=encode)
    except RecursionError:
        return _TOO_DEEP
    except (TypeError, ValueError) as error:
        return _reason(str(error))
    return None


def read_json(text: str | bytes) -> t.Any:
    """Return the data in a JSON text, with exact integers of any size. Raises ValueError if it is no JSON."""
    dumped = text.encode() if isinstance(text, str) else text
    found = orjson.loads(dumped)  # also refuses what `json` takes, such as NaN
    try:
        return parse_json(dumped) if has_long_integer(dumped) else found
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def json_data(value: t.Any) -> t.Any:
    """Return the value as plain JSON data. Raises TypeError or ValueError if it has no JSON form."""
    return parse_json(canonical_json(value))


def _reason(message: str) -> str:
    if "ecursion" in message:
        return _TOO_DEEP
    if "64-bit" in message:
        return "it holds an integer of more than 64 bits"
    if "JSON serializable" in message or "neither JSON" in message:
        return "it holds something that is not JSON"
    if "surrogates" in message:
        return "it holds text with a lone surrogate (half a character)"
    if "JSON compliant" in message:
        return "it holds a number that is not finite"
    if "key must be str" in message:
        return "it holds an object whose keys are not text"
    return f"it holds something that is not JSON ({message})"
