"""Runs inside the server. The queue is the table of runs: nothing is lost with the process."""

import asyncio
from contextlib import ExitStack
from functools import partial
from types import TracebackType

import structlog

from impasto_server.container import AppState
from impasto_server.runs import repository
from impasto_server.runs.execute import Executor
from impasto_server.runs.pubsub import Wake
from impasto_server.runs.worker_identity import Instance, instance

log = structlog.get_logger()


class InProcessBackend:
    """Claims waiting runs in the order of their launch, as many at a time as the settings allow."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._wake = Wake()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._stack = ExitStack()
        self._dispatcher: asyncio.Task[None] | None = None
        self._me: Instance
        self._executor: Executor

    async def __aenter__(self) -> "InProcessBackend":
        self._me = self._stack.enter_context(instance(self._app_state.settings.data_dir))
        if self._me.sole:
            async with self._app_state.database.writing() as session:
                await repository.release_all(session, self._me.name)
        self._executor = Executor(self._app_state, self._me.name)
        self._dispatcher = asyncio.create_task(self._dispatch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the runs at hand: whoever starts next goes on with them."""
        self._wake.close()
        if self._dispatcher is not None:
            await self._dispatcher
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._stack.close()

    async def submit(self, run_id: str) -> None:
        """Take a queued run."""
        self._wake.ring()

    async def cancel(self, run_id: str) -> None:
        """Wake whoever executes the run, so that it sees the cancellation."""
        self._app_state.signals.ring(f"cancel {run_id}")
        self._wake.ring()

    async def _dispatch(self) -> None:
        while not self._wake.closed:
            try:
                await self._fill()
            except Exception as error:
                log.error("runs cannot be taken", exc_info=error)
            # Often enough to take up a dead server's runs soon after their leases ran out.
            await self._wake.wait(self._app_state.settings.lease_seconds / 3)

    async def _fill(self) -> None:
        app_state = self._app_state
        free = app_state.settings.max_concurrent_runs - len(self._running)
        if free <= 0:
            return
        async with app_state.database.reading() as session:
            waiting = await repository.waiting(session, app_state.clock(), free + len(self._running))
        for run_id in [name for name in waiting if name not in self._running][:free]:
            task = asyncio.create_task(self._executor.execute(run_id), name=f"run {run_id}")
            self._running[run_id] = task
            task.add_done_callback(partial(self._done, run_id))

    def _done(self, run_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._wake.ring()
        else:
            # Not taken up again at once: what fails like this fails at every try.
            log.error("run cannot be executed", run=run_id, exc_info=error)
