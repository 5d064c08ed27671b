"""What a run has done, written down before anybody is told: the protocol, and one in memory.

A journal holds one log of records a run. A record is anything with the attributes of `Record`; events
are records too (`kind` "event"). The engine reads the log back to resume a run, so a journal may store
records in any way that gives them back in order, with the same values.

| kind | name | body (JSON) |
| --- | --- | --- |
| `head` | "" | `{"flow", "flows", "inputs", "options"}`: the first record of a run |
| `event` | the event's type | the event's data; `seq` and `time` are the event's |
| `item` | the item's path ("2", "2.0") | a finished item of a lifted step: `{"key", "outputs", "cost_usd"}` |
| `outcome` | "" | outputs that the event cannot hold exactly (lists with holes) |
| `memo` | the key | what `context.remember` was given (step and item path joined by "#") |
| `charge` | "" | `{"usd", "units"}` |

Of two events with one `seq` the later one holds: the `run.started` of a run that is resumed after it failed
or was cancelled takes the place of that end.

**Leases.** One owner at a time may write. `create` begins a run and gives the first lease; `claim` takes a
run whose lease has ended, was released, or is the owner's own already, and raises the fencing number by
one. Every write carries the lease; a journal refuses one whose fence is not the run's newest, whose lease
was released, with LeaseLost, and writes nothing of it. (A lease that has merely run out, with no one else
having claimed the run, may still write.)

**Durable** means: after `append` returns, the records survive the death of the process. A batch is atomic:
all of it or nothing. The engine never has two appends of one run under way at the same time. Nobody is told
of an event before it is durable, and no function is called with a value that a crash could change: each is
durable, or sure to be made again just the same (by a function that is not generative, takes no Context and
stays on the loop, from values of which that holds). A function that may itself have effects (it takes a
Context, or runs outside the loop) is called only when all that it reads is durable.
"""

import time
import typing as t
from collections.abc import Callable, Sequence

import msgspec

from impasto.errors import LeaseHeld, LeaseLost, RunExists, RunNotFound


class Lease(msgspec.Struct, frozen=True):
    """The right to write to a run's log."""

    run_id: str
    owner: str
    fence: int


class Entry(t.Protocol):
    """What `append` is given and `read` gives back: a Record or an Event."""

    @property
    def kind(self) -> str:
        """One of the kinds in the table above."""

    @property
    def name(self) -> str:
        """The event's type, the memo's key, the item's path."""

    @property
    def step(self) -> str | None:
        """The step it is about; None for the run itself."""

    @property
    def seq(self) -> int:
        """The event's number; 0 for every other kind."""

    @property
    def time(self) -> float:
        """Seconds since 1970."""

    @property
    def body(self) -> bytes:
        """JSON."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One entry of a log."""

    kind: str
    name: str = ""
    step: str | None = None
    seq: int = 0
    time: float = 0.0
    body: bytes = b"{}"


class Journal(t.Protocol):
    """Where runs are written down. All methods may be called from several processes at once."""

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run: its lease (fence 1) and first records, atomically; RunExists if it is there."""
        ...

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Own a run that nobody owns; LeaseHeld while another's lease lasts, RunNotFound."""
        ...

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Let the lease last until `seconds` from now; LeaseLost if it is not the newest."""
        ...

    async def release(self, lease: Lease) -> None:
        """Give the run up; nothing happens if the lease is not the newest any more."""
        ...

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records, atomically, durably, in order; LeaseLost if the lease is not the newest."""
        ...

    async def read(self, run_id: str) -> Sequence[Entry]:
        """The whole log in order; RunNotFound."""
        ...


class _Log:
    __slots__ = ("expires", "fence", "owner", "records")

    def __init__(self, owner: str, expires: float, records: Sequence[Entry]) -> None:
        self.owner: str | None = owner
        self.expires = expires
        self.fence = 1
        self.records: list[Entry] = list(records)


class MemoryJournal:
    """A journal that lasts as long as the process: for tests, scripts, and runs that need no more.

    It is `volatile`: nothing survives in it, so no step waits for its inputs to be written down first.
    """

    volatile = True

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._logs: dict[str, _Log] = {}
        self._clock = clock

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run."""
        if run_id in self._logs:
            raise RunExists(run_id)
        self._logs[run_id] = _Log(owner, self._clock() + seconds, records)
        return Lease(run_id, owner, 1)

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Own a run that nobody owns."""
        log = self._log(run_id)
        if log.owner not in (None, owner) and log.expires > self._clock():
            raise LeaseHeld(run_id, str(log.owner))
        log.owner = owner
        log.fence += 1
        log.expires = self._clock() + seconds
        return Lease(run_id, owner, log.fence)

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Let the lease last longer."""
        self._held(lease).expires = self._clock() + seconds

    async def release(self, lease: Lease) -> None:
        """Give the run up."""
        log = self._log(lease.run_id)
        if log.fence == lease.fence:
            log.owner = None

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records."""
        self._held(lease).records.extend(records)

    async def read(self, run_id: str) -> Sequence[Entry]:
        """The whole log."""
        return tuple(self._log(run_id).records)

    def _log(self, run_id: str) -> _Log:
        if run_id not in self._logs:
            raise RunNotFound(run_id)
        return self._logs[run_id]

    def _held(self, lease: Lease) -> _Log:
        log = self._log(lease.run_id)
        if log.fence != lease.fence or log.owner is None:
            raise LeaseLost(lease.run_id)
        return log
