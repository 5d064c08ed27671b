"""Signed URLs of private files: short-lived, so that `<img>` and `<video>` can load them without a token."""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request

from impasto_server.container import AppStateDep
from impasto_server.http.errors import Forbidden
from impasto_server.security.crypto import Encryptor
from impasto_server.utils import Clock

PERIOD_SECONDS = 3600
_PURPOSE = "file address"


class SignatureInvalid(Forbidden):
    """The signature of a URL is forged or expired."""

    code, title = "link_expired", "URL expired"

    def __init__(self) -> None:
        super().__init__("This URL has expired. Reload the page to get a new one.")


def sign_url(encryptor: Encryptor, path: str, now: datetime) -> str:
    """Return `path` with a signature that is valid for one to two hours.

    The URL is the same for an hour, so that caches work.
    """
    expires = (int(now.timestamp()) // PERIOD_SECONDS + 2) * PERIOD_SECONDS
    return f"{path}?expires={expires}&signature={encryptor.sign(f'{path} {expires}', _PURPOSE)}"


def verify_url(encryptor: Encryptor, clock: Clock, path: str, expires: int, signature: str) -> None:
    """Raise `SignatureInvalid` unless the signature is valid and not expired."""
    if expires <= clock().timestamp() or not encryptor.verify(f"{path} {expires}", signature, _PURPOSE):
        raise SignatureInvalid


async def _signature(
    request: Request,
    app_state: AppStateDep,
    expires: Annotated[
        int | None, Query(description="Expiry of the signature, in seconds since 1970")
    ] = None,
    signature: Annotated[str | None, Query(description="Signature of the path and `expires`")] = None,
) -> bool:
    if expires is None and signature is None:
        return False
    verify_url(app_state.encryptor, app_state.clock, request.url.path, expires or 0, signature or "")
    return True


HasSignature = Annotated[bool, Depends(_signature)]
