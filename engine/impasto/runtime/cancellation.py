"""How a run ends early: cancelled, timed out, or abandoned for another process to resume."""

from collections.abc import Iterable

from impasto.errors import NodeError
from impasto.runtime.admission import Admission
from impasto.runtime.completion import notify_followers
from impasto.runtime.policies.limits import Limits
from impasto.runtime.ready_queue import ReadyQueue
from impasto.runtime.run_state import RunState
from impasto.runtime.task import Task


class Cancellation:
    """Stops runs, and abandons tasks that do not end in time."""

    __slots__ = ("_admission", "_limits", "_ready", "_state")

    def __init__(self, state: RunState, ready: ReadyQueue, limits: Limits, admission: Admission) -> None:
        self._state = state
        self._ready = ready
        self._limits = limits
        self._admission = admission

    def start_timeout(self) -> None:
        """Stop the run when its own timeout passes, if it has one."""
        seconds = self._state.options.timeout
        if seconds is not None:
            self._state.timers.append(self._state.loop.call_later(seconds, self._on_timeout, seconds))

    def _on_timeout(self, seconds: float) -> None:
        sentence = f"The run took longer than its limit of {seconds:g} seconds."
        self.stop("timeout", NodeError(sentence, code="timeout", retryable=True))

    def stop(self, reason: str, error: NodeError | None = None) -> None:
        """Start nothing more and cancel running tasks; after `grace` seconds the rest are abandoned.

        `reason` is "cancelled" or "timeout". The first call counts.
        """
        state = self._state
        if state.over or state.stopping in {"cancelled", "timeout"}:
            return
        state.stopping = reason
        state.stop_error = error
        # Closing the event loop cancels every asyncio task, a started worker before its first line.
        self._ready.has_idle_worker = False
        self._admission.unpark_all()
        for task in list(state.active):
            if task.worker is not None:
                task.worker.cancel()
        state.timers.append(state.loop.call_later(state.options.grace, self._abandon_active))

    def stop_steps(self, names: Iterable[str]) -> None:
        """Cancel these steps, or all steps inside of these nodes; the rest of the run goes on.

        A step that has ended stays as it is. What depends on a cancelled one is skipped.
        """
        state = self._state
        if state.over or state.stopping is not None:
            return
        steps = state.plan.expand(names, "all") - state.cancelled_steps
        if not steps:
            return
        state.cancelled_steps |= steps
        for task in [task for task in state.parked if task.step.index in steps]:
            self._ready.add_task(task)
        running = [task for task in state.active if task.step.index in steps]
        for task in running:
            if task.worker is not None:
                task.worker.cancel()
        if running:
            state.timers.append(state.loop.call_later(state.options.grace, self._abandon, running))

    def _abandon_active(self) -> None:
        """Stop waiting for all cancelled tasks."""
        self._abandon(list(self._state.active))

    def _abandon(self, tasks: Iterable[Task]) -> None:
        """Stop waiting for cancelled tasks past the grace period, and discard their results."""
        for task in tasks:
            if task not in self._state.active:
                continue
            self._admission.release(task)
            self._admission.stop_task(task)
            _abandon(task)

    def on_task_cancelled(self, task: Task) -> bool:
        """End a task that the run or its caller cancelled; return False if its own function did."""
        if self._state.is_stopped(task.step.index):
            self._admission.stop_task(task)
            return True
        if task.worker is not None and task.worker.cancelling():
            self._admission.stop_task(task)
            self.stop("cancelled")
            return True
        return False

    def abandon_run(self) -> None:
        """End the run without an event: another process may resume it."""
        state = self._state
        state.over = state.abandoned = True
        for timer in state.timers:
            timer.cancel()
        # A queued task may hold a slot that it waited for, or be what tasks of other runs wait for.
        queued = (item for item in self._ready.items if isinstance(item, Task))
        for task in (*state.active, *state.parked, *queued):
            task.cancelled = True
            task.leave_inflight()
            self._limits.release(task)
            notify_followers(task, None)
        if state.active:
            state.loop.call_later(state.options.grace, self.abandon_tasks)
        state.ended_event.set()

    def abandon_tasks(self) -> None:
        """Stop waiting for the functions of a run that is over."""
        for task in self._state.active:
            _abandon(task)


def _abandon(task: Task) -> None:
    task.abandoned = True
    if task.worker is not None:
        task.worker.cancel()
