"""What every schema on the wire shares: strict requests and documented answers."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Money = Annotated[str, Field(description="US dollars as a decimal string", examples=["0.0421"])]


def money(amount: Any) -> str:
    """Return an amount as a decimal string without noise."""
    text = f"{float(amount):.8f}".rstrip("0").rstrip(".")
    return text or "0"


def without_nul(text: str) -> str:
    """Return the text without the one character that no database column takes."""
    return text.replace("\0", "")


PlainText = Annotated[str, AfterValidator(without_nul)]


class Request(BaseModel):
    """A body that a client sends: no unknown key, no coercion."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Answer(BaseModel):
    """A body that the server sends: every key of it is documented and present."""

    model_config = ConfigDict(
        extra="forbid", from_attributes=True, json_schema_serialization_defaults_required=True
    )
