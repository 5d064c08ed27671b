"""The interface by which features export and erase the data of a user."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class Entry:
    """One file of an export: its path in the zip, and either its bytes or the key of a stored object."""

    path: str
    data: bytes = b""
    object_key: str | None = None


@dataclass(frozen=True)
class Erasure:
    """What to do after an erasure is committed: stored objects to delete and topics to notify."""

    object_keys: Sequence[str] = ()
    topics: Sequence[str] = ()


Export = Callable[[AsyncSession, str], AsyncIterator[Entry]]
Erase = Callable[[AsyncSession, str], Awaitable[Erasure]]
References = Callable[[AsyncSession, str], Awaitable[bool]]


async def references_nothing(session: AsyncSession, object_key: str) -> bool:
    """Return False: the `references` of a feature without stored objects."""
    return False


@dataclass(frozen=True)
class DataOwner:
    """A feature that stores data of users.

    `export(session, user_id)` yields the feature's files of the user's export.
    `erase(session, user_id)` is called in the transaction that deletes the user, before the user's
    row is deleted and foreign keys cascade.
    `references(session, object_key)` returns whether any row, of any user, needs a stored object.
    """

    export: Export
    erase: Erase
    references: References = references_nothing
