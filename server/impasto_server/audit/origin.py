"""The origin of an action: the client of the current request, a command of the operator, or the server."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

MAX_ADDRESS, MAX_USER_AGENT = 64, 256
ActorKind = Literal["anonymous", "user", "api_key", "operator", "system"]


@dataclass(frozen=True)
class Origin:
    """The source of an action. `kind` is the actor of entries that name no user."""

    kind: ActorKind
    address: str | None = None
    user_agent: str | None = None


_SYSTEM = Origin("system")
_current: ContextVar[Origin] = ContextVar("audit_origin", default=_SYSTEM)


def current_origin() -> Origin:
    """Return the origin of the running task."""
    return _current.get()


@contextmanager
def acting_from(origin: Origin) -> Iterator[None]:
    """Use `origin` for the entries that are recorded inside the block."""
    token = _current.set(origin)
    try:
        yield
    finally:
        _current.reset(token)


def plain(text: str, limit: int) -> str:
    """Return text without control and format characters (bidi marks too), cut to `limit` characters."""
    return "".join(character for character in text if unicodedata.category(character)[0] != "C")[:limit]


class OriginMiddleware:
    """Sets the origin of each request: the client's address and its User-Agent header."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        agent = Headers(scope=scope).get("user-agent")
        origin = Origin(
            "anonymous",
            plain(str(client[0]), MAX_ADDRESS) if client else None,
            plain(agent, MAX_USER_AGENT) if agent else None,
        )
        with acting_from(origin):
            await self.app(scope, receive, send)
