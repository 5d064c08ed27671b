"""Writes a run's events to the journal in batches, and delivers them once they are durable."""

import asyncio
import logging
import typing as t
from collections.abc import Callable

from impasto.cache.protocol import Cache
from impasto.cache.traces import with_set
from impasto.cache.tracked_inputs import TrackedInputs
from impasto.events import Event
from impasto.journal.protocol import Journal, Lease
from impasto.runtime.recording.event_buffer import EventBuffer, no_op

log = logging.getLogger("impasto")
Listener = Callable[[Event], t.Any]
# A busy worker takes tens of milliseconds for the look-ups of a run, and each batch costs a transaction.
_SOON_SECONDS: t.Final = 0.1


class JournalWriter:
    """Flushes a run's event buffer, one batch at a time: entries added during a write form the next batch.

    `on_error` is called when the journal refuses a batch (`error` holds why), `on_first_flush` once, when the
    run first outlasts one turn of the event loop.

    Steps that end one after another while their outputs are looked up in the cache share a batch: one
    transaction of the journal for many short steps.
    """

    def __init__(
        self, run_id: str, journal: Journal, cache: Cache | None, listener: Listener | None, past: list[Event]
    ) -> None:
        self.buffer = EventBuffer(run_id, past[-1].seq if past else 0, not journal.volatile, self._on_entry)
        self.journal = journal
        self.cache = cache
        self.listener = listener
        self.events: list[Event] = past
        self.lease: Lease | None = None
        self.error: BaseException | None = None
        self.on_error: Callable[[], None] = no_op
        self.on_first_flush: Callable[[], None] = no_op
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_asked = False
        self._waiting: list[asyncio.Future[None]] = []
        self._writing: list[asyncio.Future[None]] = []
        self._readers: list[asyncio.Future[None]] = []

    def _on_entry(self) -> None:
        self._is_asked = True
        if self._task is None:
            self.schedule_flush()

    def schedule_flush_soon(self) -> None:
        """Write what is buffered within 100 ms, together with what follows: the run only asks its cache.

        Writes at once if a resume could not compute it again.
        """
        if self.buffer.is_urgent:
            self.schedule_flush()
        elif self._timer is None and self._task is None and (self.buffer.pending or self.buffer.cache_puts):
            self._timer = asyncio.get_running_loop().call_later(_SOON_SECONDS, self.schedule_flush)

    def schedule_flush(self) -> None:
        """Write what is buffered in an asyncio task of its own, and stop deferring."""
        self.buffer.defer_flush = False
        self._is_asked = True
        if self.on_first_flush is not no_op:
            on_first_flush, self.on_first_flush = self.on_first_flush, no_op
            on_first_flush()
        if self._task is None and (self.buffer.pending or self.buffer.cache_puts):
            self._task = asyncio.get_running_loop().create_task(self._flush())
            self._task.add_done_callback(self._reschedule_if_not_started)

    def _reschedule_if_not_started(self, task: "asyncio.Task[None]") -> None:
        """Closing the event loop cancels every task, perhaps before its first line ran."""
        if self._task is task:
            self._task = None
            self.schedule_flush()

    async def flush(self) -> None:
        """Write what is buffered in the calling asyncio task, and stop deferring."""
        self.buffer.defer_flush = False
        self._is_asked = True
        if self._task is None and (self.buffer.pending or self.buffer.cache_puts):
            self._task = asyncio.current_task()
            await self._flush()

    @property
    def idle(self) -> bool:
        """Whether everything is written."""
        return self._task is None and not self.buffer.pending and not self.buffer.cache_puts

    async def wait_until_durable(self) -> None:
        """Return when every entry so far is durable; raises the error that prevented it."""
        if self.error is not None:
            raise self.error
        if not self.idle:
            self.schedule_flush()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter

    async def _flush(self) -> None:
        buffer = self.buffer
        self._cancel_timer()
        try:
            while (buffer.pending or buffer.cache_puts) and (self._is_asked or buffer.is_urgent):
                self._is_asked = False
                batch, buffer.pending = buffer.pending, []
                has_records, buffer.has_records = buffer.has_records, False
                buffer.is_urgent = False
                self._writing, self._waiting = self._waiting, []
                if batch:
                    if self.lease is not None:
                        await self.journal.append(self.lease, batch)
                    events = [entry for entry in batch if entry.kind == "event"] if has_records else batch
                    self._deliver(t.cast("list[Event]", events))
                _resolve(self._writing)
                if buffer.cache_puts:
                    await self._put_in_cache()
        except BaseException as error:  # noqa: BLE001 - the run raises it to its caller
            self._fail(error)
        finally:
            self._task = None
            _resolve(self._waiting)
            self._waiting = []
            self.wake_readers()
            if self.error is None:
                self.schedule_flush_soon()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _put_in_cache(self) -> None:
        puts, self.buffer.cache_puts = self.buffer.cache_puts, []
        for key, outputs, task in puts:
            try:
                if self.cache is not None:
                    await self.cache.put(key, outputs)
                    if task.tracked is not None and key != task.key.hex():
                        await _put_reads(self.cache, task.tracked)
            except Exception:
                log.exception("Failed to cache the output of step %r.", task.step.id)
            finally:
                task.leave_inflight()

    def _fail(self, error: BaseException) -> None:
        self.error = error
        self.buffer.closed = True
        self.buffer.pending = []
        for waiter in (*self._writing, *self._waiting):
            if not waiter.done():
                waiter.set_exception(error)
        for _, _, task in self.buffer.cache_puts:
            task.leave_inflight()
        self.on_error()

    def _deliver(self, events: list[Event]) -> None:
        listener = self.listener
        self.events += events
        if self._readers:
            self.wake_readers()
        if listener is None:
            return
        for event in events:
            try:
                listener(event)
            except Exception:
                log.exception("The listener raised on %r.", event)

    def detach(self) -> None:
        """Drop the callbacks to a closed run, so that reference counting frees it."""
        self.on_error = self.on_first_flush = self.buffer.on_entry = no_op
        self._cancel_timer()
        self.wake_readers()

    def wake_readers(self) -> None:
        """Wake every call of `wait_for_more`."""
        readers, self._readers = self._readers, []
        _resolve(readers)

    async def wait_for_more(self) -> None:
        """Return when there may be more events."""
        reader: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._readers.append(reader)
        await reader


async def _put_reads(cache: Cache, tracked: TrackedInputs) -> None:
    """Note in the cache what was read to make an output that is in it, so that later runs look for it."""
    base = tracked.base.hex()
    changed = with_set(await cache.get(base), tracked.paths)
    if changed is not None:
        await cache.put(base, changed)


def _resolve(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
