"""The Celery application: `celery -A impasto_server.runs.worker worker --pool threads`.

Each worker process has one event loop, which executes all of its runs; the pool's threads only wait for them.
When a worker dies, its leases expire and the server enqueues its runs again. When a worker is asked to stop,
it releases its runs at once instead of finishing them, because a run may take an hour.
"""

import asyncio
import threading
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack
from typing import Any, cast

from celery import bootsteps
from celery.exceptions import Reject
from celery.signals import worker_process_shutdown, worker_shutdown

from impasto import Catalog
from impasto_server.app import build_app_state
from impasto_server.file_modes import private_umask
from impasto_server.runs.backends.celery import TASK, make_celery
from impasto_server.runs.execute import Executor
from impasto_server.settings import Settings
from impasto_server.utils import new_id

_START_SECONDS = 60


class WorkerRuntime:
    """An event loop in a thread, with the server's `AppState` on it. Starts with the first run."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._executor: Executor | None = None
        self._stack = AsyncExitStack()
        self._running: set[asyncio.Task[Any]] = set()
        self._stopping = False

    def execute(self, run_id: str) -> None:
        """Execute a run to its end. Returns at once if another process owns it.

        Raises `CancelledError` if the run was released because the worker stops.
        """
        loop, executor = self._started()
        asyncio.run_coroutine_threadsafe(self._execute(executor, run_id), loop).result()

    def release_all(self) -> None:
        """Release every run and accept no more, so that other workers resume them."""
        with self._lock:
            loop, self._stopping = self._loop, True
        if loop is not None:
            loop.call_soon_threadsafe(self._cancel)

    def close(self) -> None:
        """Close the `AppState` and stop the event loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._stack.aclose(), loop).result(_START_SECONDS)
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> tuple[asyncio.AbstractEventLoop, Executor]:
        with self._lock:
            if self._loop is None or self._executor is None:
                loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="runs", daemon=True).start()
                opening = asyncio.run_coroutine_threadsafe(self._open(), loop)
                self._loop, self._executor = loop, opening.result(_START_SECONDS)
            return self._loop, self._executor

    async def _execute(self, executor: Executor, run_id: str) -> None:
        if self._stopping:
            raise asyncio.CancelledError
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._running.add(task)
        try:
            await executor.execute(run_id)
        finally:
            self._running.discard(task)

    def _cancel(self) -> None:
        for task in self._running:
            task.cancel()

    async def _open(self) -> Executor:
        self._stack.enter_context(private_umask())
        app_state = build_app_state(Settings(), self._catalog)
        self._stack.push_async_callback(app_state.database.close)
        await self._stack.enter_async_context(app_state.pubsub)
        return Executor(app_state, new_id())


class ReleaseRunsStep(bootsteps.StartStopStep):  # type: ignore[misc]
    """Releases the runs when the worker shuts down, before Celery waits for the threads of its pool."""

    requires = ("celery.worker.components:Pool",)

    def close(self, worker: Any) -> None:
        """Release the runs that the pool's threads wait for."""
        runtime.release_all()


app = make_celery(Settings())
app.steps["worker"].add(ReleaseRunsStep)
runtime = WorkerRuntime()


@app.task(name=TASK)  # type: ignore[untyped-decorator]
def execute(run_id: str) -> None:
    """Execute one run; a released run is put back into the queue."""
    try:
        runtime.execute(run_id)
    except CancelledError:
        raise Reject("released", requeue=True) from None


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: Any) -> None:
    runtime.close()
