"""Request and response bodies of API keys."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from impasto_server.http.schemas import Page, PlainText, RequestModel, ResponseModel

Scope = Literal["run", "read"]
DEFAULT_DAYS = 90


class ApiKeyCreate(RequestModel):
    """A new key. Scope `read` reads what its user can read; `run` can also launch agents."""

    name: Annotated[PlainText, Field(min_length=1, max_length=80, pattern=r"[^\s\x00]")]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=2)]
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = Field(
        default=DEFAULT_DAYS, description="Days until the key expires; null for a key that does not expire."
    )


class ApiKey(ResponseModel):
    """A key without its secret."""

    id: str
    name: str
    scopes: list[Scope]
    last_four: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None


class ApiKeyCreated(ApiKey):
    """A new key, with its secret."""

    key: str


class ApiKeyPage(Page[ApiKey]):
    """The user's keys, newest first."""
