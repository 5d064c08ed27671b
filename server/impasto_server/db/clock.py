"""The database's time, on which servers and workers agree whatever their own clocks show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import structlog
from sqlalchemy import func, select

from impasto_server.db.engine import Database
from impasto_server.outages import log_failure
from impasto_server.utils import Clock, utc_now

log = structlog.get_logger()
_PERIOD_SECONDS = 10
_RETRY_SECONDS = 1
_TIMEOUT_SECONDS = 5
# Synchronized clocks differ by less, and so does a measurement on a busy machine.
_TOLERATED = timedelta(seconds=1)
_NOW = select(func.clock_timestamp())


class DatabaseClock:
    """Returns this machine's time, corrected by its difference from the database's at the last `measure`.

    Differences of up to a second are left as they are. SQLite has no clock of its own.
    """

    def __init__(self, database: Database, local: Clock = utc_now) -> None:
        self._database = database
        self._local = local
        self._offset = timedelta()

    def __call__(self) -> datetime:
        """Return the current time."""
        return self._local() + self._offset

    @property
    def is_shared(self) -> bool:
        """Whether the database has a clock, which other machines share."""
        return self._database.engine.dialect.name == "postgresql"

    async def measure(self) -> None:
        """Compare both clocks. Raises the database's errors."""
        if not self.is_shared:
            return
        before = self._local()
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            row = await self._database.first(_NOW, {})
        after = self._local()
        if row is None:
            return
        # The answer was given at some moment between both.
        low, high = row[0] - after, row[0] - before
        if low <= self._offset <= high:
            return
        offset = low + (high - low) / 2
        if abs(offset) <= _TOLERATED:
            offset = timedelta()
        if abs(offset - self._offset) > _TOLERATED:
            seconds = round(-offset.total_seconds(), 1)
            log.warning(
                "this machine's clock differs from the database's, whose time is used",
                seconds_ahead=seconds,
                hint="Synchronize the clocks of all machines, with NTP for example.",
            )
        self._offset = offset


@asynccontextmanager
async def measuring(clock: Clock) -> AsyncIterator[None]:
    """Measure at once, and every 10 seconds while the block is active, if it is a clock that is shared."""
    if not isinstance(clock, DatabaseClock) or not clock.is_shared:
        yield
        return
    is_measured = await _is_measured(clock)
    task = asyncio.create_task(_measure_repeatedly(clock, is_measured), name="the database's time")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _measure_repeatedly(clock: DatabaseClock, is_measured: bool) -> None:
    while True:
        await asyncio.sleep(_PERIOD_SECONDS if is_measured else _RETRY_SECONDS)
        is_measured = await _is_measured(clock)


async def _is_measured(clock: DatabaseClock) -> bool:
    try:
        await clock.measure()
    except Exception as error:  # noqa: BLE001 - logged; the last measurement counts until the next one
        log_failure(log, "could not read the database's time", error)
        return False
    return True
