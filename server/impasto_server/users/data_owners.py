"""The interface by which features export and erase the data of a user."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson
from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from impasto_server.db.engine import Database

Row = TypeVar("Row")


@dataclass(frozen=True)
class Entry:
    """One file of an export: its path in the zip, and its bytes, its pieces or the key of a stored object."""

    path: str
    data: bytes = b""
    object_key: str | None = None
    pieces: AsyncIterator[bytes] | None = None


@dataclass(frozen=True)
class Erasure:
    """What to do after an erasure is committed: stored objects to delete and topics to notify."""

    object_keys: Sequence[str] = ()
    topics: Sequence[str] = ()


Export = Callable[[Database, str], AsyncIterator[Entry]]
Erase = Callable[[AsyncSession, str], Awaitable[Erasure]]
References = Callable[[AsyncSession, str], Awaitable[bool]]


async def pages_of(
    database: Database, query: Select[Row], key: InstrumentedAttribute[str], size: int
) -> AsyncIterator[Sequence[Row]]:
    """Yield the rows of a query in pages of `size`, in the order of `key`, each read in its own session."""
    after = ""
    while True:
        async with database.reading() as session:
            page = (await session.scalars(query.where(key > after).order_by(key).limit(size))).all()
        if not page:
            return
        yield page
        after = getattr(page[-1], key.key)


async def json_array(items: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    """Yield the items as one JSON array, a line for each."""
    separator = b"[\n"
    async for item in items:
        yield separator + orjson.dumps(item)
        separator = b",\n"
    yield b"[]\n" if separator == b"[\n" else b"\n]\n"


async def references_nothing(session: AsyncSession, object_key: str) -> bool:
    """Return False: the `references` of a feature without stored objects."""
    return False


@dataclass(frozen=True)
class DataOwner:
    """A feature that stores data of users.

    `export(database, user_id)` yields the feature's files of the user's export. The client reads them as fast
    as it can, so no session stays open between two of them, and long lists are read page by page.
    `erase(session, user_id)` is called in the transaction that deletes the user, before the user's
    row is deleted and foreign keys cascade.
    `references(session, object_key)` returns whether any row, of any user, needs a stored object.
    """

    export: Export
    erase: Erase
    references: References = references_nothing
