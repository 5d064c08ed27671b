"""Runs inside the server process. The table of runs is the queue, so runs survive the process."""

import asyncio
from contextlib import ExitStack
from functools import partial
from types import TracebackType

import structlog

from impasto_server.container import AppState
from impasto_server.runs import repository
from impasto_server.runs.execute import Executor
from impasto_server.runs.pubsub import Subscription
from impasto_server.runs.worker_identity import WorkerIdentity, hold_identity

log = structlog.get_logger()


class InProcessBackend:
    """Executes unclaimed runs in the order of their launch, at most `max_concurrent_runs` at a time."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._wakeup = Subscription()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._stack = ExitStack()
        self._dispatcher: asyncio.Task[None] | None = None
        self._identity: WorkerIdentity
        self._executor: Executor

    async def __aenter__(self) -> "InProcessBackend":
        self._identity = self._stack.enter_context(hold_identity(self._app_state.settings.data_dir))
        if self._identity.exclusive:
            async with self._app_state.database.writing() as session:
                await repository.release_leases(session, self._identity.name)
        self._executor = Executor(self._app_state, self._identity.name)
        self._dispatcher = asyncio.create_task(self._dispatch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the runs under way; the next process resumes them."""
        self._wakeup.close()
        if self._dispatcher is not None:
            await self._dispatcher
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._stack.close()

    async def submit(self, run_id: str) -> None:
        """Wake the dispatcher, which finds the queued run in the database."""
        self._wakeup.notify()

    async def cancel(self, run_id: str) -> None:
        """Notify the executor of the run that its row says `cancel_requested`."""
        self._app_state.pubsub.publish(f"cancel {run_id}")
        self._wakeup.notify()

    async def _dispatch(self) -> None:
        while not self._wakeup.closed:
            try:
                await self._fill()
            except Exception as error:
                log.error("could not claim runs", exc_info=error)
            # A third of a lease: runs of a dead server are claimed soon after their leases expire.
            await self._wakeup.wait(self._app_state.settings.lease_seconds / 3)

    async def _fill(self) -> None:
        app_state = self._app_state
        free = app_state.settings.max_concurrent_runs - len(self._running)
        if free <= 0:
            return
        async with app_state.database.reading() as session:
            limit = free + len(self._running)
            unclaimed = await repository.unclaimed_runs(session, app_state.clock(), limit)
        for run_id in [run_id for run_id in unclaimed if run_id not in self._running][:free]:
            task = asyncio.create_task(self._executor.execute(run_id), name=f"run {run_id}")
            self._running[run_id] = task
            task.add_done_callback(partial(self._on_done, run_id))

    def _on_done(self, run_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._wakeup.notify()
        else:
            # The run is not claimed again at once: a failure outside the run itself would repeat.
            log.error("could not execute run", run=run_id, exc_info=error)
