"""A connection to an SQLite file that gives its locks back however it is let go."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from typing import Any

import aiosqlite


class SqliteConnection(aiosqlite.Connection):
    """Rolls back before it closes, in its own thread, behind whatever that still has to do.

    SQLite keeps a file open, locks and all, that is closed while a statement on it is not done with: so it is
    when somebody is cancelled while a transaction begins, and no other transaction could begin until the
    collector had found the statement. aiosqlite (0.22) also forgets the file when it is told to close and to
    stop at once.
    """

    def stop(self) -> asyncio.Future[Any] | None:
        """Let the file go, and then the thread."""
        held, self._connection = self._connection, None
        if held is not None:
            self._tx.put_nowait((None, partial(_let_go, held)))
        return super().stop()

    async def close(self) -> None:
        """The same, and wait for it; all of it happens though who waits is cancelled."""
        if self._connection is not None:
            stopped = self.stop()
            if stopped is not None:
                await stopped


def _let_go(held: sqlite3.Connection) -> None:
    with closing(held):
        held.rollback()


def connect(database: str, **options: Any) -> SqliteConnection:
    """A connection, to be awaited; `options` are those of `sqlite3.connect`."""
    connection = SqliteConnection(partial(sqlite3.connect, database, **options), 64)
    connection._thread.daemon = True  # as SQLAlchemy has it: a program's end waits for no connection
    return connection
