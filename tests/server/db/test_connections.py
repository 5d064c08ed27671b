"""Connections to PostgreSQL: few round trips, and none that the server has closed."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from asyncpg.connection import LoggedQuery
from sqlalchemy import column, func, insert, select, table, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from impasto_server.db.connection_check import install_connection_check
from impasto_server.db.engine import Database, advisory_lock

pytestmark = pytest.mark.anyio
_BACKEND = select(func.pg_backend_pid())
_NUMBERS = table("numbers", column("number"))


@pytest.fixture
async def database(empty_postgresql: str) -> AsyncIterator[Database]:
    opened = Database(empty_postgresql)
    yield opened
    await opened.close()


async def _driver_connection(database: Database) -> asyncpg.Connection:
    """Return the connection that the pool lends next."""
    async with database.engine.connect() as connection:
        found = (await connection.get_raw_connection()).driver_connection
    assert isinstance(found, asyncpg.Connection)
    return found


async def _backend(database: Database) -> int:
    row = await database.first(_BACKEND, {})
    assert row is not None
    return int(row[0])


async def test_a_single_statement_needs_no_other_round_trip(database: Database) -> None:
    driver = await _driver_connection(database)
    logged: list[str] = []
    async with asyncio.timeout(20):
        with driver.query_logger(lambda query: logged.append(_text(query))):
            assert await _backend(database) == await _backend(database)
            await asyncio.sleep(0)

    assert [query for query in logged if "pg_backend_pid" not in query] == []


async def test_reading_needs_no_round_trip_but_its_statements(database: Database) -> None:
    driver = await _driver_connection(database)
    logged: list[str] = []
    with driver.query_logger(lambda query: logged.append(_text(query))):
        async with database.reading() as session:
            assert await session.scalar(_BACKEND) == await session.scalar(_BACKEND)
        await asyncio.sleep(0)

    assert [query for query in logged if "pg_backend_pid" not in query] == []


async def test_a_statement_of_its_own_writes_its_rows_in_one_round_trip(database: Database) -> None:
    async with database.writing() as session:
        await session.execute(text("CREATE TABLE numbers (number integer PRIMARY KEY)"))
    driver = await _driver_connection(database)
    logged: list[str] = []
    with driver.query_logger(lambda query: logged.append(_text(query))):
        await database.execute(insert(_NUMBERS), [{"number": 1}, {"number": 2}])
        await asyncio.sleep(0)

    assert len(logged) == 1
    assert await _numbers(database) == [1, 2]


async def test_a_statement_of_its_own_writes_all_rows_or_none(database: Database) -> None:
    async with database.writing() as session:
        await session.execute(text("CREATE TABLE numbers (number integer PRIMARY KEY)"))

    with pytest.raises(IntegrityError, match="SQL parameters hidden"):
        await database.execute(insert(_NUMBERS), [{"number": 1}, {"number": 1}])

    assert await _numbers(database) == []


async def test_a_named_lock_is_held_until_its_transaction_ends(database: Database) -> None:
    async def is_free(name: str) -> bool:
        query = text("SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))")
        async with database.writing() as session:
            return bool(await session.scalar(query, {"name": name}))

    async with database.writing() as session:
        await advisory_lock(session, "one")
        assert (await is_free("one"), await is_free("two")) == (False, True)
    assert await is_free("one")


async def test_pool_lends_twice_as_many_connections_as_it_keeps() -> None:
    database = Database("postgresql+asyncpg://impasto@127.0.0.1:1/none")
    pool = database.engine.pool
    assert isinstance(pool, AsyncAdaptedQueuePool)
    assert (pool.size(), pool._max_overflow) == (20, 20)
    await database.close()


async def test_a_transaction_is_not_preceded_by_a_question(database: Database) -> None:
    driver = await _driver_connection(database)
    logged: list[str] = []
    with driver.query_logger(lambda query: logged.append(_text(query))):
        async with database.writing() as session:
            await session.scalar(_BACKEND)
        await asyncio.sleep(0)

    assert [query for query in logged if "pg_backend_pid" not in query] == ["BEGIN;", "COMMIT;"]


async def test_a_connection_that_the_server_has_closed_is_replaced(
    database: Database, empty_postgresql: str
) -> None:
    driver, backend = await _driver_connection(database), await _backend(database)
    ended = asyncio.Event()
    driver.add_termination_listener(lambda _: ended.set())
    other = await asyncpg.connect(empty_postgresql.replace("+asyncpg", ""))
    try:
        await other.execute(f"SELECT pg_terminate_backend({backend})")
        async with asyncio.timeout(20):
            await ended.wait()
    finally:
        await other.close()

    assert await _backend(database) != backend
    async with database.reading() as session:
        assert await session.scalar(_BACKEND) != backend


async def test_a_connection_that_was_idle_is_asked_whether_it_lives(empty_postgresql: str) -> None:
    engine = create_async_engine(empty_postgresql, pool_size=1)
    install_connection_check(engine.sync_engine, idle_seconds=0)
    logged: list[str] = []
    try:
        async with engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, asyncpg.Connection)
        with driver.query_logger(lambda query: logged.append(_text(query))):
            async with engine.connect() as connection:
                await connection.scalar(_BACKEND)
            await asyncio.sleep(0)
    finally:
        await engine.dispose()

    assert ";" in logged


async def test_a_connection_that_was_lost_in_silence_is_replaced(
    empty_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = create_async_engine(empty_postgresql, pool_size=1)
    install_connection_check(engine.sync_engine, idle_seconds=0)
    driver_error = engine.dialect.loaded_dbapi.Error

    def find_lost(connection: Any) -> None:
        connection.driver_connection.terminate()
        raise driver_error("the network is gone")

    def find_busy(_connection: Any) -> None:
        raise driver_error("another operation is in progress")

    async def backend() -> int:
        async with engine.connect() as connection:
            return int(await connection.scalar(_BACKEND))

    try:
        first = await backend()
        assert await backend() == first
        with monkeypatch.context() as patched:
            patched.setattr(engine.dialect, "do_ping", find_lost)
            assert await backend() != first
        monkeypatch.setattr(engine.dialect, "do_ping", find_busy)
        with pytest.raises(DBAPIError, match="another operation is in progress"):
            await backend()
    finally:
        await engine.dispose()


async def _numbers(database: Database) -> list[int]:
    async with database.reading() as session:
        return list(await session.scalars(select(_NUMBERS.c.number).order_by(_NUMBERS.c.number)))


def _text(query: LoggedQuery) -> str:
    return str(query.query)
