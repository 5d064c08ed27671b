"""Signed addresses of files: short-lived, so that `<img>` and `<video>` can load what is private."""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request

from impasto_server.container import AppStateDep
from impasto_server.db.clock import Clock
from impasto_server.http.errors import Forbidden
from impasto_server.security.crypto import Vault

LIFE_SECONDS = 3600
_PURPOSE = "file address"


class LinkRefused(Forbidden):
    """An address whose signature is forged or has expired."""

    code, title = "link_expired", "This address has expired"

    def __init__(self) -> None:
        super().__init__("This address has expired. Reload the page for a fresh one.")


def signed_link(vault: Vault, path: str, now: datetime) -> str:
    """Return `path` with a signature that lasts one to two hours; stable within an hour, so caches work."""
    expires = (int(now.timestamp()) // LIFE_SECONDS + 2) * LIFE_SECONDS
    return f"{path}?expires={expires}&signature={vault.sign(f'{path} {expires}', _PURPOSE)}"


def check_link(vault: Vault, clock: Clock, path: str, expires: int, signature: str) -> None:
    """Raise `LinkRefused` unless the signature is ours and still good."""
    if expires <= clock().timestamp() or not vault.signed(f"{path} {expires}", signature, _PURPOSE):
        raise LinkRefused


def _signature(
    request: Request,
    app_state: AppStateDep,
    expires: Annotated[int | None, Query(description="When the address ends, in epoch seconds")] = None,
    signature: Annotated[str | None, Query(description="Ours, over the path and `expires`")] = None,
) -> bool:
    if expires is None and signature is None:
        return False
    check_link(app_state.vault, app_state.clock, request.url.path, expires or 0, signature or "")
    return True


HasSignature = Annotated[bool, Depends(_signature)]
