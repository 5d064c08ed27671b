"""Deferred deletion of stored objects.

A deletion is recorded in the transaction that removes the last row, and executed after the commit.

Several rows can share one object, and another request can be storing the same content at the same time.
Therefore `put_object` records the key before it stores the object, with the time until which it may take.
`sweep` leaves such an object until then; if the process dies before the row is written, housekeeping finds
the record afterwards. The transaction that writes the row removes the record. If the record is gone by then,
or is another one, a second request has written its row or a sweep has deleted the object: the object is
recorded and stored again. Writing the row and deleting the object both lock the key.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import structlog
from sqlalchemy import String, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.container import AppState
from impasto_server.db.engine import Base, Database, advisory_lock
from impasto_server.storage import deletion_pause
from impasto_server.utils import shielded, utc_now

log = structlog.get_logger()
Result = TypeVar("Result")
_BATCH_SIZE = 500
# Longer than storing the largest files takes. Storing that takes longer is noticed and done again.
_STORING_TIME = timedelta(hours=1)


class PendingDeletion(Base):
    """An object to delete, unless a row references it by then.

    Before `storing_until` a request is storing it, and it is left alone. `since` tells a record from a later
    one of the same object.
    """

    __tablename__ = "doomed_objects"

    object_key: Mapped[str] = mapped_column(String(200), primary_key=True)
    since: Mapped[datetime] = mapped_column(default=utc_now)
    storing_until: Mapped[datetime | None] = mapped_column(default=None)


async def put_object(
    database: Database,
    key: str,
    put: Callable[[], Awaitable[object]],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> Result:
    """Store an object with `put`, then write the rows that reference it with `write`; return its result.

    `put` is called again if another request stored or deleted the same object at the same time.
    """
    return await put_objects(database, {key: put}, write)


async def put_objects(
    database: Database,
    puts: Mapping[str, Callable[[], Awaitable[object]]],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> Result:
    """Store objects, each with the function that `puts` has for its key, then write the rows of them all."""
    keys = sorted(puts)
    try:
        while True:
            since = await _record_storing(database, keys)
            for key in keys:
                await puts[key]()
            written = await _write_if_recorded(database, since, write)
            if written:
                return written[0]
    except Exception:
        await _stop_storing(database, keys)
        raise


@shielded
async def _record_storing(database: Database, keys: Sequence[str]) -> dict[str, datetime]:
    """Record that the objects are being stored; return since when each of them is recorded."""
    since = {}
    async with database.writing() as session:
        insert = _insert(session)
        until = {"storing_until": insert.excluded.storing_until}
        record = insert.on_conflict_do_update(index_elements=["object_key"], set_=until)
        for key in keys:
            now = utc_now()
            row = {"object_key": key, "since": now, "storing_until": now + _STORING_TIME}
            since[key] = (await session.scalars(record.returning(PendingDeletion.since), row)).one()
    return since


@shielded
async def _write_if_recorded(
    database: Database,
    since: Mapping[str, datetime],
    write: Callable[[AsyncSession], Awaitable[Result]],
) -> list[Result]:
    async with database.writing() as session:
        # In the order of the keys: two requests with the same ones never wait for each other.
        for key in since:
            await advisory_lock(session, key)
        recorded = [row for key in since if (row := await _locked(session, key)) and row.since == since[key]]
        if len(recorded) < len(since):
            return []
        written = [await write(session)]
        for row in recorded:
            await session.delete(row)
        return written


@shielded
async def _stop_storing(database: Database, keys: Sequence[str]) -> None:
    """Let a sweep delete the objects now. If this fails, a sweep deletes them once their time is over."""
    try:
        async with database.writing() as session:
            for key in keys:
                recorded = await _locked(session, key)
                if recorded is not None:
                    recorded.storing_until = None
    except Exception as error:
        # The caller reports what went wrong first, which is often the same outage.
        log.debug("unused objects are deleted later", count=len(keys), exc_info=error)


async def _locked(session: AsyncSession, key: str) -> PendingDeletion | None:
    """Return the record of an object, which another transaction then neither changes nor deletes."""
    return await session.get(PendingDeletion, key, with_for_update=True)


async def mark_for_deletion(session: AsyncSession, keys: Iterable[str]) -> None:
    """Record, in the caller's transaction, objects that may not be referenced any more."""
    rows = [{"object_key": key, "since": utc_now()} for key in sorted(set(keys))]
    if not rows:
        return
    await session.execute(_insert(session).on_conflict_do_nothing(), rows)


def _insert(session: AsyncSession) -> postgresql.Insert | sqlite.Insert:
    dialect = session.get_bind().dialect.name
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(PendingDeletion)


async def sweep(app_state: AppState, keys: Iterable[str] | None = None) -> None:
    """Delete recorded objects (`keys`, or the oldest 500) that no row references and no request is storing.

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
        # A request that is about to store the object waits for this, and records it again.
        recorded = await _locked(session, key)
        if recorded is None or (recorded.storing_until is not None and recorded.storing_until > utc_now()):
            return
        if not await _is_referenced(app_state, session, key):
            # Checked after the rows: what a backup's snapshot refers to is found here or paused there.
            if await deletion_pause.is_paused(app_state.storage, app_state.clock()):
                return
            await app_state.storage.delete(key)
        # Another request may store the same content, if it is the failure of this one that was recorded.
        await app_state.storage.delete_unfinished(key, utc_now() - _STORING_TIME / 2)
        await session.delete(recorded)


async def _is_referenced(app_state: AppState, session: AsyncSession, key: str) -> bool:
    for owner in app_state.data_owners:
        if await owner.references(session, key):
            return True
    return False


async def _oldest(database: Database) -> list[str]:
    until = PendingDeletion.storing_until
    query = select(PendingDeletion.object_key).where(until.is_(None) | (until <= utc_now()))
    query = query.order_by(PendingDeletion.since).limit(_BATCH_SIZE)
    async with database.reading() as session:
        return list(await session.scalars(query))
