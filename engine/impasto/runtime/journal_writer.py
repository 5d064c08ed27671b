"""Events on their way: taken from the log, journalled in batches, told once they are durable."""

import asyncio
import logging
import typing as t
from collections.abc import Callable

from impasto.cache.protocol import Cache
from impasto.events import Event
from impasto.journal.protocol import Journal, Lease
from impasto.runtime.event_buffer import Log, nobody

logger = logging.getLogger("impasto")
Listener = Callable[[Event], t.Any]


class Recorder:
    """Writes a run's log. One batch is written at a time; what happens meanwhile is the next batch.

    While somebody holds the log nothing is set off: who holds it will `kick` this or `settle` it.
    """

    def __init__(
        self, run_id: str, journal: Journal, cache: Cache | None, listener: Listener | None, past: list[Event]
    ) -> None:
        durable = not getattr(journal, "volatile", False)
        self.log = Log(run_id, past[-1].seq if past else 0, durable, self._entry)
        self.journal = journal
        self.cache = cache
        self.listener = listener
        self.events: list[Event] = past
        self.lease: Lease | None = None
        self.error: BaseException | None = None
        self.on_error: Callable[[], None] = nobody
        self.on_rest: Callable[[], None] = nobody
        self._task: asyncio.Task[None] | None = None
        self._barriers: list[asyncio.Future[None]] = []
        self._crossing: list[asyncio.Future[None]] = []
        self._readers: list[asyncio.Future[None]] = []

    def _entry(self) -> None:
        if self._task is None:
            self.kick()

    def kick(self) -> None:
        """Nobody holds it any more: what waits is written by a task of its own.

        `on_rest` hears of the first time: the run is one that lasts.
        """
        self.log.holds = False
        if self.on_rest is not nobody:
            rest, self.on_rest = self.on_rest, nobody
            rest()
        if self._task is None and (self.log.pending or self.log.puts):
            self._task = asyncio.get_running_loop().create_task(self._flush())
            self._task.add_done_callback(self._never_begun)

    def _never_begun(self, task: "asyncio.Task[None]") -> None:
        """Whoever closes the loop cancels every task, this one perhaps before its first line."""
        if self._task is task:
            self._task = None
            self.kick()

    async def settle(self) -> None:
        """The same, written by who calls."""
        self.log.holds = False
        if self._task is None and (self.log.pending or self.log.puts):
            self._task = asyncio.current_task()
            await self._flush()

    @property
    def quiet(self) -> bool:
        """Whether nothing is on its way any more."""
        return self._task is None and not self.log.pending and not self.log.puts

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
        log = self.log
        try:
            while log.pending or log.puts:
                batch, log.pending = log.pending, []
                mixed, log.mixed = log.mixed, False
                self._crossing, self._barriers = self._barriers, []
                if batch:
                    if self.lease is not None:
                        await self.journal.append(self.lease, batch)
                    events = [entry for entry in batch if entry.kind == "event"] if mixed else batch
                    self._deliver(t.cast("list[Event]", events))
                self._free(self._crossing)
                if log.puts:
                    await self._keep()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the run is told
            self._failed(error)
        finally:
            self._task = None
            self._free(self._barriers)
            self._barriers = []
            self.wake()

    async def _keep(self) -> None:
        puts, self.log.puts = self.log.puts, []
        for key, outputs, unit in puts:
            try:
                await t.cast("Cache", self.cache).put(key, outputs)
            except Exception:
                logger.exception("A result could not be cached.")
            finally:
                unit.land(unit.key)

    def _failed(self, error: BaseException) -> None:
        self.error = error
        self.log.closed = True
        self.log.pending = []
        for barrier in (*self._crossing, *self._barriers):
            if not barrier.done():
                barrier.set_exception(error)
        for _, _, unit in self.log.puts:
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
                logger.exception("A listener failed on %r.", event)

    def part(self) -> None:
        """The run is closed: nobody need hear more, and nothing leads back to it that would keep it alive."""
        self.on_error = self.on_rest = self.log.on_entry = nobody
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
