"""Base classes and shared types of request and response schemas."""

from typing import Annotated, Any, Generic, TypeVar

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from impasto_server.db.text_normalization import without_bidi_controls

MAX_DEPTH = 100
Item = TypeVar("Item")
_CONTAINERS = frozenset((dict, list))
Money = Annotated[str, Field(description="US dollars as a decimal string", examples=["0.0421"])]


def money(amount: Any) -> str:
    """Return an amount as a decimal string with at most 8 decimals and no trailing zeros."""
    return f"{float(amount):.8f}".rstrip("0").rstrip(".")


def without_nul(text: str) -> str:
    """Return the text without NUL, which PostgreSQL cannot store."""
    return text.replace("\0", "")


def plain_text(text: str) -> str:
    """Return the text without NUL and without bidi controls, for names and whatever is shown in lists."""
    return without_bidi_controls(without_nul(text))


def storable(value: Any) -> Any:
    """Return the JSON value if the server can store it: not too deep, and serializable.

    Raises PydanticCustomError.
    """
    level, depth = [value], 0
    while level := _containers_inside(level):
        depth += 1
        if depth > MAX_DEPTH:
            raise PydanticCustomError(
                "too_deep", "This is nested too deeply: the limit is {max} levels.", {"max": MAX_DEPTH}
            )
    try:
        orjson.dumps(value)
    except TypeError as error:
        sentence = "This contains a number or a character that JSON cannot represent."
        raise PydanticCustomError("not_json", sentence) from error
    return value


def _containers_inside(level: list[Any]) -> list[Any]:
    """Return the objects and lists directly inside of those in `level`."""
    found: list[Any] = []
    for outer in level:
        if isinstance(outer, dict):
            found += [item for item in outer.values() if type(item) in _CONTAINERS]
        elif isinstance(outer, list):
            found += [item for item in outer if type(item) in _CONTAINERS]
    return found


Json = Annotated[dict[str, Any], AfterValidator(storable)]
PlainText = Annotated[str, AfterValidator(plain_text)]


class RequestModel(BaseModel):
    """Base of request bodies: unknown keys are refused and types are not coerced."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ResponseModel(BaseModel):
    """Base of response bodies: every key is documented and always present."""

    model_config = ConfigDict(
        extra="forbid", from_attributes=True, json_schema_serialization_defaults_required=True
    )


class Page(BaseModel, Generic[Item]):
    """One page of a list."""

    model_config = ConfigDict(extra="forbid")

    items: list[Item]
    next_cursor: str | None = Field(
        description="Pass this as `cursor` to get the next page; null on the last page."
    )
