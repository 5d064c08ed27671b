"""Cursors and transactions of one SQLite connection."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import pytest

from impasto_server.db.sqlite import SqliteConnection, connect

pytestmark = pytest.mark.anyio


@pytest.fixture
async def connection() -> AsyncIterator[SqliteConnection]:
    opened = connect(":memory:", isolation_level=None)
    await opened
    await opened.call(opened._conn.execute, "CREATE TABLE numbers (number integer PRIMARY KEY)")
    yield opened
    await opened.close()


async def numbers(connection: SqliteConnection) -> list[int]:
    return [row[0] for row in await connection.read("SELECT number FROM numbers ORDER BY number", ())]


def counting(last: int) -> str:
    return f"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {last}) SELECT x FROM n"


@pytest.mark.parametrize("last", [999, 1000, 1001, 2500])
async def test_rows_are_complete_and_in_order_however_they_are_fetched(
    connection: SqliteConnection, last: int
) -> None:
    cursor = connection.cursor()
    every = list(range(1, last + 1))
    assert [row[0] for row in await (await cursor.execute(counting(last))).fetchall()] == every
    assert await cursor.fetchall() == []
    await cursor.execute(counting(last))
    assert await cursor.fetchone() == (1,)
    assert await cursor.fetchmany() == [(2,)], "one row by default"
    cursor.arraysize = 3
    assert await cursor.fetchmany() == [(3,), (4,), (5,)]
    found = await cursor.fetchmany(992)
    assert [row[0] for row in found] == every[5:997]
    found = await cursor.fetchmany(1100)
    assert [row[0] for row in found] == every[997:2097]
    assert [row[0] for row in await cursor.fetchall()] == every[2097:]
    assert await cursor.fetchone() is None


async def test_closed_cursor_has_no_rows_left(connection: SqliteConnection) -> None:
    for last in (2, 2500):
        cursor = connection.cursor()
        await cursor.execute(counting(last))
        await cursor.close()
        await cursor.close()
        assert await cursor.fetchall() == []
        assert await cursor.fetchone() is None
    await connection.rollback()


async def test_cursor_knows_the_columns_and_the_changed_rows_of_its_statement(
    connection: SqliteConnection,
) -> None:
    cursor = connection.cursor()

    def known() -> tuple[Any, int, int | None]:
        return cursor.description and cursor.description[0][0], cursor.rowcount, cursor.lastrowid

    assert known() == (None, -1, None)
    assert await cursor.executemany("INSERT INTO numbers VALUES (?)", [(7,), (8,)]) is cursor
    assert known()[:2] == (None, 2)
    await cursor.execute("INSERT INTO numbers VALUES (?)", (9,))
    assert known() == (None, 1, 9)
    await cursor.execute("SELECT number FROM numbers WHERE number > ?", (7,))
    assert known()[:2] == ("number", -1)
    assert await cursor.fetchall() == [(8,), (9,)]


async def test_transaction_begins_with_its_first_statement_and_its_end_is_reported_once(
    connection: SqliteConnection,
) -> None:
    ended: list[str] = []
    for name, end in (("commit", connection.commit), ("rollback", connection.rollback)):
        connection.begin("BEGIN IMMEDIATE", on_end=lambda name=name: ended.append(name))  # type: ignore[misc]
        states = [connection.in_transaction]
        await connection.cursor().execute("INSERT INTO numbers DEFAULT VALUES")
        states.append(connection.in_transaction)
        assert name not in ended
        await end()
        assert [*states, connection.in_transaction] == [False, True, False]
        await end()
    assert ended == ["commit", "rollback"]
    connection.begin("BEGIN IMMEDIATE")
    await connection.rollback()
    await connection.cursor().execute("SELECT 1")
    assert not connection.in_transaction, "one that ends before its first statement has not begun"
    assert await numbers(connection) == [1]


async def test_transaction_without_statements_executes_none(connection: SqliteConnection) -> None:
    executed: list[str] = []
    await connection.call(connection._conn.set_trace_callback, executed.append)
    for _ in range(2):
        connection.begin("BEGIN")
        await connection.commit()
        connection.begin("BEGIN")
        await connection.rollback()
        await connection.commit()
        assert executed == []
        connection.begin("BEGIN")
        await connection.cursor().execute("SELECT 1")
        await connection.commit()
        assert executed == ["BEGIN", "SELECT 1", "COMMIT"]
        executed.clear()


async def test_thousand_rows_are_read_with_the_statement_and_the_others_when_they_are_needed(
    connection: SqliteConnection,
) -> None:
    def failing_at(row: int) -> str:
        return f"SELECT CASE x WHEN {row} THEN abs(-9223372036854775808) ELSE x END FROM ({counting(1500)})"

    cursor = connection.cursor()
    with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
        await cursor.execute(failing_at(1001))  # sqlite3 reads one row ahead
    await cursor.execute(failing_at(1002))
    assert len(await cursor.fetchmany(1000)) == 1000
    with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
        await cursor.fetchone()


async def test_what_was_put_off_is_written_with_the_commit_or_never(connection: SqliteConnection) -> None:
    connection.begin("BEGIN")
    connection.execute_later("INSERT INTO numbers VALUES (?)", [(1,), (2,)])
    assert await numbers(connection) == []
    await connection.commit()
    connection.begin("BEGIN")
    connection.execute_later("INSERT INTO numbers VALUES (?)", [(3,)])
    await connection.rollback()
    await connection.commit()
    assert await numbers(connection) == [1, 2]


async def test_commit_that_fails_rolls_back_and_ends_the_transaction(connection: SqliteConnection) -> None:
    ended: list[str] = []
    connection.begin("BEGIN", on_end=lambda: ended.append("end"))
    await connection.cursor().execute("INSERT INTO numbers VALUES (1)")
    connection.execute_later("INSERT INTO numbers VALUES (?)", [(2,), (1,)])
    with pytest.raises(Exception, match="UNIQUE constraint failed"):
        await connection.commit()
    assert (ended, connection.in_transaction) == (["end"], False)
    assert await numbers(connection) == []


async def test_statements_together_return_the_rows_of_each(connection: SqliteConnection) -> None:
    connection.begin("BEGIN")
    connection.execute_later("INSERT INTO numbers VALUES (?)", [(4,), (5,)])
    queries = [("SELECT number FROM numbers", ()), ("SELECT number FROM numbers WHERE number = ?", (5,))]
    assert await connection.rows_of(queries) == [[(4,), (5,)], [(5,)]]
    await connection.rollback()
    assert await numbers(connection) == []


async def test_cancelled_call_leaves_no_error(connection: SqliteConnection) -> None:
    reported: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context))
    reading = asyncio.create_task(connection.read("SELECT 1", ()))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert await connection.read("SELECT 2", ()) == [(2,)]
    loop.set_exception_handler(None)
    assert reported == []


async def test_closed_connection_is_not_used() -> None:
    for is_stopped in (False, True):
        opened = connect(":memory:")
        assert opened._thread.daemon
        await opened
        assert await opened.read("SELECT 1", ()) == [(1,)]
        if is_stopped:
            opened.stop()
        await opened.close()
        opened._thread.join(5)
        assert not opened._thread.is_alive()
        with pytest.raises(ValueError, match="no active connection"):
            await opened.read("SELECT 1", ())
