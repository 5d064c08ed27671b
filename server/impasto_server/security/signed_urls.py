"""Signed addresses of files: short-lived, so that `<img>` and `<video>` can load what is private."""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request

from impasto_server.container import AppStateDep
from impasto_server.http.errors import Forbidden
from impasto_server.security.crypto import Encryptor
from impasto_server.utils import Clock

LIFE_SECONDS = 3600
_PURPOSE = "file address"


class SignatureInvalid(Forbidden):
    """An address whose signature is forged or has expired."""

    code, title = "link_expired", "This address has expired"

    def __init__(self) -> None:
        super().__init__("This address has expired. Reload the page for a fresh one.")


def sign_url(encryptor: Encryptor, path: str, now: datetime) -> str:
    """Return `path` with a signature that lasts one to two hours; stable within an hour, so caches work."""
    expires = (int(now.timestamp()) // LIFE_SECONDS + 2) * LIFE_SECONDS
    return f"{path}?expires={expires}&signature={encryptor.sign(f'{path} {expires}', _PURPOSE)}"


def verify_url(encryptor: Encryptor, clock: Clock, path: str, expires: int, signature: str) -> None:
    """Raise `SignatureInvalid` unless the signature is ours and still good."""
    if expires <= clock().timestamp() or not encryptor.verify(f"{path} {expires}", signature, _PURPOSE):
        raise SignatureInvalid


def _signature(
    request: Request,
    app_state: AppStateDep,
    expires: Annotated[int | None, Query(description="When the address ends, in epoch seconds")] = None,
    signature: Annotated[str | None, Query(description="Ours, over the path and `expires`")] = None,
) -> bool:
    if expires is None and signature is None:
        return False
    verify_url(app_state.encryptor, app_state.clock, request.url.path, expires or 0, signature or "")
    return True


HasSignature = Annotated[bool, Depends(_signature)]
