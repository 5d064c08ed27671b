"""Stored objects that may have to go: written down with the row that let them go, removed afterwards.

Several rows may share one object, and somebody may be keeping the same content right now. So whoever keeps
an object and whoever removes one hold its key in the transaction that decides: a row is added only while
its file is seen to be there, and a file goes only while nothing is seen to need it.

A file that comes is written down too, before it is there: a process that is killed between the file and its
row leaves one that the next housekeeping finds.
"""

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import TypeVar

import structlog
from sqlalchemy import String, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.container import AppState
from impasto_server.db.engine import Base, Database, advisory_lock
from impasto_server.storage.object_storage import Storage
from impasto_server.utils import shielded, utc_now

log = structlog.get_logger()
Result = TypeVar("Result")
_AT_ONCE = 500


class PendingDeletion(Base):
    """An object to remove, unless something needs it by then."""

    __tablename__ = "doomed_objects"

    object_key: Mapped[str] = mapped_column(String(200), primary_key=True)
    since: Mapped[datetime] = mapped_column(default=utc_now)


async def put_object(
    database: Database,
    storage: Storage,
    key: str,
    put: Callable[[], Awaitable[object]],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> Result:
    """Put an object into the storage and write what needs it: never the one without the other."""
    while True:
        await _announce(database, key)
        await put()
        try:
            written = await _write_if_there(database, storage, key, write)
        except IntegrityError:
            # Whoever it was kept for is gone: nobody else would ever remove it.
            async with database.writing() as session:
                await mark_for_deletion(session, [key])
            raise
        if written:
            return written[0]


@shielded
async def _write_if_there(
    database: Database, storage: Storage, key: str, write: Callable[[AsyncSession], Awaitable[Result]]
) -> list[Result]:
    async with database.writing() as session:
        await advisory_lock(session, key)
        if not await storage.exists(key):
            return []
        written = [await write(session)]
        await _forget(session, key)
        return written


@shielded
async def _announce(database: Database, key: str) -> None:
    async with database.writing() as session:
        await mark_for_deletion(session, [key])


async def mark_for_deletion(session: AsyncSession, keys: Iterable[str]) -> None:
    """Write down, in the caller's transaction, that these objects may not be needed any more."""
    rows = [{"object_key": key, "since": utc_now()} for key in sorted(set(keys))]
    if not rows:
        return
    dialect = session.get_bind().dialect.name
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    await session.execute(insert(PendingDeletion).on_conflict_do_nothing(), rows)


async def sweep(app_state: AppState, keys: Iterable[str] | None = None) -> None:
    """Remove doomed objects, these or all, that nothing needs. What cannot be removed now stays doomed."""
    wanted = await _oldest(app_state.database) if keys is None else list(dict.fromkeys(keys))
    for key in wanted:
        try:
            await _remove(app_state, key)
        except Exception as error:
            log.warning("file not removed yet", key=key, exc_info=error)


async def _remove(app_state: AppState, key: str) -> None:
    async with app_state.database.writing() as session:
        await advisory_lock(session, key)
        if await session.get(PendingDeletion, key) is None:
            return
        if not await _is_needed(app_state, session, key):
            await app_state.storage.delete(key)
        await _forget(session, key)


async def _forget(session: AsyncSession, key: str) -> None:
    await session.execute(delete(PendingDeletion).where(PendingDeletion.object_key == key))


async def _is_needed(app_state: AppState, session: AsyncSession, key: str) -> bool:
    for owner in app_state.data_owners:
        if await owner.references(session, key):
            return True
    return False


async def _oldest(database: Database) -> list[str]:
    query = select(PendingDeletion.object_key).order_by(PendingDeletion.since).limit(_AT_ONCE)
    async with database.reading() as session:
        return list(await session.scalars(query))
