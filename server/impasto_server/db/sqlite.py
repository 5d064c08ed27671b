"""An SQLite connection with few thread switches. It releases its locks even when its task is cancelled.

Each call of the connection's thread costs about as much as a short statement. A statement is therefore one
call, which also begins the transaction and reads the rows.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, NamedTuple

import aiosqlite
from aiosqlite.core import _STOP_RUNNING_SENTINEL

_FIRST_ROWS = 1000  # read with the statement; the cursor stays open for the others
Rows = list[tuple[Any, ...]]
Statement = Callable[[sqlite3.Connection], sqlite3.Cursor]


class _Result(NamedTuple):
    """The result of a statement. `cursor` has more rows, None if `rows` are all."""

    description: Any
    rowcount: int
    lastrowid: int | None
    rows: Rows
    cursor: sqlite3.Cursor | None


_NO_RESULT = _Result(None, -1, None, [], None)


class SqliteConnection(aiosqlite.Connection):
    """Rolls back before it closes, in the connection's own thread, after its pending statements.

    SQLite keeps its file locks if a connection is closed while a statement is active. This happens when a
    task is cancelled during BEGIN; every other transaction then waits until the garbage collector finds the
    statement. aiosqlite 0.22 also leaves the file open when `close()` and `stop()` are called together.

    Uses the private attributes `_connection`, `_tx` and `_thread` of aiosqlite, which is why the version of
    aiosqlite has an upper bound.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, 64)
        self._begin: Sequence[str] = ()
        self._later: list[Statement] = []
        self._is_in_transaction = False
        self._on_end: Callable[[], None] | None = None

    def begin(self, *statements: str, on_end: Callable[[], None] | None = None) -> None:
        """Begin a transaction with the next statement; `statements` set it up, the last one is BEGIN.

        `on_end` marks a transaction that writes. It is called when this connection has committed or rolled
        back, but not if the connection is closed before.
        """
        self._begin, self._on_end = statements, on_end

    def execute_later(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute a statement once for each row of parameters, with the next statement or the commit.

        What it raises is raised there; the transaction can then only be rolled back.
        """
        self._later.append(lambda raw: raw.executemany(statement, rows))

    def cursor(self) -> "SqliteCursor":  # type: ignore[override]
        """Return a cursor."""
        return SqliteCursor(self)

    async def commit(self) -> None:
        """Commit the transaction. One that cannot be committed is rolled back."""
        if self._is_in_transaction or self._later:
            begin, later = self._take()
            try:
                await self.call(_commit, self._conn, begin, later)
            except Exception:
                self._end()
                raise
        self._end()

    async def rollback(self) -> None:
        """Roll back the transaction; if it only reads, without waiting for it.

        Does nothing without a transaction: SQLAlchemy rolls back again before it reuses a connection.
        """
        if self._is_in_transaction and self._on_end is None:
            self._tx.put_nowait((None, self._conn.rollback))
        elif self._is_in_transaction:
            await self.call(self._conn.rollback)
        self._end()

    def _end(self) -> None:
        self._begin, self._is_in_transaction = (), False
        self._later.clear()
        on_end, self._on_end = self._on_end, None
        if on_end is not None:
            on_end()

    async def run(self, statement: Statement) -> _Result:
        """Execute a statement in the connection's thread."""
        begin, later = self._take()
        result: _Result = await self.call(_run, self._conn, begin, later, statement)
        return result

    def _take(self) -> tuple[Sequence[str], Sequence[Statement]]:
        """Return what is executed before the next statement: BEGIN, and what was put off."""
        begin, self._begin = self._begin, ()
        later, self._later = self._later, []
        # Without `begin` too: a migration begins its transactions itself.
        self._is_in_transaction = True
        return begin, later

    async def rows_of(self, statements: Sequence[tuple[str, Sequence[Any]]]) -> list[Rows]:
        """Execute statements with their parameters in one call of the thread, and return all their rows."""
        begin, later = self._take()
        found: list[Rows] = await self.call(_rows_of, self._conn, begin, later, statements)
        return found

    async def read(self, statement: str, parameters: Sequence[Any]) -> Rows:
        """Return all rows of a statement that reads, without a transaction around it."""
        rows: Rows = await self.call(_read, self._conn, statement, parameters)
        return rows

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function in the connection's thread. Cancelling the wait does not stop the function."""
        if self._connection is None:
            raise ValueError("Connection closed")
        return await self._put(partial(function, *args))

    def _put(self, function: Callable[[], Any]) -> asyncio.Future[Any]:
        future = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((None, partial(_call_and_notify, function, future)))
        return future

    def stop(self) -> None:
        """Close the file, then end the thread."""
        raw, self._connection = self._connection, None
        if raw is not None:
            self._tx.put_nowait((None, partial(_roll_back_and_close, raw)))
        self._tx.put_nowait((None, _end_of_thread))

    async def close(self) -> None:
        """Do the same as `stop` and wait until the file is closed. Cancelling the wait does not undo it."""
        raw, self._connection = self._connection, None
        if raw is not None:
            closed = self._put(partial(_roll_back_and_close, raw))
            self.stop()
            await closed


class SqliteCursor:
    """A cursor of a `SqliteConnection`, as SQLAlchemy uses it."""

    def __init__(self, connection: SqliteConnection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._result = _NO_RESULT

    @property
    def description(self) -> Any:
        """The names of the columns, None if the statement returns no rows."""
        return self._result.description

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement has changed, -1 if it changes none."""
        return self._result.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The id of the row that was inserted last."""
        return self._result.lastrowid

    async def __aenter__(self) -> "SqliteCursor":
        return self

    async def execute(self, operation: str, parameters: Sequence[Any] = ()) -> "SqliteCursor":
        """Execute a statement and read its first rows."""
        self._result = await self._connection.run(lambda raw: raw.execute(operation, parameters))
        return self

    async def executemany(self, operation: str, rows: Sequence[Sequence[Any]]) -> "SqliteCursor":
        """Execute a statement once for each row of parameters."""
        self._result = await self._connection.run(lambda raw: raw.executemany(operation, rows))
        return self

    async def fetchall(self) -> Rows:
        """Return all rows that are left."""
        return await self._take(None)

    async def fetchmany(self, size: int | None = None) -> Rows:
        """Return the next rows, at most `size`."""
        return await self._take(self.arraysize if size is None else size)

    async def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, or None."""
        return next(iter(await self._take(1)), None)

    async def close(self) -> None:
        """Discard the rows that are left."""
        cursor = self._result.cursor
        self._result = self._result._replace(rows=[], cursor=None)
        if cursor is not None:
            await self._connection.call(cursor.close)

    async def _take(self, size: int | None) -> Rows:
        rows, cursor = self._result.rows, self._result.cursor
        if cursor is not None and (size is None or len(rows) < size):
            more = cursor.fetchall if size is None else partial(cursor.fetchmany, max(size, _FIRST_ROWS))
            rows = rows + await self._connection.call(more)
        taken, left = rows[:size], rows[len(rows) if size is None else size :]
        self._result = self._result._replace(rows=left)
        return taken


def _run(
    raw: sqlite3.Connection, begin: Sequence[str], later: Sequence[Statement], statement: Statement
) -> _Result:
    _execute(raw, begin, later)
    cursor = statement(raw)
    rows = cursor.fetchmany(_FIRST_ROWS) if cursor.description is not None else []
    result = _Result(cursor.description, cursor.rowcount, cursor.lastrowid, rows, cursor)
    if len(rows) == _FIRST_ROWS:
        return result
    cursor.close()
    return result._replace(cursor=None)


def _commit(raw: sqlite3.Connection, begin: Sequence[str], later: Sequence[Statement]) -> None:
    try:
        _execute(raw, begin, later)
        raw.commit()
    except Exception:
        raw.rollback()  # SQLAlchemy takes a transaction as ended even if its commit fails
        raise


def _execute(raw: sqlite3.Connection, begin: Sequence[str], later: Sequence[Statement]) -> None:
    for each in begin:
        raw.execute(each)
    for statement in later:
        statement(raw).close()


def _rows_of(
    raw: sqlite3.Connection,
    begin: Sequence[str],
    later: Sequence[Statement],
    statements: Sequence[tuple[str, Sequence[Any]]],
) -> list[Rows]:
    _execute(raw, begin, later)
    return [_read(raw, statement, parameters) for statement, parameters in statements]


def _read(raw: sqlite3.Connection, statement: str, parameters: Sequence[Any]) -> Rows:
    with closing(raw.execute(statement, parameters)) as cursor:
        return cursor.fetchall()


def _call_and_notify(function: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    try:
        result, error = function(), None
    except Exception as raised:  # noqa: BLE001 - raised again where the call is awaited
        result, error = None, raised
    with suppress(RuntimeError):  # the event loop is closed: no task waits any more
        future.get_loop().call_soon_threadsafe(_resolve, future, result, error)


def _resolve(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _end_of_thread() -> object:
    return _STOP_RUNNING_SENTINEL


def _roll_back_and_close(raw: sqlite3.Connection) -> None:
    with closing(raw):
        raw.rollback()


def connect(database: str, **options: Any) -> SqliteConnection:
    """Return a connection to be awaited. `options` are those of `sqlite3.connect`."""
    connection = SqliteConnection(partial(sqlite3.connect, database, **options))
    connection._thread.daemon = True  # like SQLAlchemy's own: an open connection must not block the exit
    return connection
