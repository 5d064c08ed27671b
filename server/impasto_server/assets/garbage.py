"""Deferred deletion of stored objects.

A deletion is recorded in the transaction that removes the last row, and executed after the commit.

Several rows can share one object, and another request can be storing the same content at the same time.
Therefore both `put_object` and `sweep` lock the object's key: a row is added only if its object exists, and
an object is deleted only if no row references it.

`put_object` records the key before it stores the object, so that housekeeping finds the object if the process
dies before the row is written.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
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
from impasto_server.storage import deletion_pause
from impasto_server.storage.object_storage import Storage
from impasto_server.utils import shielded, utc_now

log = structlog.get_logger()
Result = TypeVar("Result")
_BATCH_SIZE = 500


class PendingDeletion(Base):
    """An object to delete, unless a row references it by then."""

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
    """Store an object with `put`, then write the rows that reference it with `write`; return its result.

    If a concurrent sweep deletes the object in between, it is stored again.
    """
    return await put_objects(database, storage, {key: put}, write)


async def put_objects(
    database: Database,
    storage: Storage,
    puts: Mapping[str, Callable[[], Awaitable[object]]],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> Result:
    """Store objects, each with the function that `puts` has for its key, then write the rows of them all."""
    keys = sorted(puts)
    while True:
        await _record(database, keys)
        for key in keys:
            await puts[key]()
        try:
            written = await _write_if_all_exist(database, storage, keys, write)
        except IntegrityError:
            # The owner of the rows was deleted: record the objects, so that housekeeping deletes them.
            async with database.writing() as session:
                await mark_for_deletion(session, keys)
            raise
        if written:
            return written[0]


@shielded
async def _write_if_all_exist(
    database: Database,
    storage: Storage,
    keys: Sequence[str],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> list[Result]:
    async with database.writing() as session:
        # In the order of the keys: two requests with the same ones never wait for each other.
        for key in keys:
            await advisory_lock(session, key)
        if not all(await asyncio.gather(*map(storage.exists, keys))):
            return []
        written = [await write(session)]
        for key in keys:
            await _unmark(session, key)
        return written


@shielded
async def _record(database: Database, keys: Sequence[str]) -> None:
    async with database.writing() as session:
        await mark_for_deletion(session, keys)


async def mark_for_deletion(session: AsyncSession, keys: Iterable[str]) -> None:
    """Record, in the caller's transaction, objects that may not be referenced any more."""
    rows = [{"object_key": key, "since": utc_now()} for key in sorted(set(keys))]
    if not rows:
        return
    dialect = session.get_bind().dialect.name
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    await session.execute(insert(PendingDeletion).on_conflict_do_nothing(), rows)


async def sweep(app_state: AppState, keys: Iterable[str] | None = None) -> None:
    """Delete recorded objects (`keys`, or the oldest 500) that no row references.

    An object that cannot be deleted stays recorded for the next sweep.
    """
    candidates = await _oldest(app_state.database) if keys is None else list(dict.fromkeys(keys))
    for key in candidates:
        try:
            await _delete(app_state, key)
        except Exception as error:
            log.warning("object not deleted", key=key, exc_info=error)


async def _delete(app_state: AppState, key: str) -> None:
    async with app_state.database.writing() as session:
        await advisory_lock(session, key)
        if await session.get(PendingDeletion, key) is None:
            return
        if not await _is_referenced(app_state, session, key):
            # Checked after the rows: what a backup's snapshot refers to is found here or paused there.
            if await deletion_pause.is_paused(app_state.storage, app_state.clock()):
                return
            await app_state.storage.delete(key)
        await _unmark(session, key)


async def _unmark(session: AsyncSession, key: str) -> None:
    await session.execute(delete(PendingDeletion).where(PendingDeletion.object_key == key))


async def _is_referenced(app_state: AppState, session: AsyncSession, key: str) -> bool:
    for owner in app_state.data_owners:
        if await owner.references(session, key):
            return True
    return False


async def _oldest(database: Database) -> list[str]:
    query = select(PendingDeletion.object_key).order_by(PendingDeletion.since).limit(_BATCH_SIZE)
    async with database.reading() as session:
        return list(await session.scalars(query))
