"""A task: one call of a node's function, for a whole step or for one item of a fanned-out step."""

import asyncio
import typing as t
from types import MappingProxyType

import msgspec

from impasto.cache.tracked_inputs import TrackedInputs
from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.runtime.budget import Reservation
from impasto.runtime.step_output import StepOutput
from impasto.sdk.context import Context
from impasto.values import MUTABLE, deep_copied

Path = tuple[int, ...]
_NO_SETTINGS: t.Mapping[str, t.Any] = MappingProxyType({})


class TaskRun(t.Protocol):
    """The run of a task, as shared limits and tasks of other runs see it."""

    def on_slot_free(self, task: "Task") -> None:
        """A concurrency limit has given the waiting task a slot."""

    def on_leader_done(self, task: "Task", leader: "Task", error: NodeError | None) -> None:
        """The execution that the task waited for has ended: with an output, with an error, or cancelled."""


class Task(msgspec.Struct, eq=False):
    """One call under way. Tasks that need the same result may follow it instead of running.

    `run` receives the callbacks of shared limits and of tasks in other runs. `prepared`: the arguments are
    set. `worker` is the asyncio task that runs the function. `limit` names the concurrency limit that the
    task holds a slot of, `reservation` is its share of the budget until its first paid call. `open_calls` are
    its paid calls under way. `uses_own_key`: the last credential that it looked up is the user's own, which
    pays its charges. `inflight` is the dict in which others find it by key. `cancelled`: its result is
    discarded. `abandoned`: additionally, nothing awaits it. `kept` is an earlier output, with the positions
    in its lists that must be generated again. `asked_cache`: a cache that must be awaited was asked for its
    output. `tracked` are the inputs of which the run records what the function reads; None if there are none.
    `awaited_inputs` counts the lazy inputs that its function awaits now: with any it does not count as
    running, and `freed_limit` names the limit whose slot it takes back afterwards.
    """

    run: TaskRun
    step: Step
    key: bytes
    path: Path | None = None
    items: "Items | None" = None
    args: tuple[t.Any, ...] = ()
    kwargs: t.Mapping[str, t.Any] = _NO_SETTINGS
    prepared: bool = False
    attempt: int = 1
    cost: float = 0.0
    reservation: Reservation | None = None
    open_calls: int = 0
    uses_own_key: bool = False
    started: float = 0.0
    deadline: float | None = None
    cancelled: bool = False
    abandoned: bool = False
    worker: "asyncio.Task[t.Any] | None" = None
    context: Context | None = None
    limit: str | None = None
    units: dict[str, t.Any] | None = None
    made_by: dict[str, t.Any] | None = None
    inflight: "dict[bytes, Task] | None" = None
    followers: "list[Task] | None" = None
    output: StepOutput | None = None
    kept: tuple[StepOutput, frozenset[int]] | None = None
    tracked: TrackedInputs | None = None
    asked_cache: bool = False
    awaited_inputs: int = 0
    freed_limit: str | None = None

    @property
    def name(self) -> str:
        """The step's id, for an item with its path behind it: memos are stored under this name."""
        return self.step.id if self.path is None else f"{self.step.id}#{'.'.join(map(str, self.path))}"

    def copy_args(self) -> None:
        """Copy the arguments that the function could change: other calls read the same values."""
        self.args = tuple([deep_copied(value) if type(value) in MUTABLE else value for value in self.args])
        self.copy_settings()

    def copy_settings(self) -> None:
        """Copy the keyword arguments that the function could change: they are the plan's own settings."""
        self.kwargs = {
            name: deep_copied(value) if type(value) in MUTABLE else value
            for name, value in self.kwargs.items()
        }

    def leave_inflight(self) -> None:
        """Remove the task from where others find it: its result is in the cache, or there is none."""
        inflight, self.inflight = self.inflight, None
        if inflight is not None and inflight.get(self.key) is self:
            del inflight[self.key]


class Items:
    """A fanned-out step under way: its items' results, and the shape of the lists that they go into.

    `left` items have not ended yet, `done` have a result or were skipped. `stopped`: the run ended first.
    `reads` are the fields of tracked values that items read, by source.
    """

    def __init__(self, shape: t.Any, total: int, started: float) -> None:
        self.shape = shape
        self.total = total
        self.left = total
        self.done = 0
        self.cost = 0.0
        self.started = started
        self.outputs: dict[Path, StepOutput] = {}
        self.errors: dict[Path, NodeError] = {}
        self.units: dict[str, t.Any] = {}
        self.made_by: dict[str, t.Any] | None = None
        self.cached = True
        self.stopped = False
        self.reads: dict[str, frozenset[str]] = {}
        self.covered: frozenset[int] | None = None

    def add_reads(self, tracked: TrackedInputs | None) -> None:
        """Add what an item's function read. `covered` inputs are those that all items cover."""
        covered = tracked.covered if tracked is not None else frozenset()
        self.covered = covered if self.covered is None else self.covered & covered
        for source, fields in tracked.fields_by_source().items() if tracked is not None else ():
            self.reads[source] = self.reads.get(source, frozenset()) | fields
