"""Request bodies of a change of the e-mail address."""

from pydantic import Field

from impasto_server.http.schemas import RequestModel
from impasto_server.identity.passwords import MAX_LENGTH
from impasto_server.identity.schemas import Email, LinkToken


class EmailChange(RequestModel):
    """The new address, and the password that confirms the request."""

    email: Email
    password: str = Field(max_length=MAX_LENGTH)


class ConfirmEmailChange(RequestModel):
    """The new address and the code that was sent to it."""

    email: Email
    code: str = Field(max_length=64)
    token: LinkToken = ""
