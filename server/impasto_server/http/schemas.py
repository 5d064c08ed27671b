"""What every schema on the wire shares: strict requests and documented answers."""

from typing import Annotated, Any

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

DEEPEST = 100
Money = Annotated[str, Field(description="US dollars as a decimal string", examples=["0.0421"])]


def money(amount: Any) -> str:
    """Return an amount as a decimal string without noise."""
    text = f"{float(amount):.8f}".rstrip("0").rstrip(".")
    return text or "0"


def without_nul(text: str) -> str:
    """Return the text without the one character that no database column takes."""
    return text.replace("\0", "")


def storable(value: Any) -> Any:
    """Return JSON that every part of the server can hold. Raises what pydantic reports, in words."""
    level, depth = [value], 0
    while level := [inner for outer in level for inner in _inside(outer)]:
        depth += 1
        if depth > DEEPEST:
            raise PydanticCustomError(
                "too_deep", "This is nested too deeply: at most {most} levels are taken.", {"most": DEEPEST}
            )
    try:
        orjson.dumps(value)
    except TypeError as error:
        sentence = "This holds a number or a character that JSON cannot carry."
        raise PydanticCustomError("not_json", sentence) from error
    return value


def _inside(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [item for item in inner if isinstance(item, dict | list)]


Json = Annotated[dict[str, Any], AfterValidator(storable)]
PlainText = Annotated[str, AfterValidator(without_nul)]


class RequestModel(BaseModel):
    """A body that a client sends: no unknown key, no coercion."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ResponseModel(BaseModel):
    """A body that the server sends: every key of it is documented and present."""

    model_config = ConfigDict(
        extra="forbid", from_attributes=True, json_schema_serialization_defaults_required=True
    )
