"""The scheduler: takes what is ready and runs it. Nothing polls.

A step's life: its sources end and it is queued (`Completion`); `advance` takes it from the ready queue and
opens it into one task, or one task per item; `Admission` lets the task start; `start` calls the node's
function; `on_returned` or `on_raised` hand what it did to `Completion`, which queues the next steps.
"""

import asyncio
import typing as t
from collections.abc import Callable, Coroutine, Mapping

from impasto.cache.protocol import Cache
from impasto.cache.reuse import NEVER
from impasto.compiler.step import Step
from impasto.errors import NodeError, ServiceUnavailable
from impasto.runtime.admission import Admission
from impasto.runtime.budget import Budget
from impasto.runtime.cancellation import Cancellation
from impasto.runtime.completion import Completion
from impasto.runtime.executors.abandonable import AbandonableAwaitable
from impasto.runtime.fan_out import FanOut
from impasto.runtime.inputs.lazy import LazyInputs
from impasto.runtime.inputs.resolver import InputClosed, InputResolver, SourceUnfinished
from impasto.runtime.node_services import NodeServices
from impasto.runtime.policies import body_for
from impasto.runtime.ready_queue import ReadyQueue
from impasto.runtime.recording.journal_writer import JournalWriter
from impasto.runtime.replay import RecoveredRun
from impasto.runtime.resources import Resources
from impasto.runtime.run_state import RunState, clock
from impasto.runtime.spending import Spending
from impasto.runtime.step_output import output_from_value
from impasto.runtime.task import Task
from impasto.sdk.context import Context

MAX_TURNS: t.Final = 128


class Yield:
    """Yield to the event loop, after MAX_TURNS steps that finished synchronously."""


YIELD: t.Final = Yield()
# What a worker must await before it calls `advance` again: a suspended function, a step whose key needs
# awaiting, a task whose output the cache may hold, or a turn of the event loop.
Suspension = AbandonableAwaitable[Task] | Step | Task | Yield


class Scheduler:
    """Runs one plan. Owns the ready queue; everything else that a run does is a part that it holds."""

    __slots__ = (
        "_buffer", "_completion", "_fan_out", "_inputs", "_on_call_ended", "_recovered", "_services",
        "_unused", "admission", "budget", "cancellation", "on_unavailable", "ready", "spending", "state",
        "writer",
    )  # fmt: skip

    def __init__(
        self,
        state: RunState,
        inputs: Mapping[int, t.Any],
        writer: JournalWriter,
        cache: Cache | None,
        resources: Resources,
        recovered: RecoveredRun,
    ) -> None:
        self.state = state
        self.writer = writer
        self._buffer = writer.buffer
        self._recovered = recovered
        limits = state.options.shared_limits
        self.budget = budget = Budget(state.options.budget_usd, recovered.spent)
        self.ready = ready = ReadyQueue(state, writer.buffer)
        lazy = LazyInputs(state, ready, limits)
        self._inputs = InputResolver(state, lazy, inputs, cache is not None)
        self._fan_out = FanOut(self._inputs, recovered, writer.buffer)
        self._completion = Completion(state, ready, writer, cache, budget, self._fan_out, lazy)
        self.admission = Admission(
            state, ready, cache, budget, limits, resources, self._inputs, self._completion
        )
        self.cancellation = Cancellation(state, ready, limits, self.admission)
        self.spending = Spending(state, writer, budget, recovered, self.admission)
        self._services = NodeServices(state, writer, self.spending, recovered, resources)
        unused = (step.index for step in state.plan.unused_inputs(inputs))
        self._unused = state.plan.disabled.union(unused)
        self.on_unavailable: Callable[[ServiceUnavailable], None] | None = None
        self._on_call_ended = state.options.on_call_ended

    def begin(self) -> None:
        """Queue the first steps."""
        state, plan, options = self.state, self.state.plan, self.state.options
        targets = plan.expand(options.targets, "results") if options.targets is not None else None
        state.statuses.limit_to(plan.needed(targets) if targets is not None else None)
        self._recovered.restore(state)
        self._inputs.count_finished(self, self._recovered.outputs)
        self.spending.recover()
        if targets is None and not plan.lazy and not self._recovered.outputs:
            self.ready.add_all_steps()
        else:
            last = (
                targets if targets is not None else {i for i, count in enumerate(plan.readers) if not count}
            )
            self.ready.add_steps(plan.needed(last, lazy=False))
        self.cancellation.start_timeout()
        if state.remaining:
            self.ready.wake()
        else:
            self._completion.end_run()
            self.writer.schedule_flush()

    def advance(self, worker: "asyncio.Task[None]") -> Suspension | None:
        """Run what is ready; return what must be awaited, or None if nothing more may run now."""
        state, ready, admission, open_step = self.state, self.ready.items, self.admission, self.open_step
        self._buffer.defer_flush = True
        if state.running >= state.max_running:
            return None
        for _ in range(MAX_TURNS):
            if not ready or state.over:
                return None
            item = ready.popleft()
            if isinstance(item, Task):
                task = item if admission.may_go_on(item) else None
            elif item.type.outside:
                return item
            else:
                task = open_step(item)
            if task is None or admission.try_reuse(task):
                continue
            if admission.may_ask_cache and admission.must_ask_cache(task):
                return task
            if (suspended := self.start(task, worker)) is not None:
                return suspended
        return YIELD

    # -- from a step to its tasks --------------------------------------------------------------

    def open_step(self, step: Step, external_key: bytes = b"") -> Task | None:
        """Return the step's task; None if it has none: skipped, failed, or fanned out into queued tasks."""
        state = self.state
        if state.stopping is not None or step.index in state.cancelled_steps:
            self._completion.skip_step(step, None, state.stopping or "cancelled")
            return None
        if self._unused and step.index in self._unused:
            self._completion.skip_step(step, None, "closed")
            return None
        if step.feeds is not None and not external_key:
            key = self._inputs.direct_key(step)
            if key is not None:
                return Task(self, step, key)
        try:
            return self._resolve(step, external_key)
        except InputClosed as closed:
            self._completion.skip_step(step, closed.because, "closed")
        except SourceUnfinished as unfinished:
            statuses = self.state.statuses
            because, reason = statuses.root_cause(unfinished.source), statuses.reason(unfinished.source)
            self._completion.skip_step(step, because, reason)
        except Exception as error:  # noqa: BLE001 - a plugin's own type may refuse the value
            self._completion.fail_step(step, NodeError.wrap(error))
        return None

    def _resolve(self, step: Step, external_key: bytes) -> Task | None:
        """Open a step with conversions, lists, lazy inputs, driven settings, or unfinished sources."""
        inputs = self._inputs.resolve(step)
        if not step.fan_out:
            return self._inputs.make_task(self, step, [each.value for each in inputs], external_key)
        items, tasks = self._fan_out.expand(self, step, inputs, external_key)
        self.ready.items.extend(tasks)
        if not tasks:
            self._completion.end_items(step, items)
        return None

    async def open_awaited_step(self, step: Step) -> None:
        """Open a step whose key depends on a seed or on its type's fingerprint, which may need awaiting.

        Its task is the next in the queue.
        """
        try:
            external_key = await self._inputs.external_key(step)
        except Exception as error:  # noqa: BLE001 - the node type's own function
            self._completion.fail_step(step, NodeError.wrap(error))
            return
        task = self.open_step(step, external_key)
        if task is not None:
            self.ready.items.appendleft(task)

    # -- from a task to its result -------------------------------------------------------------

    def start(self, task: Task, worker: "asyncio.Task[None]") -> AbandonableAwaitable[Task] | None:
        """Call the function of a task that may start; return what must be awaited if it has not ended."""
        if self.admission.is_limited and not self.admission.try_admit(task):
            return None
        step, state = task.step, self.state
        task.worker = worker
        task.started = clock()
        if task.items is None or state.statuses.start_once(step.index):
            self._buffer.emit("step.started", step.id)
        try:
            if self._buffer.durable and self.admission.needs_durable_inputs(step, self.writer.idle):
                call = self._call_when_durable(task)
            else:
                call = self._call(task)
            try:
                waits_for = call.send(None)
            except StopIteration as end:
                value = end.value
            else:
                return AbandonableAwaitable(call, task, waits_for)
        except BaseException as error:  # noqa: BLE001 - any exception of a node's function fails its step
            self.on_raised(task, error)
            return None
        self.on_returned(task, value)
        return None

    async def _call_when_durable(self, task: Task) -> t.Any:
        await self.writer.wait_until_durable()
        return await self._call(task)

    def _call(self, task: Task) -> Coroutine[t.Any, t.Any, t.Any]:
        """Return the coroutine of a task's function and the policies around it, not started yet."""
        step, node_type = task.step, task.step.type
        call: Coroutine[t.Any, t.Any, t.Any]
        if not task.prepared:
            if node_type.simple:
                overrides = self._inputs.overrides
                settings = step.settings if step.index not in overrides else overrides[step.index][0]
                call = node_type.function(*self._inputs.direct_values(step), **settings)
                return call
            self._inputs.prepare(task)
        if task.items is not None:
            task.copy_args()
        elif node_type.open:
            task.copy_settings()
        if node_type.context is not None:
            task.context = Context(self._services, task)
            task.context.fingerprint = self._inputs.fingerprints.get(step.index)
            task.kwargs = {**task.kwargs, node_type.context: task.context}
        body = body_for(node_type)
        if body is not None:
            return body(task, self._services)
        call = node_type.function(*task.args, **task.kwargs)
        return call

    def on_suspended(self, task: Task) -> None:
        """Register a task that suspended, so that duplicates can follow it and cancellation can reach it."""
        state = self.state
        self.writer.schedule_flush()
        state.active.add(task)
        if not task.awaited_inputs:
            state.running += 1
        self.ready.wake()
        if task.inflight is None and state.reuse_modes[task.step.index] != NEVER:
            task.inflight = state.inflight
            state.inflight[task.key] = task
        is_cancelled = state.stopping in {"cancelled", "timeout"} or task.step.index in state.cancelled_steps
        if is_cancelled and task.worker is not None:  # its own function has cancelled it
            task.worker.cancel()

    def on_returned(self, task: Task, value: t.Any) -> None:
        """End a task whose function returned; a cancelled task's value is discarded."""
        if not task.cancelled:
            try:
                output = output_from_value(task.step.type, value)
            except Exception as error:  # noqa: BLE001 - the value does not fit the declared outputs
                self.on_raised(task, error)
                return
            if self._on_call_ended is not None:
                self._on_call_ended(task, clock() - task.started, None)
            state = self.state
            if self.admission.is_limited or task in state.active:
                self.admission.release(task)
            if state.stopping in {"cancelled", "timeout"}:
                self.admission.stop_task(task)
            else:
                self._completion.on_task_done(task, output, False)
        if task.context is not None:
            task.context.close()

    def on_raised(self, task: Task, error: BaseException) -> None:
        """End a task whose function raised, or was cancelled."""
        if self._on_call_ended is not None:
            self._on_call_ended(task, clock() - task.started, error)
        if not task.cancelled:
            self.admission.release(task)
            unavailable = ServiceUnavailable.find_in(error) if self.on_unavailable is not None else None
            if unavailable is not None and self.on_unavailable is not None:
                self.on_unavailable(unavailable)
            elif not isinstance(error, asyncio.CancelledError):
                self._completion.on_task_failed(task, error)
            elif not self.cancellation.on_task_cancelled(task):
                error = NodeError(detail="The node's function raised CancelledError, but was not cancelled.")
                self._completion.on_task_failed(task, error)
        if task.context is not None:
            task.context.close()

    # -- what happens to a task outside of its run ---------------------------------------------

    def on_slot_free(self, task: Task) -> None:
        """Queue a task that waited for a slot of a concurrency limit, and now holds one."""
        self.ready.add_task(task)

    def on_leader_done(self, task: Task, leader: Task, error: NodeError | None) -> None:
        """End a task that followed another, or queue it to run itself if another run's leader failed."""
        state = self.state
        if task.cancelled or state.over:
            return
        state.parked.discard(task)
        if leader.output is not None:
            self._completion.on_task_done(task, leader.output, True)
        elif error is not None and leader.run is self:
            task.started = clock()
            self._completion.on_task_failed(task, error)
        else:
            self.ready.items.append(task)
        self.ready.wake()
