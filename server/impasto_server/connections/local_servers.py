"""Servers of models that users choose: those found on this machine, and those that the operator allows."""

import asyncio
import time
from collections.abc import Sequence

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.sdk.providers import (
    AddressedProvider,
    FoundServer,
    LocalServerProvider,
    installed_providers,
)
from impasto.sdk.user_servers import UserServers
from impasto_server.connections.schemas import LocalServer, LocalServers
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.http.errors import Forbidden, NotFound
from impasto_server.users.models import User

log = structlog.get_logger()
_FRESH_SECONDS = 20.0
_MAX_SECONDS = 5.0


class ServerNotFound(NotFound):
    """No server of that address was found on this machine."""

    def __init__(self, address: str) -> None:
        super().__init__("local server", address)


class AddressNotAllowed(Forbidden):
    """The operator's list does not name the server."""

    code = "address_not_allowed"

    def __init__(self, allowed: UserServers) -> None:
        super().__init__(f"This server's operator allows addresses at {allowed}. Enter one of them.")


class Search:
    """The latest search of this process. A search runs in the background and takes five seconds at most."""

    def __init__(self) -> None:
        self._task: asyncio.Task[list[FoundServer]] | None = None
        self._found: list[FoundServer] = []
        self._ended_at: float | None = None

    def latest(self) -> tuple[bool, list[FoundServer]]:
        """Return whether a search is running, and what the last one found; starts one if that is old."""
        task = self._task
        if task is not None and task.done() and not task.cancelled():
            self._found, self._ended_at, self._task = task.result(), time.monotonic(), None
        elif task is not None and task.get_loop() is not asyncio.get_running_loop():
            self._task = None  # of an event loop that has ended
        is_old = self._ended_at is None or time.monotonic() - self._ended_at > _FRESH_SECONDS
        if self._task is None and is_old:
            self._task = asyncio.create_task(_search())
        return self._task is not None, self._found

    def forget(self) -> None:
        """Start over with the next question."""
        self._task, self._found, self._ended_at = None, [], None


SEARCH = Search()


async def list_all(app_state: AppState, session: AsyncSession, user: User) -> LocalServers:
    """Return the servers found so far; nothing is asked where the operator does not allow it."""
    if not app_state.settings.finds_local_servers:
        return LocalServers(state="off", items=[])
    used = await credentials.addresses_of(app_state, session, user.id)
    is_running, found = SEARCH.latest()
    items = [
        LocalServer(
            provider=one.provider,
            title=one.title,
            address=one.address,
            models=one.models,
            is_used=used.get(one.provider) == one.address,
        )
        for one in found
    ]
    return LocalServers(state="searching" if is_running else "done", items=items)


async def use(app_state: AppState, session: AsyncSession, user: User, provider: str, address: str) -> None:
    """Let the user's runs use a server: an admin one that was found, everybody one that the list allows.

    Raises `ServerNotFound`, and `AddressNotAllowed` where there is a list.
    """
    installed, allowed = (
        installed_providers().providers.get(provider),
        app_state.settings.allowed_user_servers,
    )
    is_addressed = isinstance(installed, AddressedProvider) and installed.takes_address
    address = address.strip().rstrip("/")
    if not (is_addressed and allowed.allows(address)) and not _is_found(app_state, user, provider, address):
        raise AddressNotAllowed(allowed) if is_addressed and allowed else ServerNotFound(address)
    await credentials.put_address(session, app_state, user, provider, address)


def _is_found(app_state: AppState, user: User, provider: str, address: str) -> bool:
    if not (user.is_admin and app_state.settings.finds_local_servers):
        return False
    return (provider, address) in {(one.provider, one.address) for one in SEARCH.latest()[1]}


async def _search() -> list[FoundServer]:
    asked = [one for one in installed_providers().providers.values() if isinstance(one, LocalServerProvider)]
    found: list[FoundServer] = []
    for answer in await asyncio.gather(*(_ask(provider) for provider in asked)):
        found += answer
    return found


async def _ask(provider: LocalServerProvider) -> Sequence[FoundServer]:
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            return await provider.find_local_servers()
    except Exception as error:  # a plugin may fail in any way
        log.warning("could not look for local servers", provider=provider.id, exc_info=error)
        return []
