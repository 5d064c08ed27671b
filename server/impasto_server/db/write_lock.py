"""Writers of an SQLite file take turns: first come, first served.

SQLite lets a waiting writer try again now and then, and whoever tries at the right moment wins: under load
one writer waits seconds while another wins each time. Within a process a queue is fair and wakes at once;
other processes still meet at SQLite's own lock.
"""

import asyncio
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import await_only

_HELD = "impasto_turn"
_PATIENCE_SECONDS = 60


class Turns:
    """Lets one transaction of an engine write at a time."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    def attend(self, engine: Engine) -> None:
        """Give a turn back whenever a transaction ends, however it ends."""
        event.listen(engine, "commit", self._ended)
        event.listen(engine, "rollback", self._ended)
        for name in ("checkin", "close", "invalidate"):
            event.listen(engine, name, self._returned)

    def take(self, connection: Connection) -> None:
        """Wait for a turn; call it where a transaction that writes begins. Raises TimeoutError at last."""
        await_only(self._wait())
        connection.info[_HELD] = True

    def leave(self, info: dict[Any, Any]) -> None:
        """Give the turn back, if it is held by this connection."""
        if info.pop(_HELD, False):
            self._lock.release()

    async def _wait(self) -> None:
        # Nobody writes this long: a transaction inside another one would wait for itself forever.
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await self._lock.acquire()

    def _ended(self, connection: Connection) -> None:
        # An invalidated connection (its task was cancelled) gave the turn back already, and has no info.
        if not connection.invalidated:
            self.leave(connection.info)

    def _returned(self, _connection: Any, record: Any, *_: object) -> None:
        if record is not None:
            self.leave(record.info)
