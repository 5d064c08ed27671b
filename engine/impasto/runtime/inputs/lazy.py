"""Lazy inputs: what feeds them runs only when a node awaits them."""

import asyncio
import typing as t
from collections.abc import Callable

from impasto.compiler.step import Binding
from impasto.runtime.policies.limits import Limits
from impasto.runtime.ready_queue import ReadyQueue
from impasto.runtime.run_state import RunState
from impasto.runtime.step_status import ABSENT, PENDING
from impasto.runtime.task import Task
from impasto.types import Lazy


class LazyInputs:
    """Adds the steps that a lazy input needs to the run, and waits for them."""

    __slots__ = ("_limits", "_ready", "_state", "_waiters")

    def __init__(self, state: RunState, ready: ReadyQueue, limits: Limits) -> None:
        self._state = state
        self._ready = ready
        self._limits = limits
        self._waiters: dict[int, list[asyncio.Future[None]]] = {}

    def awaitable(self, task: Task, binding: Binding, read: Callable[[], t.Any]) -> Lazy[t.Any]:
        """Return the value of a lazy port: awaiting it runs the port's sources, then calls `read`."""
        loop = self._state.loop

        async def ask() -> t.Any:
            for source in binding.sources:
                await self._run_step(task, source.step)
            return read()

        def wait() -> t.Any:
            return asyncio.run_coroutine_threadsafe(ask(), loop).result()

        return Lazy(ask, wait)

    async def _run_step(self, task: Task, index: int) -> None:
        """Run a step and what it needs, and return when it has ended. The task does not run until then."""
        state, codes = self._state, self._state.statuses.codes
        if codes[index] == ABSENT and state.stopping is None:
            self._ready.add_steps(state.plan.needed({index}, lazy=False))
        if codes[index] > PENDING:
            return
        waiter: asyncio.Future[None] = state.loop.create_future()
        self._waiters.setdefault(index, []).append(waiter)
        self._suspend(task)
        self._ready.wake()
        try:
            await waiter
        finally:
            self._go_on(task)

    def _suspend(self, task: Task) -> None:
        """Free the task's place among the running, and its slot, while it awaits at least one input."""
        task.awaited_inputs += 1
        if task.awaited_inputs == 1:
            if task in self._state.active:
                self._state.running -= 1
            task.freed_limit = task.limit
            self._limits.release(task)

    def _go_on(self, task: Task) -> None:
        """Take them back, unless the task has ended: what its function has left behind awaited the input."""
        task.awaited_inputs -= 1
        if task.awaited_inputs == 0 and task in self._state.active and not task.cancelled:
            self._state.running += 1
            if task.freed_limit is not None:
                self._limits.reacquire(task.freed_limit, task)

    def on_step_ended(self, index: int) -> None:
        """Wake the tasks that await the step."""
        for waiter in self._waiters.pop(index, ()):
            if not waiter.done():
                waiter.set_result(None)
