"""Events on their way: numbered when they happen, journalled in batches, told once they are durable."""

import asyncio
import logging
import typing as t
from collections.abc import Callable
from time import time as now

from impasto.cache import Cache
from impasto.events import Event
from impasto.journal import Entry, Journal, Lease, Record
from impasto.unit import Unit

log = logging.getLogger("impasto")


def _nobody() -> None:
    """Nobody listens."""


Listener = Callable[[Event], t.Any]


class Recorder:
    """A run's log. One batch is written at a time; what happens meanwhile is the next batch.

    While somebody `holds` it nothing is set off: who holds it will `kick` it or `settle` it.
    """

    def __init__(
        self, run_id: str, journal: Journal, cache: Cache | None, listener: Listener | None, past: list[Event]
    ) -> None:
        self.run_id = run_id
        self.journal = journal
        self.cache = cache
        self.listener = listener
        self.events: list[Event] = past
        self.seq = past[-1].seq if past else 0
        self.lease: Lease | None = None
        self.holds = True
        self.durable = not getattr(journal, "volatile", False)
        self.error: BaseException | None = None
        self.closed = False
        self.on_error: Callable[[], None] = _nobody
        self.on_rest: Callable[[], None] = _nobody
        self._pending: list[Entry] = []
        self._mixed = False
        self._puts: list[tuple[str, bytes, Unit]] = []
        self._task: asyncio.Task[None] | None = None
        self._barriers: list[asyncio.Future[None]] = []
        self._crossing: list[asyncio.Future[None]] = []
        self._readers: list[asyncio.Future[None]] = []

    def emit(self, name: str, step: str | None = None, data: t.Any = None) -> None:
        """Something happened."""
        if self.closed:
            return
        self.seq = seq = self.seq + 1
        self._pending.append(Event(self.run_id, seq, now(), name, step, data))
        if not self.holds and self._task is None:
            self.kick()

    def write(self, kind: str, name: str, step: str | None, body: bytes) -> None:
        """Something must be found again on resume."""
        if self.closed:
            return
        self._pending.append(Record(kind, name, step, 0, now(), body))
        self._mixed = True
        if not self.holds and self._task is None:
            self.kick()

    def keep(self, key: str, outputs: bytes, unit: Unit) -> None:
        """Put a result into the cache with the next batch; until then the unit is found by its key."""
        self._puts.append((key, outputs, unit))

    def kick(self) -> None:
        """Nobody holds it any more: what waits is written by a task of its own.

        `on_rest` hears of the first time: the run is one that lasts.
        """
        self.holds = False
        if self.on_rest is not _nobody:
            rest, self.on_rest = self.on_rest, _nobody
            rest()
        if self._task is None and (self._pending or self._puts):
            self._task = asyncio.get_running_loop().create_task(self._flush())
            self._task.add_done_callback(self._never_begun)

    def _never_begun(self, task: "asyncio.Task[None]") -> None:
        """Whoever closes the loop cancels every task, this one perhaps before its first line."""
        if self._task is task:
            self._task = None
            self.kick()

    async def settle(self) -> None:
        """The same, written by who calls."""
        self.holds = False
        if self._task is None and (self._pending or self._puts):
            self._task = asyncio.current_task()
            await self._flush()

    @property
    def quiet(self) -> bool:
        """Whether nothing is on its way any more."""
        return self._task is None and not self._pending and not self._puts

    async def flushed(self) -> None:
        """Return when everything so far is durable; raises what kept it from being so."""
        if self.error is not None:
            raise self.error
        if not self.quiet:
            self.kick()
            barrier: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._barriers.append(barrier)
            await barrier

    async def _flush(self) -> None:
        try:
            while self._pending or self._puts:
                batch, self._pending = self._pending, []
                mixed, self._mixed = self._mixed, False
                self._crossing, self._barriers = self._barriers, []
                if batch:
                    if self.lease is not None:
                        await self.journal.append(self.lease, batch)
                    events = [entry for entry in batch if entry.kind == "event"] if mixed else batch
                    self._deliver(t.cast("list[Event]", events))
                self._free(self._crossing)
                if self._puts:
                    await self._keep()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the run is told
            self._failed(error)
        finally:
            self._task = None
            self._free(self._barriers)
            self._barriers = []
            self.wake()

    async def _keep(self) -> None:
        puts, self._puts = self._puts, []
        for key, outputs, unit in puts:
            try:
                await t.cast("Cache", self.cache).put(key, outputs)
            except Exception:
                log.exception("A result could not be cached.")
            finally:
                unit.land(unit.key)

    def _failed(self, error: BaseException) -> None:
        self.error = error
        self.closed = True
        self._pending = []
        for barrier in (*self._crossing, *self._barriers):
            if not barrier.done():
                barrier.set_exception(error)
        for _, _, unit in self._puts:
            unit.land(unit.key)
        self.on_error()

    def _free(self, barriers: list[asyncio.Future[None]]) -> None:
        for barrier in barriers:
            if not barrier.done():
                barrier.set_result(None)

    def _deliver(self, events: list[Event]) -> None:
        listener = self.listener
        self.events += events
        if self._readers:
            self.wake()
        if listener is None:
            return
        for event in events:
            try:
                listener(event)
            except Exception:
                log.exception("A listener failed on %r.", event)

    def part(self) -> None:
        """The run is closed: nobody need hear more, and nothing leads back to it that would keep it alive."""
        self.on_error = self.on_rest = _nobody
        self.wake()

    def wake(self) -> None:
        """Let everybody who reads the events look again."""
        readers, self._readers = self._readers, []
        self._free(readers)

    async def more(self) -> None:
        """Return when there may be more events."""
        reader: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._readers.append(reader)
        await reader
