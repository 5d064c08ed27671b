"""The `Journal` protocol: the durable log of each run, which `resume` reads back.

A journal holds one log of records a run. A record is any object with the attributes of `Record`; events
are records too (`kind` "event"). A journal may store records in any form that returns them in order, with
the same values.

| kind | name | body (JSON) |
| --- | --- | --- |
| `head` | "" | `{"flow", "flows", "inputs", "options"}`: the first record of a run |
| `event` | the event's type | the event's data; `seq` and `time` are the event's |
| `item` | the item's path ("2", "2.0") | a finished item: `{"key", "outputs", "cost_usd", "reads"}` |
| `outcome` | "" | outputs that the event cannot represent exactly (lists with skipped items) |
| `memo` | the key | the value given to `context.remember` (step and item path joined by "#") |
| `reserve` | the call's id | before a paid call: `{"usd", "held"}` |
| `settle` | the call's id | after a paid call: `{"usd"}`, what was reserved and not charged |

Of the dollars reserved, a limit outside of the run holds `held`. The charges of a paid call have its id as
`call`, and as `reserved` the dollars of its reservation that they use. A charge that is `"assumed": true` may
not have been billed by the provider; a negative amount corrects it later. `reserve` and `settle` have
`own_key`, too.

Of two events with equal `seq` the later one is valid: when a run resumes after it failed or was cancelled,
its `run.started` replaces that final event.

**Leases.** Only one owner at a time may write. `create` begins a run and returns the first lease. `claim`
takes a run whose lease has expired, was released or belongs to the same owner, and increments the fencing
number. Every write carries the lease. A journal refuses a write with LeaseLost, and stores nothing of it, if
the fencing number is not the run's newest or the lease was released. An expired lease may still write as
long as no other owner has claimed the run.

**Durability.** After `append` returns, the records survive the death of the process. A batch is atomic. The
engine never has two appends of one run under way. It delivers an event only after it is durable. It calls a
function only with values that a crash cannot change: each value is durable, or a resume is certain to
compute the same value again (its node type is not generative, takes no Context and runs on the event loop,
and the same holds for its inputs). A function that may have effects (it takes a Context, or runs outside the
event loop) is called only after everything that it reads is durable.
"""

import typing as t
from collections.abc import Sequence

import msgspec


class Lease(msgspec.Struct, frozen=True):
    """The right to write to a run's log, valid until another owner claims the run."""

    run_id: str
    owner: str
    fence: int


class Entry(t.Protocol):
    """An entry of a journal: a Record or an Event."""

    @property
    def kind(self) -> str:
        """One of the kinds in the table above."""

    @property
    def name(self) -> str:
        """The event's type, the memo's key or the item's path."""

    @property
    def step(self) -> str | None:
        """The id of the step that it belongs to; None for the run itself."""

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
    """Stores the logs of runs. Several processes may call its methods at the same time."""

    @property
    def volatile(self) -> bool:
        """Whether records are lost with the process. Steps then do not wait for them to be written."""
        ...

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run with its first records, atomically, and return a lease (fence 1) for `seconds`.

        Raises RunExists if the journal has a run with this id.
        """
        ...

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Take over a run and return a lease for `seconds`.

        Raises LeaseHeld while another owner's lease is valid, RunNotFound for an unknown run.
        """
        ...

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Extend the lease to `seconds` from now. Raises LeaseLost if it is not the newest."""
        ...

    async def release(self, lease: Lease) -> None:
        """Release the run. Does nothing if the lease is not the newest."""
        ...

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records durably, in order, all or none. Raises LeaseLost if the lease is not the newest."""
        ...

    async def read(self, run_id: str) -> Sequence[Entry]:
        """Return the whole log in order. Raises RunNotFound for an unknown run."""
        ...
