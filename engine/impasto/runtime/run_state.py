"""The data of one run. The parts of the runtime share it; it has no behaviour of its own."""

import asyncio
import sys
import typing as t
from collections.abc import Mapping
from time import perf_counter as clock

from impasto.cache import reuse
from impasto.cache.tracked_inputs import Fields
from impasto.compiler.plan import Plan
from impasto.encoding import to_json
from impasto.errors import NodeError
from impasto.runtime.options import Options
from impasto.runtime.step_output import StepOutput
from impasto.runtime.step_status import StepStatusTable
from impasto.runtime.task import Path, Task

__all__ = ["RunStarted", "RunState", "clock"]

_NO_FRESH: tuple[set[int], dict[int, set[Path]]] = (set(), {})


class RunState:
    """The state of a run. Lists are by step index.

    `waiting` counts the sources that each step still waits for, `readers` the steps that still read its
    output. `remaining` steps have not ended. `reuse_modes` says how far each step's output may be shared,
    `fresh_items` which items of a step run again. `outputs_by_key` and `inflight` find finished and suspended
    tasks by key. `active` tasks are suspended in their function, `running` is the number of those that do
    not await a lazy input, `parked` ones wait for a concurrency slot, for dollars that others have reserved,
    or for another task's output. `stopping` is why the run ends early ("cancelled", "timeout" or "budget");
    `cancelled_steps` are cancelled alone, by index. `over`: nothing happens any more; `ended_event` is set
    then. `abandoned`: over without an end, so that another process may resume the run. `reads` has what
    finished steps and those before them read of tracked values, by step index. `carried_costs` are US
    dollars, by step index, that steps which did not end were charged in processes that died.
    """

    __slots__ = (
        "abandoned", "active", "cancelled_steps", "carried_costs", "ended", "ended_event", "fresh_items",
        "inflight", "loop", "max_running", "options", "outputs", "outputs_by_key", "over", "parked", "plan",
        "readers", "reads", "remaining", "reuse_modes", "run_id", "running", "started", "statuses",
        "stop_error", "stopping", "timers", "waiting",
    )  # fmt: skip

    def __init__(self, plan: Plan, run_id: str, options: Options) -> None:
        self.plan = plan
        self.run_id = run_id
        self.options = options
        self.loop = asyncio.get_running_loop()
        fresh, self.fresh_items = plan.afresh(options.fresh) if options.fresh else _NO_FRESH
        self.reuse_modes = reuse.modes(plan, options.reuse, fresh, self.fresh_items)
        self.statuses = StepStatusTable(plan)
        self.outputs: list[StepOutput | None] = [None] * len(plan.steps)
        self.readers = list(plan.readers)
        self.reads: dict[int, Fields] = {}
        self.carried_costs: dict[int, float] = {}
        self.waiting = list(plan.indegree)
        self.remaining = 0
        self.running = 0
        self.max_running = options.max_concurrency or sys.maxsize
        self.outputs_by_key: dict[bytes, StepOutput] = {}
        self.inflight: dict[bytes, Task] = {}
        self.active: set[Task] = set()
        self.parked: set[Task] = set()
        self.timers: list[asyncio.TimerHandle] = []
        self.stopping: str | None = None
        self.cancelled_steps: set[int] = set()
        self.stop_error: NodeError | None = None
        self.over = False
        self.abandoned = False
        self.ended_event = asyncio.Event()
        self.started = self.ended = clock()

    def is_stopped(self, index: int) -> bool:
        """Return whether the step may not start: the run is stopping, or the step was cancelled."""
        return self.stopping is not None or index in self.cancelled_steps

    def verdict(self) -> tuple[str, NodeError | None]:
        """Return the status that the run ends with, and its error if it failed."""
        if self.stopping == "cancelled":
            return "cancelled", None
        if self.stop_error is not None:
            return "failed", self.stop_error
        failed = self.statuses.first_error()
        return ("failed", failed) if failed is not None else ("finished", None)


class RunStarted(t.NamedTuple):
    """The data of a `run.started` event, built when it is first read."""

    plan: Plan
    inputs: Mapping[str, t.Any]
    resumed: bool

    def __call__(self) -> dict[str, t.Any]:
        """Return the data."""
        steps = [{"id": step.id, "type": step.type.id, "title": step.title} for step in self.plan.steps]
        return {"inputs": to_json(dict(self.inputs)), "steps": steps, "resumed": self.resumed}
