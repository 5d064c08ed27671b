"""A FIFO lock for the writers of an SQLite file.

SQLite itself has no queue: waiting writers poll, so under load one writer can wait for seconds while others
overtake it. Within a process this lock is fair and wakes the next writer at once. Between processes SQLite's
own file lock still decides.
"""

import asyncio
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import await_only

_HELD = "impasto_write_lock"
_TIMEOUT_SECONDS = 60


class WriteLock:
    """Allows one writing transaction of an engine at a time."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    def install(self, engine: Engine) -> None:
        """Release the lock when a connection is returned or closed, in case its transaction has not ended.

        The connection itself calls `release` when its transaction has ended: SQLAlchemy's own events come
        before COMMIT, which is when the next writer would still find the file locked, and poll.
        """
        for name in ("checkin", "close", "invalidate"):
            event.listen(engine, name, self._on_connection_returned)

    def acquire(self, connection: Connection) -> None:
        """Wait for the lock; call this before BEGIN. Raises TimeoutError after 60 seconds."""
        await_only(self._wait())
        connection.info[_HELD] = True

    def release(self, info: dict[Any, Any]) -> None:
        """Release the lock if the connection with this `info` holds it."""
        if info.pop(_HELD, False):
            self._lock.release()

    async def _wait(self) -> None:
        if not self._lock.locked() and await self._lock.acquire():
            return
        # Without a limit, a transaction opened inside another one would wait for itself forever.
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await self._lock.acquire()

    def _on_connection_returned(self, _connection: Any, record: Any, *_: object) -> None:
        if record is not None:
            self.release(record.info)
