"""Whether a task may start: reuse of known results, the budget, concurrency limits, the cache."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from impasto.cache import reuse
from impasto.cache.protocol import Cache
from impasto.cache.reuse import SHARED, SOME, WHOLE
from impasto.cache.traces import load_sets
from impasto.compiler.estimate import least_usd
from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.runtime.budget import Budget
from impasto.runtime.completion import Completion, notify_followers
from impasto.runtime.inputs.earlier_outputs import EarlierOutputs
from impasto.runtime.inputs.resolver import InputResolver
from impasto.runtime.policies.limits import Limits
from impasto.runtime.ready_queue import ReadyQueue
from impasto.runtime.resources import Resources
from impasto.runtime.run_state import RunState
from impasto.runtime.step_output import StepOutput, output_from_json
from impasto.runtime.task import Task
from impasto.tracking import EVERYTHING

log = logging.getLogger("impasto")


class Admission:
    """Decides for each task whether it runs now, later or never. Frees what an admitted task holds."""

    __slots__ = (
        "_budget", "_cache", "_completion", "_earlier", "_inputs", "_limits", "_peek", "_ready", "_resources",
        "_state", "_waiting", "is_limited", "may_ask_cache",
    )  # fmt: skip

    def __init__(
        self,
        state: RunState,
        ready: ReadyQueue,
        cache: Cache | None,
        budget: Budget,
        limits: Limits,
        resources: Resources,
        inputs: InputResolver,
        completion: Completion,
    ) -> None:
        self._state = state
        self._ready = ready
        self._cache = cache
        self._budget = budget
        self._waiting: deque[Task] = deque()  # for dollars that are reserved now
        budget.on_free = self._on_dollars_free
        self._limits = limits
        self._resources = resources
        self._inputs = inputs
        self._completion = completion
        earlier = state.options.earlier
        self._earlier = EarlierOutputs(state.plan, earlier, state.reuse_modes) if earlier else None
        self._peek = cache.peek if cache is not None and cache.can_peek else None
        self.is_limited = budget.max_usd is not None or bool(limits.max_running)
        self.may_ask_cache = cache is not None and (self._peek is None or bool(state.fresh_items))

    def may_go_on(self, task: Task) -> bool:
        """Return whether a queued task is still wanted; end it if the run or its step was stopped."""
        if task.cancelled:
            return False
        if self._state.is_stopped(task.step.index):
            self.stop_task(task)
            return False
        return True

    # -- reuse: the task need not run ----------------------------------------------------------

    def try_reuse(self, task: Task) -> bool:
        """End or park a task that need not run, and return True: its output is known or being computed."""
        state = self._state
        if self._earlier is not None and task.limit is None and self._use_earlier(self._earlier, task):
            return True
        mode = state.reuse_modes[task.step.index]
        if mode <= SOME or task.limit is not None or task.inflight is not None:
            return False
        found = state.outputs_by_key.get(task.key)
        if found is not None:
            self._completion.on_task_done(task, found, True)
            return True
        cache = self._cache if mode == SHARED else None
        inflight = state.inflight if cache is None else cache.inflight
        leader = inflight.get(task.key) if inflight else None
        if leader is not None:
            self._follow(task, leader)
            return True
        if cache is None:
            return False
        if self._peek is not None and self._peek_cache(self._peek, task):
            return True
        inflight[task.key] = task
        task.inflight = inflight
        return False

    def _use_earlier(self, earlier: EarlierOutputs, task: Task) -> bool:
        """End the task with its output in the earlier run; with items to renew, let it keep the others."""
        renew = self._positions_to_renew(task)
        body = earlier.body_of(task.step.index, task.path) if renew != WHOLE else None
        return body is not None and self._use_cached(task, body, renew=renew)

    def _peek_cache(self, peek: Callable[[str], bytes | None], task: Task) -> bool:
        """End the task with an output of the cache, if it has one."""
        if task.tracked is not None:
            for paths in load_sets(peek(task.tracked.base.hex())):
                key = task.tracked.key_of(paths)
                if key is not None and self._use_cached(task, peek(key.hex()), paths):
                    return True
        return self._use_cached(task, peek(task.key.hex()))

    def _follow(self, task: Task, leader: Task) -> None:
        """Wait for the output of a task with the same key."""
        if leader.output is not None:
            self._completion.on_task_done(task, leader.output, True)
            return
        leader.followers = leader.followers or []
        leader.followers.append(task)
        self._state.parked.add(task)

    def must_ask_cache(self, task: Task) -> bool:
        """Return whether the cache, which must be awaited, may hold the task's output or a part of it."""
        mode = self._state.reuse_modes[task.step.index]
        if (
            task.asked_cache
            or task.limit is not None
            or task.kept is not None
            or not (mode == SOME or (mode == SHARED and self._peek is None))
        ):
            return False
        return self._positions_to_renew(task) != WHOLE

    async def try_cache(self, task: Task) -> bool:
        """Ask the cache; return True if the task need not run: it has its output, or its run ends."""
        body, paths = None, EVERYTHING
        task.asked_cache = True
        try:
            if self._cache is not None:
                body, paths = await self._look_up(self._cache, task)
        except asyncio.CancelledError:
            _free_followers(task)
            raise
        except Exception:
            log.exception("Failed to look up the output of step %r in the cache.", task.step.id)
        if self._state.over:  # the cache has suppressed the cancellation
            _free_followers(task)
            return True
        if self._state.is_stopped(task.step.index):
            self.stop_task(task)
            return True
        return self._use_cached(task, body, paths, self._positions_to_renew(task))

    async def _look_up(self, cache: Cache, task: Task) -> tuple[bytes | None, frozenset[str]]:
        """Return the task's output in the cache, and what was read to make it."""
        if task.tracked is not None:
            for paths in load_sets(await cache.get(task.tracked.base.hex())):
                key = task.tracked.key_of(paths)
                found = await cache.get(key.hex()) if key is not None else None
                if found is not None:
                    return bytes(found), paths
        found = await cache.get(task.key.hex())
        # A cache may return a view of its own memory.
        return bytes(found) if found is not None else None, EVERYTHING

    def _positions_to_renew(self, task: Task) -> frozenset[int] | None:
        """Return the positions in the task's lists that `fresh` asks to generate again."""
        index = task.step.index
        if self._state.reuse_modes[index] != SOME:
            return None
        return reuse.wanted(self._state.fresh_items[index], task.path or ())

    def _use_cached(
        self,
        task: Task,
        body: bytes | None,
        paths: frozenset[str] = EVERYTHING,
        renew: frozenset[int] | None = None,
    ) -> bool:
        """End the task with a cached output if it still fits the node type and the store has its assets.

        `paths` are what the function read of tracked inputs to make it. With positions to `renew` the task
        runs all the same, and the function may keep the rest of it.
        """
        output = output_from_json(task.step.type, body) if body is not None else None
        if output is None or body is None:
            return False
        if body.find(b'"asset_id"') != -1 and not self._resources.has_assets(output):
            return False
        output.read_paths = paths
        if renew and self._has_positions(output, renew):
            task.kept = output, renew
            if task.tracked is not None:
                task.tracked.log.add_all(paths)
            return False
        self._completion.on_task_done(task, output, True)
        return True

    def _has_positions(self, output: StepOutput, positions: frozenset[int]) -> bool:
        types = self._state.plan.value_types
        return any(
            output.list_without(positions, port, types) is not None for port in range(len(output.blobs))
        )

    # -- budget and limits ---------------------------------------------------------------------

    def try_admit(self, task: Task) -> bool:
        """Return whether the task may start now. If not, it is parked, or ended by the budget.

        A parked task waits for a slot, or for dollars that others have reserved. It never holds the one while
        it waits for the other.
        """
        limit = task.step.type.limit
        if limit is not None and task.limit is None and not self._limits.acquire(limit, task):
            self._state.parked.add(task)
            return False
        budget = self._budget
        if budget.max_usd is None or task.reservation is not None:
            return True
        task.reservation = budget.reserve(self._estimate(task))
        if task.reservation is not None:
            self._on_dollars_free()
            return True
        if budget.is_held:
            self._limits.release(task)
            self._state.parked.add(task)
            self._waiting.append(task)
        else:
            self.on_budget_exceeded()
            self.stop_task(task)
        return False

    def _on_dollars_free(self) -> None:
        """Queue the next task that waits for dollars: it asks again."""
        while self._waiting:
            task = self._waiting.popleft()
            if task in self._state.parked:
                self._ready.add_task(task)
                return

    def _estimate(self, task: Task) -> float:
        """Return the dollars that must be left for the task to start."""
        if not task.prepared:
            self._inputs.prepare(task)
        names = [port.name for port in task.step.ports if not port.spread]
        read = task.tracked.paths if task.tracked is not None else None
        usd = least_usd(task.step, task.kwargs, dict(zip(names, task.args, strict=False)))
        if task.tracked is not None and read is not None:
            task.tracked.log.restore(read)  # the output does not depend on what the cost function reads
        return usd

    def release(self, task: Task) -> None:
        """Free what a task that ran holds: its place among the running, its reservation, its slot."""
        state = self._state
        if task in state.active:
            state.active.remove(task)
            if not task.awaited_inputs:
                state.running -= 1
        if task.reservation is not None:
            self._budget.release(task.reservation)
            task.reservation = None
        if task.limit is not None:
            self._limits.release(task)

    # -- ending tasks that may not run ---------------------------------------------------------

    def stop_task(self, task: Task) -> None:
        """End a task because the run ends, and free its slot."""
        task.cancelled = True
        self._limits.release(task)
        self._completion.on_task_stopped(task)

    def on_budget_exceeded(self, error: NodeError | None = None) -> None:
        """Let running tasks finish and start no others: the run ends as failed with the error."""
        state = self._state
        if state.stop_error is None:
            sentence = f"The run reached its budget of ${self._budget.max_usd or 0:g} and was stopped."
            own = error or state.options.budget_error
            state.stop_error = own or NodeError(sentence, code="budget_exceeded")
        state.stopping = state.stopping or "budget"
        self.unpark_all()

    def unpark_all(self) -> None:
        """Queue the tasks that wait for a slot or for another task's output, because the run is stopping."""
        for task in list(self._state.parked):
            self._ready.add_task(task)
        self._ready.wake()

    def needs_durable_inputs(self, step: Step, is_journal_idle: bool) -> bool:
        """Return whether a step must wait until what it reads is durable.

        A step with effects waits for everything that it reads. Any other step waits only for what a resume
        would not compute again exactly: outputs of generative functions and of functions with effects. With
        `durable_starts` every step waits, for its own start too.
        """
        if self._state.options.durable_starts:
            return True
        if is_journal_idle or not step.sources:
            return False
        steps = self._state.plan.steps
        return step.type.effects or any(
            steps[source].type.effects or steps[source].type.generative for source in step.sources
        )


def _free_followers(task: Task) -> None:
    """Let tasks of other runs go on that would wait forever for a task of an abandoned run."""
    task.leave_inflight()
    notify_followers(task, None)
