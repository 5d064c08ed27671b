"""Whether data is JSON through and through: what is not would be another thing after it was kept."""

import json
import typing as t

import orjson

from impasto.types import encode, to_json

_TOO_DEEP = "it is nested too deeply"


def why_not_json(value: t.Any) -> str | None:
    """What keeps the value from being written as JSON and read again unchanged; None if nothing does."""
    try:
        dumped = orjson.dumps(value, encode, orjson.OPT_PASSTHROUGH_DATACLASS)
        if b"null" in dumped:
            # What is no number (NaN, infinity) is written as null: looked for only where there is one.
            json.dumps(value, allow_nan=False, default=encode)
    except RecursionError:
        return _TOO_DEEP
    except (TypeError, ValueError) as error:
        return _sentence(str(error))
    return None


def shown(value: t.Any) -> t.Any:
    """The JSON data of something that is only shown; TypeError if it has none."""
    return orjson.loads(orjson.dumps(to_json(value)))


def _sentence(said: str) -> str:
    if "ecursion" in said:
        return _TOO_DEEP
    if "64-bit" in said:
        return "it holds a whole number of more than 64 bits"
    if "JSON serializable" in said or "neither JSON" in said:
        return "it holds something that is not JSON"
    if "surrogates" in said:
        return "it holds a text with half a character (a lone surrogate)"
    if "JSON compliant" in said:
        return "it holds a number that is not finite"
    if "key must be str" in said:
        return "it holds an object whose keys are not texts"
    return f"it holds something that is not JSON ({said})"
