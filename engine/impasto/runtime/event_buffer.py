"""A run's log in the making: entries numbered when they happen, on their way to the journal."""

import typing as t
from collections.abc import Callable
from time import time as now

from impasto.events import Event
from impasto.journal.protocol import Entry, Record
from impasto.runtime.task import Unit

_event: t.Final = Event
_now: t.Final = now


def nobody() -> None:
    """Nobody is told."""


class Log:
    """What has happened and is not written yet. `mixed`: there is more among it than events.

    `puts` are results for the cache. While somebody `holds` it nobody is told of an entry: who holds it will
    see to it. A `closed` log takes no more. `durable`: its journal outlives the process.
    """

    __slots__ = ("closed", "durable", "holds", "mixed", "on_entry", "pending", "puts", "run_id", "seq")

    def __init__(self, run_id: str, seq: int, durable: bool, on_entry: Callable[[], None]) -> None:
        self.run_id = run_id
        self.durable = durable
        self.seq = seq
        self.on_entry = on_entry
        self.holds = True
        self.closed = False
        self.mixed = False
        self.pending: list[Entry] = []
        self.puts: list[tuple[str, bytes, Unit]] = []

    def emit(self, name: str, step: str | None = None, data: t.Any = None) -> None:
        """Something happened."""
        if self.closed:
            return
        self.seq = seq = self.seq + 1
        self.pending.append(_event(self.run_id, seq, _now(), name, step, data))
        if not self.holds:
            self.on_entry()

    def write(self, kind: str, name: str, step: str | None, body: bytes) -> None:
        """Something must be found again on resume."""
        if self.closed:
            return
        self.pending.append(Record(kind, name, step, 0, _now(), body))
        self.mixed = True
        if not self.holds:
            self.on_entry()

    def keep(self, key: str, outputs: bytes, unit: Unit) -> None:
        """Put a result into the cache with the next batch; until then the unit is found by its key."""
        self.puts.append((key, outputs, unit))
