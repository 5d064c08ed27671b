"""Request and response bodies of provider keys. Responses have the last four characters only."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from impasto_server.http.schemas import Page, RequestModel, ResponseModel


class CredentialPut(RequestModel):
    """A provider's key."""

    key: Annotated[str, Field(min_length=8, max_length=4096, pattern=r"^[!-~]+$")]


class Credential(ResponseModel):
    """A stored key, without the key itself."""

    provider: str
    last_four: str
    updated_at: datetime


class CredentialPage(Page[Credential]):
    """The providers that the user has stored a key for."""
