"""The workers of a run: asyncio tasks that run what is ready.

A function that never suspends costs no asyncio task of its own: its worker goes on with the next step. When
one suspends while more is ready, another worker is started before this one awaits it. So a run has as many
workers as suspended functions, and one more.
"""

import asyncio

from impasto.runtime.executors.abandonable import AbandonableAwaitable
from impasto.runtime.recording.event_buffer import no_op
from impasto.runtime.scheduler import Scheduler, Suspension, Yield
from impasto.runtime.task import Task

# A worker that awaits a function may itself be what is cancelled or closed.
_MEANT_FOR_WORKER = (asyncio.CancelledError, GeneratorExit)


class Workers:
    """Starts workers for a scheduler, and ends them with the run."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._tasks: set[asyncio.Task[None]] = set()
        scheduler.ready.start_worker = self._start

    def _start(self) -> None:
        self._tasks.add(self._scheduler.state.loop.create_task(self._work()))

    async def _work(self) -> None:
        """Run what is ready until nothing is. An error of the engine itself ends the run (see `on_error`)."""
        me = asyncio.current_task()
        assert me is not None
        scheduler = self._scheduler
        state, writer, ready = scheduler.state, scheduler.writer, scheduler.ready
        ready.has_idle_worker = False
        try:
            await self._run_ready(me)
        except Exception as error:  # noqa: BLE001 - `Run.result` raises it
            if writer.error is None:
                writer.error = error
                writer.on_error()
        except BaseException:
            writer.schedule_flush()
            raise
        finally:
            self._tasks.discard(me)
            if state.running < state.max_running:
                ready.wake()
            if not state.over:
                writer.schedule_flush()
        if state.over:
            await writer.flush()

    async def _run_ready(self, me: "asyncio.Task[None]") -> None:
        state = self._scheduler.state
        while (suspended := self._scheduler.advance(me)) is not None:
            try:
                await self._resume(suspended)
            except asyncio.CancelledError:
                if state.over or state.stopping is None:
                    raise

    async def _resume(self, suspended: Suspension) -> None:
        """Await what `advance` returned. A task that may start then is the next in the queue."""
        scheduler = self._scheduler
        if isinstance(suspended, AbandonableAwaitable):
            await self._await_function(suspended)
        elif isinstance(suspended, Task):
            scheduler.writer.schedule_flush_soon()
            if not await scheduler.admission.try_cache(suspended):
                scheduler.ready.items.appendleft(suspended)
        elif isinstance(suspended, Yield):
            scheduler.writer.schedule_flush()
            await asyncio.sleep(0)
        else:
            scheduler.writer.schedule_flush()
            await scheduler.open_awaited_step(suspended)

    async def _await_function(self, function: AbandonableAwaitable[Task]) -> None:
        task = function.owner
        self._scheduler.on_suspended(task)
        try:
            value = await function
        except BaseException as error:
            self._scheduler.on_raised(task, error)
            if isinstance(error, _MEANT_FOR_WORKER):
                raise
        else:
            self._scheduler.on_returned(task, value)

    def abandon(self) -> None:
        """End the run without an event, and cancel its workers: another process may resume it."""
        self._scheduler.cancellation.abandon_run()
        for worker in list(self._tasks):
            worker.cancel()

    def detach(self) -> None:
        """Drop the callback to a closed run, so that reference counting frees it."""
        self._scheduler.ready.start_worker = no_op
        self._scheduler.on_unavailable = None

    async def drain(self) -> None:
        """Wait for cancelled workers, for `grace` seconds, then abandon their functions."""
        others = self._tasks - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=self._scheduler.state.options.grace)
        self._scheduler.cancellation.abandon_tasks()
