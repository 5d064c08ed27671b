"""API keys on the wire: the key itself is shown once."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from impasto_server.http.pagination import Page
from impasto_server.http.schemas import PlainText, RequestModel, ResponseModel

Scope = Literal["run", "read"]


class ApiKeyCreate(RequestModel):
    """A new key: `read` sees what its user sees, `run` also launches agents."""

    name: Annotated[PlainText, Field(min_length=1, max_length=80, pattern=r"[^\s\x00]")]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=2)]
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = None


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
    """A new key: the only answer that holds its secret."""

    key: str


class ApiKeyPage(Page[ApiKey]):
    """One's keys, newest first."""
