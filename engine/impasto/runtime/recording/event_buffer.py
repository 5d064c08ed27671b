"""A run's new events and records, numbered when they happen. The journal writer takes them in batches."""

import typing as t
from collections.abc import Callable
from time import time

from impasto.events import Event
from impasto.journal.protocol import Entry, Record
from impasto.runtime.task import Task


def no_op() -> None:
    """Do nothing: the callback of a run that is closed."""


class EventBuffer:
    """Entries that are not written yet.

    `pending` entries go to the journal, `cache_puts` (key, outputs, task) to the cache. `has_records`: there
    is more than events among the entries. `is_urgent`: a resume could not compute all of them again. While
    `defer_flush` is set, `on_entry` is not called: the code that set it flushes when it is done. A `closed`
    buffer drops new entries. `durable`: the journal survives the process.
    """

    __slots__ = (
        "cache_puts", "closed", "defer_flush", "durable", "has_records", "is_urgent", "on_entry",
        "pending", "run_id", "seq",
    )  # fmt: skip

    def __init__(self, run_id: str, seq: int, durable: bool, on_entry: Callable[[], None]) -> None:
        self.run_id = run_id
        self.durable = durable
        self.seq = seq
        self.on_entry = on_entry
        self.defer_flush = True
        self.closed = False
        self.has_records = False
        self.is_urgent = False
        self.pending: list[Entry] = []
        self.cache_puts: list[tuple[str, bytes, Task]] = []

    def emit(self, name: str, step: str | None = None, data: t.Any = None) -> None:
        """Add an event. `data` may be a callable that returns it (see `Event`)."""
        if self.closed:
            return
        self.seq = seq = self.seq + 1
        self.pending.append(Event(self.run_id, seq, time(), name, step, data))
        if not self.defer_flush:
            self.on_entry()

    def record(self, kind: str, name: str, step: str | None, body: bytes) -> None:
        """Add a record that a resumed run needs."""
        if self.closed:
            return
        self.pending.append(Record(kind, name, step, 0, time(), body))
        self.has_records = self.is_urgent = True
        if not self.defer_flush:
            self.on_entry()

    def cache_output(self, key: str, outputs: bytes, task: Task) -> None:
        """Put an output into the cache with the next batch; until then the task is found by its key."""
        self.cache_puts.append((key, outputs, task))
