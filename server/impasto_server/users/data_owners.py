"""What a person owns in each feature: handed over on request, and let go with the account."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState


@dataclass(frozen=True)
class Entry:
    """One file of an export: its path in the zip, and its bytes or the stored object that holds them."""

    path: str
    data: bytes = b""
    object_key: str | None = None


Export = Callable[[AppState, AsyncSession, str], AsyncIterator[Entry]]
Release = Callable[[AppState, AsyncSession, str], Awaitable["Released"]]
Needs = Callable[[AsyncSession, str], Awaitable[bool]]


@dataclass(frozen=True)
class Released:
    """What is left to do once a person is gone: objects that may go, and topics to ring."""

    object_keys: Sequence[str] = ()
    topics: Sequence[str] = ()


async def needs_nothing(session: AsyncSession, object_key: str) -> bool:
    """Answer for a feature that keeps no stored objects."""
    return False


@dataclass(frozen=True)
class Belongings:
    """What one feature holds of people.

    `export(app_state, session, user_id)` yields the entries of a person's export. `release` is called in the
    transaction that deletes the person, before their row goes and everything that refers to it with it.
    What it returns is done after the commit. `needs(session, object_key)` tells whether a row of anybody's
    needs a stored object.
    """

    export: Export
    release: Release
    needs: Needs = needs_nothing
