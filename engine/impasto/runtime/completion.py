"""How tasks and steps end: their results are recorded, and the steps that wait for them are queued."""

import typing as t

import msgspec
import orjson

from impasto.cache.protocol import Cache
from impasto.cache.reuse import NEVER
from impasto.cache.tracked_inputs import Fields, TrackedInputs
from impasto.compiler.step import Step
from impasto.errors import InputUnavailable, NodeError
from impasto.hashing import canonical_json
from impasto.runtime.budget import Budget
from impasto.runtime.fan_out import FanOut, assemble, items_error
from impasto.runtime.inputs.lazy import LazyInputs
from impasto.runtime.inputs.step_reads import StepReads
from impasto.runtime.ready_queue import ReadyQueue
from impasto.runtime.recording.journal_writer import JournalWriter
from impasto.runtime.run_state import RunState, clock
from impasto.runtime.step_output import StepOutput, closed_output
from impasto.runtime.step_status import PENDING
from impasto.runtime.task import Items, Task
from impasto.sdk.node_type import NodeType
from impasto.tracking import EVERYTHING


class StepFinished(msgspec.Struct, gc=False, eq=False):
    """The data of a `step.finished` event, built when it is first read."""

    output: StepOutput
    node_type: NodeType
    seconds: float
    cost_usd: float
    cached: bool
    units: dict[str, t.Any] | None
    made_by: dict[str, t.Any] | None
    reads: Fields | None

    def __call__(self) -> dict[str, t.Any]:
        """Return the data."""
        return {"outputs": self.output.event_data(self.node_type), **self._rest()}

    def body(self) -> bytes:
        """Return the data as JSON, without parsing the outputs."""
        if self.output.has_skipped:
            return canonical_json(self())
        outputs = self.output.to_json(self.node_type)
        return b'{"outputs":%s,%s' % (outputs, orjson.dumps(self._rest())[1:])

    def _rest(self) -> dict[str, t.Any]:
        rest = {
            "seconds": self.seconds,
            "cost_usd": self.cost_usd,
            "cached": self.cached,
            "units": self.units or {},
            "made_by": self.made_by,
        }
        if self.reads:
            rest["reads"] = {source: sorted(fields) for source, fields in self.reads.items()}
        return rest


class Completion:
    """Ends tasks, then their steps, then the run. `on_*` methods end tasks, the others end steps."""

    __slots__ = ("_budget", "_buffer", "_cache", "_fan_out", "_lazy", "_reads", "_ready", "_state", "_writer")

    def __init__(
        self,
        state: RunState,
        ready: ReadyQueue,
        writer: JournalWriter,
        cache: Cache | None,
        budget: Budget,
        fan_out: FanOut,
        lazy: LazyInputs,
    ) -> None:
        self._state = state
        self._ready = ready
        self._writer = writer
        self._buffer = writer.buffer
        self._cache = cache
        self._budget = budget
        self._fan_out = fan_out
        self._lazy = lazy
        self._reads = StepReads(state) if state.plan.is_tracked else None

    # -- tasks ---------------------------------------------------------------------------------

    def on_task_done(self, task: Task, output: StepOutput, cached: bool) -> None:
        """Give a task's output to its step or item, to its followers, and (unless `cached`) to the cache."""
        step, state, key = task.step, self._state, task.key
        if state.reuse_modes[step.index] != NEVER:
            state.outputs_by_key[key] = output
        task.output = output
        if task.tracked is not None:
            key = note_reads(task, task.tracked, output, cached)
        if task.items is None:
            seconds = 0.0 if cached else clock() - task.started
            self._finish_step(step, output, seconds, cached, task)
        else:
            self._fan_out.on_item_done(task, task.items, output, cached)
            self._finish_items(step, task.items)
        if task.followers is not None:
            notify_followers(task, None)
        if self._cache is not None and not cached:
            self._buffer.cache_output(key.hex(), output.to_json(step.type), task)
        elif task.inflight is not None:
            task.leave_inflight()

    def on_task_failed(self, task: Task, raised: BaseException) -> None:
        """Fail a task's step or item, and its followers in this run."""
        error = NodeError.wrap(raised)
        if task.items is not None:
            self._fan_out.on_item_failed(task, task.items, error)
            self._finish_items(task.step, task.items)
        elif isinstance(raised, InputUnavailable):
            self.skip_step(task.step, raised.because, raised.reason, work=task)
        else:
            self.fail_step(task.step, error, clock() - task.started, task)
        task.leave_inflight()
        notify_followers(task, error)

    def on_task_stopped(self, task: Task) -> None:
        """End a task because the run ends: its step or item is cancelled, or skipped before its start."""
        if task.items is not None:
            self._fan_out.on_item_stopped(task, task.items)
            self._finish_items(task.step, task.items)
        else:
            reason = self._state.stopping or "cancelled"
            self.skip_step(task.step, None, reason, cancelled=bool(task.started), work=task)
        task.leave_inflight()
        notify_followers(task, None)

    # -- steps ---------------------------------------------------------------------------------

    def _finish_step(
        self, step: Step, output: StepOutput, seconds: float, cached: bool, work: Task | Items
    ) -> None:
        state, buffer, index = self._state, self._buffer, step.index
        cost = self._cost_of(step, work) if state.carried_costs else work.cost
        reads = self._reads.on_step_finished(step, work) if self._reads is not None else None
        state.outputs[index] = output
        state.statuses.finish(index, seconds, cost, cached)
        if output.has_skipped:
            buffer.record("outcome", "", step.id, output.to_json(step.type))
        if not buffer.closed:
            node_type = step.type
            data = StepFinished(output, node_type, seconds, cost, cached, work.units, work.made_by, reads)
            if not cached and (node_type.generative or node_type.effects):
                buffer.is_urgent = True
            buffer.emit("step.finished", step.id, data)
        self._on_step_ended(step)

    def _finish_items(self, step: Step, items: Items) -> None:
        if not items.left:
            self.end_items(step, items)

    def end_items(self, step: Step, items: Items) -> None:
        """End a fanned-out step, all of whose items have ended."""
        state = self._state
        state.statuses.items[step.index] = items.outputs
        seconds = clock() - items.started
        if items.stopped:
            self.skip_step(step, None, state.stopping or "cancelled", cancelled=True, work=items)
        elif items.errors:
            self.fail_step(step, items_error(items.errors, items.total), seconds, items)
        else:
            output = assemble(items.shape, step.fan_out, items.outputs, len(step.type.outputs))
            self._finish_step(step, output, seconds, items.cached and items.total > 0, items)

    def fail_step(
        self, step: Step, error: NodeError, seconds: float = 0.0, work: Task | Items | None = None
    ) -> None:
        """End a step that failed, after `seconds` of work."""
        cost = self._cost_of(step, work)
        self._state.statuses.fail(step.index, error, seconds, cost)
        data: dict[str, t.Any] = {"error": error.to_dict(), "seconds": seconds, "cost_usd": cost}
        if cost and work is not None:
            data["made_by"] = work.made_by
        self._buffer.emit("step.failed", step.id, data)
        self._on_step_ended(step)

    def skip_step(
        self,
        step: Step,
        because: str | None,
        reason: str,
        cancelled: bool = False,
        work: Task | Items | None = None,
    ) -> None:
        """End a step that does not run, or (`cancelled`) that was running. `because` is the step to blame."""
        reason = "cancelled" if reason == "timeout" else reason
        self._state.statuses.skip(step.index, because, reason, cancelled)
        if reason == "closed":
            self._state.outputs[step.index] = closed_output(len(step.type.outputs))
        data: dict[str, t.Any] = {"because": because, "reason": reason}
        cost = self._cost_of(step, work)
        if cost:
            self._state.statuses.costs[step.index] = cost
            data |= {"cost_usd": cost, "made_by": work.made_by if work is not None else None}
        self._buffer.emit("step.skipped", step.id, data)
        self._on_step_ended(step)

    def _cost_of(self, step: Step, work: Task | Items | None) -> float:
        """Return what a step that ends was charged, also by processes that died while they executed it."""
        cost = work.cost if work is not None else 0.0
        return cost + self._state.carried_costs.pop(step.index, 0.0)

    def _on_step_ended(self, step: Step) -> None:
        """Queue the steps that waited only for this one, and free the values that it was the last to read."""
        state = self._state
        plan, waiting = state.plan, state.waiting
        state.remaining -= 1
        for index in plan.successors[step.index]:
            waiting[index] = missing = waiting[index] - 1
            if not missing and state.statuses.codes[index] == PENDING:
                follower = plan.steps[index]
                self._buffer.emit("step.queued", follower.id)
                self._ready.items.append(follower)
        readers, outputs = state.readers, state.outputs
        for source in step.sources:
            readers[source] = left = readers[source] - 1
            if not left and (output := outputs[source]) is not None:
                output.values = None  # their JSON stays
        if plan.lazy:
            self._free_lazy_sources(step)
            self._lazy.on_step_ended(step.index)
        if not state.remaining:
            self.end_run()

    def _free_lazy_sources(self, step: Step) -> None:
        state = self._state
        sources = [source.step for binding in step.bindings() if binding.lazy for source in binding.sources]
        for source in sources:
            state.readers[source] -= 1
            if not state.readers[source] and (output := state.outputs[source]) is not None:
                output.values = None

    # -- the run -------------------------------------------------------------------------------

    def end_run(self) -> None:
        """Emit the run's last event, once every step has ended."""
        state = self._state
        if state.over:
            return
        state.over = True
        state.ended = clock()
        for timer in state.timers:
            timer.cancel()
        for index in state.statuses.unused():
            data = {"because": None, "reason": "closed"}
            self._buffer.emit("step.skipped", state.plan.steps[index].id, data)
            state.statuses.skip(index, None, "closed")
        status, error = state.verdict()
        ending: dict[str, t.Any] = {"seconds": state.ended - state.started, "cost_usd": self._budget.spent}
        if error is not None:
            ending["error"] = error.to_dict()
        self._buffer.emit(f"run.{status}", None, ending)
        state.ended_event.set()
        self._writer.wake_readers()


def note_reads(task: Task, tracked: TrackedInputs, output: StepOutput, cached: bool) -> bytes:
    """Give the task's output what its function read, or the task what was read to make a `cached` output.

    Returns the output's key in a cache.
    """
    if cached:
        tracked.log.add_all(EVERYTHING if output.read_paths is None else output.read_paths)
    paths = output.read_paths = tracked.paths
    return tracked.key_of(paths) or task.key


def notify_followers(leader: Task, error: NodeError | None) -> None:
    """Tell the tasks that wait for the leader's output how it ended; they may belong to other runs."""
    followers, leader.followers = leader.followers, None
    for follower in followers or ():
        follower.run.on_leader_done(follower, leader, error)
