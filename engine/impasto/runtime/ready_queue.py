"""The steps and tasks that can run now."""

from collections import deque
from collections.abc import Callable

from impasto.compiler.step import Step
from impasto.runtime.recording.event_buffer import EventBuffer, no_op
from impasto.runtime.run_state import RunState
from impasto.runtime.step_status import ABSENT, PENDING
from impasto.runtime.task import Task


class ReadyQueue:
    """A first-in, first-out queue of steps whose sources have ended, and of tasks that may go on.

    `start_worker` is called when something is queued and no started worker is about to take it.
    """

    __slots__ = ("_buffer", "_state", "has_idle_worker", "items", "start_worker")

    def __init__(self, state: RunState, buffer: EventBuffer) -> None:
        self._state = state
        self._buffer = buffer
        self.items: deque[Step | Task] = deque()
        self.has_idle_worker = False
        self.start_worker: Callable[[], None] = no_op

    def add_all_steps(self) -> None:
        """Make every step of the plan part of the run, and queue those without sources."""
        state = self._state
        state.remaining = len(state.waiting)
        state.statuses.set_all_pending()
        for index in state.plan.order:
            if state.waiting[index]:
                break
            self._add_step(index)

    def add_steps(self, steps: set[int]) -> None:
        """Make these steps part of the run unless they are, and queue those that wait for nothing."""
        state, codes, plan = self._state, self._state.statuses.codes, self._state.plan
        new = [index for index in plan.order if index in steps and codes[index] == ABSENT]
        for index in new:
            codes[index] = PENDING
        state.remaining += len(new)
        for index in new:
            state.waiting[index] = sum(1 for source in plan.steps[index].sources if codes[source] <= PENDING)
        for index in new:
            if not state.waiting[index]:
                self._add_step(index)

    def _add_step(self, index: int) -> None:
        step = self._state.plan.steps[index]
        self._buffer.emit("step.queued", step.id)
        self.items.append(step)

    def add_task(self, task: Task) -> None:
        """Queue a task that was parked."""
        self._state.parked.discard(task)
        self.items.append(task)
        self.wake()

    def wake(self) -> None:
        """Make sure that a worker takes what is queued."""
        if self.items and not self.has_idle_worker and not self._state.over:
            self.has_idle_worker = True
            self.start_worker()
