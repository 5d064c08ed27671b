"""Transactions: atomicity, the write lock, cancellation."""

import asyncio
import gc
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import event, literal, select, text
from sqlalchemy.exc import IntegrityError

from impasto_server.db.engine import Database
from impasto_server.db.sqlite import SqliteConnection
from impasto_server.db.types import UtcDateTime, json_bytes

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.db'}")
    async with database.writing() as session:
        await session.execute(text("CREATE TABLE numbers (number INTEGER UNIQUE)"))
    yield database
    await database.close()


async def write(database: Database, number: int) -> None:
    async with database.writing() as session:
        await session.execute(text("INSERT INTO numbers VALUES (:number)"), {"number": number})


async def count(database: Database) -> int:
    async with database.reading() as session:
        return int(await session.scalar(text("SELECT count(*) FROM numbers")) or 0)


async def test_transaction_is_atomic(database: Database) -> None:
    await write(database, 1)

    async def fail() -> None:
        async with database.writing() as session:
            await session.execute(text("INSERT INTO numbers VALUES (2)"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await count(database) == 1


async def test_reading_session_is_rolled_back(database: Database) -> None:
    async with database.reading() as session:
        await session.execute(text("INSERT INTO numbers VALUES (1)"))
    assert await count(database) == 0


async def test_reader_is_not_blocked_by_writer(database: Database) -> None:
    async with database.writing() as session:
        await session.execute(text("INSERT INTO numbers VALUES (1)"))
        assert await count(database) == 0
    assert await count(database) == 1


async def test_write_lock_is_fair(database: Database) -> None:
    order: list[int] = []

    async def writer(writer: int) -> None:
        for turn in range(20):
            await write(database, writer * 100 + turn)
            order.append(writer)

    await asyncio.gather(*(writer(number) for number in range(10)))
    assert await count(database) == 200
    for number in range(10):
        places = [place for place, who in enumerate(order) if who == number]
        waits = [later - earlier for earlier, later in pairwise(places)]
        assert max(waits) < 40, "a writer was overtaken many times"


async def test_next_writer_begins_when_the_former_has_committed(database: Database) -> None:
    @event.listens_for(database.engine.sync_engine, "connect")
    def fail_at_once(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout=0").close()

    await asyncio.gather(*(write(database, number) for number in range(40)))
    assert await count(database) == 40


async def test_statement_is_one_call_of_the_connections_thread(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await count(database)
    calls: list[Any] = []
    call = SqliteConnection.call

    async def count_call(self: SqliteConnection, function: Any, *args: Any) -> Any:
        calls.append(function)
        return await call(self, function, *args)

    monkeypatch.setattr(SqliteConnection, "call", count_call)
    await count(database)
    assert len(calls) == 1
    await write(database, 1)
    assert len(calls) == 3  # the statement and the commit


@pytest.mark.parametrize("rows", [0, 999, 1000, 1001, 2500])
async def test_all_rows_are_read(database: Database, rows: int) -> None:
    numbers = [{"number": number} for number in range(rows)]
    async with database.writing() as session:
        if numbers:
            await session.execute(text("INSERT INTO numbers VALUES (:number)"), numbers)
    query = text("SELECT number FROM numbers ORDER BY number")
    async with database.reading() as session:
        assert list(await session.scalars(query)) == list(range(rows))
        streamed = await session.stream_scalars(query.execution_options(yield_per=300))
        assert [number async for number in streamed] == list(range(rows))


async def test_closed_result_with_unread_rows_locks_no_table(database: Database) -> None:
    async with database.writing() as session:
        numbers = [{"number": number} for number in range(2500)]
        await session.execute(text("INSERT INTO numbers VALUES (:number)"), numbers)
    async with database.reading() as session:
        streamed = await session.stream_scalars(text("SELECT number FROM numbers"))
        assert await anext(aiter(streamed)) is not None
        await streamed.close()
    async with database.writing() as session:
        await session.execute(text("DROP TABLE numbers"))


async def test_processes_wait_for_each_other(database: Database) -> None:
    other = Database(database.url)
    await asyncio.gather(*(write(one, number) for number, one in enumerate([database, other] * 20)))
    await other.close()
    assert await count(database) == 40


@pytest.mark.parametrize("where", ["waiting", "writing"])
async def test_cancelled_writer_releases_lock(database: Database, where: str) -> None:
    inside = asyncio.Event()

    async def hold() -> None:
        async with database.writing() as session:
            await session.execute(text("INSERT INTO numbers VALUES (1)"))
            inside.set()
            await asyncio.get_running_loop().create_future()

    holder = asyncio.create_task(hold())
    await inside.wait()
    waiting = [asyncio.create_task(write(database, number)) for number in range(10, 13)]
    await asyncio.sleep(0)
    victim = waiting.pop(0) if where == "waiting" else holder
    victim.cancel()
    await asyncio.gather(victim, return_exceptions=True)
    if where == "waiting":
        holder.cancel()
        await asyncio.gather(holder, return_exceptions=True)
    async with asyncio.timeout(50):
        await asyncio.gather(*waiting)
        await write(database, 99)
    assert await count(database) == len(waiting) + 1


async def test_many_cancellations_leave_no_lock(database: Database) -> None:
    tasks = [asyncio.create_task(write(database, number)) for number in range(200)]
    for turn, task in enumerate(tasks):
        if turn % 3:
            task.cancel()
        if turn % 10 == 0:
            await asyncio.sleep(0)
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} <= {type(None), asyncio.CancelledError}
    async with asyncio.timeout(50):
        await write(database, 1000)
    assert await count(database) >= 1 + sum(outcome is None for outcome in outcomes)


async def test_cancellation_propagates_from_every_await(database: Database) -> None:
    for ticks in range(150):
        task = asyncio.create_task(write(database, ticks))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        assert outcome is None or isinstance(outcome, asyncio.CancelledError)
    async with asyncio.timeout(50):
        await write(database, 1000)


async def test_nested_transaction_times_out(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("impasto_server.db.write_lock._TIMEOUT_SECONDS", 0.05)
    async with database.writing() as session:
        await session.execute(text("INSERT INTO numbers VALUES (1)"))
        with pytest.raises(TimeoutError):
            await write(database, 2)
    await write(database, 3)
    assert await count(database) == 2


async def test_integrity_error_releases_lock(database: Database) -> None:
    await write(database, 1)
    for _ in range(3):
        with pytest.raises(IntegrityError, match="SQL parameters hidden"):
            await write(database, 1)
    await write(database, 2)


def test_timestamps_are_utc_and_naive_ones_refused() -> None:
    from sqlalchemy.dialects import postgresql, sqlite

    dialect, kind = sqlite.dialect(), UtcDateTime()
    summer = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    kept = kind.process_bind_param(summer, dialect)
    assert kept == datetime(2026, 7, 1, 10)  # noqa: DTZ001 - SQLite holds no zone
    assert kind.process_result_value(kept, dialect) == summer
    with pytest.raises(ValueError, match="time zone"):
        kind.process_bind_param(datetime(2026, 7, 1), dialect)  # noqa: DTZ001 - the mistake itself
    zoned = kind.process_bind_param(summer, postgresql.dialect())
    assert zoned is not None
    assert (zoned, zoned.tzinfo) == (summer, UTC)
    read = kind.process_result_value(summer, postgresql.dialect())
    assert read is not None
    assert (read, read.tzinfo) == (summer, UTC)
    assert kind.process_bind_param(None, dialect) is kind.process_result_value(None, dialect) is None
    assert datetime.now(UTC).tzinfo is UTC


def test_size_of_json_is_that_of_its_text() -> None:
    assert [json_bytes(value) for value in (None, "", {"ä": 1})] == [0, 2, 8]


async def test_private_attributes_of_aiosqlite_exist(tmp_path: Path) -> None:
    """`SqliteConnection` uses them; pyproject.toml bounds the version for this reason."""
    async with aiosqlite.connect(tmp_path / "any.db") as connection:
        assert isinstance(connection._connection, sqlite3.Connection)
        assert isinstance(connection._tx, queue.SimpleQueue)
        assert isinstance(connection._thread, threading.Thread)


@pytest.mark.usefixtures("commits_reach_the_disk")
async def test_sqlite_syncs_every_commit(database: Database) -> None:
    """In WAL mode, a setting below FULL can lose the last commits, among them runs that were paid for."""
    async with database.writing() as session:
        assert await session.scalar(text("PRAGMA synchronous")) == 2


@pytest.mark.parametrize("kind", ["reading", "writing"])
async def test_cancelled_session_returns_its_connection(database: Database, kind: str) -> None:
    async def ask() -> None:
        async with getattr(database, kind)() as session:
            await session.execute(text("SELECT count(*) FROM numbers"))

    for turns in range(60):
        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        for _ in range(turns):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    await database.close()
    assert open_connections() == []


async def test_repeated_cancellation_releases_lock(database: Database) -> None:
    async def ask() -> None:
        async with database.writing() as session:
            await session.execute(text("SELECT count(*) FROM numbers"))

    for turns in range(80):
        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        for pause in (turns, turns % 7, 1):
            for _ in range(pause):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
        async with asyncio.timeout(20):  # SQLite itself waits for a lock for 30 s
            await asyncio.wait(tasks)
            await ask()


@pytest.mark.parametrize("seconds", [100, 0])
async def test_close_waits_for_open_sessions_and_leaves_no_connection(
    database: Database, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr("impasto_server.db.engine._CLOSE_TIMEOUT_SECONDS", seconds)
    inside = asyncio.Event()

    async def write_slowly() -> None:
        async with database.writing() as session:
            inside.set()
            await session.execute(text("INSERT INTO numbers VALUES (7)"))

    writing = asyncio.create_task(write_slowly())
    await inside.wait()
    open_sessions: list[int] = []
    event.listen(
        database.engine.sync_engine, "engine_disposed", lambda _: open_sessions.append(len(database._open))
    )
    await database.close()
    assert open_sessions == [0 if seconds else 1]
    await writing
    assert await count(database) == 1
    await database.close()
    assert open_connections() == []


async def test_statement_that_outlasts_close_leaves_no_connection(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("impasto_server.db.engine._CLOSE_TIMEOUT_SECONDS", 0)
    await database.close()
    reading = asyncio.create_task(database.first(select(literal(1)), {}))
    while database.connections_in_use == 0:
        await asyncio.sleep(0)
    await database.close()
    assert await reading == (1,)
    assert open_connections() == []


def open_connections() -> list[aiosqlite.Connection]:
    gc.collect()
    found = [item for item in gc.get_objects() if isinstance(item, aiosqlite.Connection)]
    return [connection for connection in found if connection._connection is not None]
