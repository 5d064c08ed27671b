"""Sessions that read, and those that write."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import String, bindparam, event, func, inspect, literal, or_, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import AsyncAdaptedQueuePool

from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import migrate
from impasto_server.db.types import UtcDateTime
from impasto_server.runs.models import WorkerRow

pytestmark = pytest.mark.anyio
_TIME = datetime(2026, 1, 1, tzinfo=UTC)


async def test_a_row_that_a_reading_session_has_changed_is_not_written(no_rows: str) -> None:
    database = Database(no_rows)
    try:
        async with database.writing() as session:
            session.add(WorkerRow(name="worker", started_at=_TIME, seen_at=_TIME))
        async with database.reading() as session:
            row = (await session.scalars(select(WorkerRow))).one()
            row.suspect_run_id = "run"
            session.add(WorkerRow(name="other", started_at=_TIME, seen_at=_TIME))
            await session.scalar(select(func.count()).select_from(WorkerRow))

        async with database.reading() as session:
            rows = (await session.scalars(select(WorkerRow))).all()
    finally:
        await database.close()

    assert [(row.name, row.suspect_run_id) for row in rows] == [("worker", None)]


_SEEN = select(WorkerRow.name, WorkerRow.seen_at, WorkerRow.suspect_run_id).where(
    WorkerRow.name == bindparam("name", type_=String),
    WorkerRow.seen_at >= bindparam("since", type_=UtcDateTime()),
    WorkerRow.started_at.in_([_TIME, _TIME.replace(year=2027)]),
    WorkerRow.seen_at < _TIME.replace(year=2028),
    or_(WorkerRow.suspect_run_id.is_(None), WorkerRow.suspect_run_id.in_(["run", "other"])),
)


async def test_a_prepared_query_returns_what_a_session_returns(no_rows: str) -> None:
    database = Database(no_rows)
    try:
        async with database.writing() as session:
            for name in ("one", "two"):
                session.add(WorkerRow(name=name, started_at=_TIME, seen_at=_TIME, suspect_run_id="run"))
        async with database.reading() as session:
            expected = (await session.execute(_SEEN, {"name": "two", "since": _TIME})).all()

        found = [await database.all(_SEEN, {"name": "two", "since": _TIME}) for _ in range(2)]
        other = await database.first(_SEEN, {"name": "one", "since": _TIME})
        later = await database.first(_SEEN, {"name": "one", "since": _TIME.replace(year=2027)})
    finally:
        await database.close()

    assert found == [expected, expected] == [[("two", _TIME, "run")]] * 2
    assert other == ("one", _TIME, "run")
    assert later is None


async def test_a_prepared_query_fails_as_a_session_fails(no_tables: str) -> None:
    database = Database(no_tables)
    try:
        with pytest.raises(DBAPIError):
            await database.first(_SEEN, {"name": "one", "since": _TIME})
        await migrate(no_tables)
        assert await database.first(_SEEN, {"name": "one", "since": _TIME}) is None
    finally:
        await database.close()


async def test_listeners_of_the_engine_see_prepared_queries(no_rows: str) -> None:
    database = Database(no_rows)
    statements: list[str] = []
    try:
        await database.first(_SEEN, {"name": "one", "since": _TIME})
        event.listen(
            database.engine.sync_engine, "before_cursor_execute", lambda *call: statements.append(call[2])
        )
        await database.first(_SEEN, {"name": "one", "since": _TIME})
    finally:
        await database.close()

    assert len(statements) == 1


async def test_sqlite_synchronizes_durable_transactions_only(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/impasto.db", pool_size=1)
    levels = []
    try:
        for is_durable in (True, False, True, False):
            async with database.writing(is_durable=is_durable) as session:
                levels.append(await session.scalar(text("PRAGMA synchronous")))
        async with database.reading() as session:
            names = ("journal_mode", "foreign_keys", "busy_timeout")
            settings = [await session.scalar(text(f"PRAGMA {name}")) for name in names]
    finally:
        await database.close()

    full, normal = 2, 1
    assert levels == [full, normal, full, normal]
    assert settings == ["wal", 1, 30_000]


async def test_open_sessions_are_counted_and_closing_waits_for_them(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/impasto.db", pool_size=2)
    assert database.connections_in_use == 0
    pool = database.engine.pool
    assert isinstance(pool, AsyncAdaptedQueuePool)
    assert (pool.size(), pool._max_overflow, pool.timeout()) == (2, 2, 60)
    async with database.reading() as session, asyncio.timeout(5):
        assert await session.scalar(select(1)) == 1
        async with database.writing():
            assert database.connections_in_use == 2
        assert database.connections_in_use == 1
        assert await database.first(select(literal(2)), {}) == (2,)
        assert database.connections_in_use == 1
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        assert not closing.done()
    assert database.connections_in_use == 0
    async with asyncio.timeout(5):
        await closing


@pytest.mark.parametrize("is_durable", [True, False], ids=["durable", "relaxed"])
async def test_rows_are_read_after_the_end_of_their_transaction(no_rows: str, is_durable: bool) -> None:
    database = Database(no_rows)
    row = WorkerRow(name="worker", started_at=_TIME, seen_at=_TIME)
    try:
        async with database.writing(is_durable=is_durable) as session:
            session.add(row)
    finally:
        await database.close()
    assert inspect(row).detached, "the session is closed"
    assert (row.name, row.seen_at) == ("worker", _TIME)
