"""An SQLite connection that releases its locks even when its task is cancelled."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from typing import Any

import aiosqlite


class SqliteConnection(aiosqlite.Connection):
    """Rolls back before it closes, in the connection's own thread, after its pending statements.

    SQLite keeps its file locks if a connection is closed while a statement is active. This happens when a
    task is cancelled during BEGIN; every other transaction then waits until the garbage collector finds the
    statement. aiosqlite 0.22 also leaves the file open when `close()` and `stop()` are called together.

    Uses the private attributes `_connection`, `_tx` and `_thread` of aiosqlite, which is why the version of
    aiosqlite has an upper bound.
    """

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the file, then end the thread."""
        raw, self._connection = self._connection, None
        if raw is not None:
            self._tx.put_nowait((None, partial(_roll_back_and_close, raw)))
        return super().stop()

    async def close(self) -> None:
        """Do the same as `stop` and wait for it. Cancelling the wait does not undo it."""
        if self._connection is not None:
            stopped = self.stop()
            if stopped is not None:
                await stopped


def _roll_back_and_close(raw: sqlite3.Connection) -> None:
    with closing(raw):
        raw.rollback()


def connect(database: str, **options: Any) -> SqliteConnection:
    """Return a connection to be awaited. `options` are those of `sqlite3.connect`."""
    connection = SqliteConnection(partial(sqlite3.connect, database, **options), 64)
    connection._thread.daemon = True  # like SQLAlchemy's own: an open connection must not block the exit
    return connection
