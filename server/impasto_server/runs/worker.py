"""The Celery application: `celery -A impasto_server.runs.worker worker --pool threads`.

Each worker process runs one event loop, on which all of its runs are executed; the pool's threads only wait.
A worker that dies loses nothing: its leases run out, and the server hands its runs to another one. A worker
that is told to stop lets go of its runs at once, for they may take an hour.
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
from impasto_server.runs.backends.celery import TASK, make_celery
from impasto_server.runs.execute import Executor
from impasto_server.settings import Settings
from impasto_server.utils import new_id

_START_SECONDS = 60


class Workshop:
    """One event loop in a thread, with the parts of a server on it, started when the first run comes."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._executor: Executor | None = None
        self._stack = AsyncExitStack()
        self._running: set[asyncio.Task[Any]] = set()
        self._over = False

    def execute(self, run_id: str) -> None:
        """Take a run to its end; returns when it is there, or when it is somebody else's.

        Raises `CancelledError` when the run was let go.
        """
        loop, executor = self._started()
        asyncio.run_coroutine_threadsafe(self._execute(executor, run_id), loop).result()

    def let_go(self) -> None:
        """Let go of every run, and take no more: others go on with them."""
        with self._lock:
            loop, self._over = self._loop, True
        if loop is not None:
            loop.call_soon_threadsafe(self._cancel)

    def close(self) -> None:
        """Let go of everything."""
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
        if self._over:
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
        app_state = build_app_state(Settings(), self._catalog)
        self._stack.push_async_callback(app_state.database.close)
        await self._stack.enter_async_context(app_state.signals)
        return Executor(app_state, new_id())


class LettingGo(bootsteps.StartStopStep):  # type: ignore[misc]
    """A worker's shutdown, before it waits for the threads of its pool."""

    requires = ("celery.worker.components:Pool",)

    def close(self, worker: Any) -> None:
        """Let go of the runs that the threads wait for."""
        workshop.let_go()


app = make_celery(Settings())
app.steps["worker"].add(LettingGo)
workshop = Workshop()


@app.task(name=TASK)  # type: ignore[untyped-decorator]
def execute(run_id: str) -> None:
    """Execute one run; one that was let go is put back into the queue."""
    try:
        workshop.execute(run_id)
    except CancelledError:
        raise Reject("let go", requeue=True) from None


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: Any) -> None:
    workshop.close()
