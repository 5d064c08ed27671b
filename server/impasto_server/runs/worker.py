"""The Celery application that `impasto worker` runs.

Each worker process has one event loop, in a thread, which executes all of its runs. Celery's own threads only
receive the messages that wake it. When a worker is asked to stop, it releases its runs at once instead of
finishing them, because a run may take an hour.
"""

import asyncio
import threading
from contextlib import AsyncExitStack
from typing import Any

from celery import bootsteps
from celery.signals import setup_logging, worker_process_shutdown, worker_shutdown
from uvicorn.loops.auto import auto_loop_factory

from impasto import Catalog
from impasto.garbage_collection import fewer_collections
from impasto_server.app import build_app_state
from impasto_server.container import AppState
from impasto_server.db.clock import measuring
from impasto_server.file_modes import private_umask
from impasto_server.observability import telemetry, worker_server
from impasto_server.observability.loop_watchdog import watch_event_loop
from impasto_server.runs.backends.celery import TASK, make_celery
from impasto_server.runs.backends.dispatcher import QUEUE_TOPIC, Dispatcher
from impasto_server.settings import Settings
from impasto_server.utils import new_id, short_switch_interval

_STOP_SECONDS = 60


class WorkerRuntime:
    """An event loop in a thread, with the server's `AppState` and a dispatcher on it."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._catalog = catalog
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app_state: AppState | None = None
        self._dispatcher: Dispatcher | None = None
        self._stack = AsyncExitStack()

    def start(self) -> None:
        """Start the loop, which executes waiting runs."""
        self._loop = auto_loop_factory()()
        threading.Thread(target=self._loop.run_forever, name="runs", daemon=True).start()
        asyncio.run_coroutine_threadsafe(self._begin(), self._loop).result()

    def wake(self) -> None:
        """Look for waiting runs, here or in the other workers if this one is full. From any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def release_all(self) -> None:
        """Start to release every run and accept no more, so that other workers resume them."""
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._stop(), self._loop)

    def close(self) -> None:
        """Release the runs, close the `AppState` and stop the event loop."""
        loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._close(), loop).result(_STOP_SECONDS)
            loop.call_soon_threadsafe(loop.stop)

    async def _begin(self) -> None:
        self._stack.enter_context(private_umask())
        self._stack.enter_context(short_switch_interval())
        self._stack.enter_context(fewer_collections())
        self._app_state = build_app_state(Settings(), self._catalog)
        if self._app_state.tracing is not None:
            self._stack.push_async_callback(self._app_state.tracing.close)
        self._stack.push_async_callback(self._app_state.database.close)
        self._stack.push_async_callback(self._app_state.compiler.close)
        self._stack.push_async_callback(self._app_state.content_credentials.close)
        self._stack.enter_context(watch_event_loop())
        await self._stack.enter_async_context(worker_server.serving(self._app_state))
        await self._stack.enter_async_context(measuring(self._app_state.clock))
        # The database is the queue: while Redis is down, this worker looks for runs at intervals.
        self._app_state.pubsub.start()
        self._stack.push_async_exit(self._app_state.pubsub)
        self._dispatcher = await self._stack.enter_async_context(Dispatcher(self._app_state, new_id()))

    def _wake(self) -> None:
        if self._dispatcher is None or self._app_state is None:
            return
        if self._dispatcher.is_full:
            self._app_state.pubsub.publish(QUEUE_TOPIC)
        else:
            self._dispatcher.notify(1, is_queued=True)

    async def _stop(self) -> None:
        if self._dispatcher is not None:
            await self._dispatcher.stop()

    async def _close(self) -> None:
        await self._stop()
        await self._stack.aclose()


class RunsStep(bootsteps.StartStopStep):  # type: ignore[misc]
    """Starts the runtime with the worker. Releases the runs before Celery waits for its threads."""

    requires = ("celery.worker.components:Pool",)

    def start(self, worker: Any) -> None:
        """Start to execute runs."""
        runtime.start()

    def close(self, worker: Any) -> None:
        """Release the runs under way."""
        runtime.release_all()


app = make_celery(Settings())
app.steps["worker"].add(RunsStep)
runtime = WorkerRuntime()


def run(*options: str) -> None:
    """Execute runs until the process is stopped, with further options of `celery worker`."""
    # Workers need not know of each other, and their banner would be the only output that is not a log line.
    app.start(["--quiet", "worker", "--without-gossip", "--without-mingle", *options])


@app.task(name=TASK, Strategy="impasto_server.runs.backends.celery_consumer:call_on_receipt")  # type: ignore[untyped-decorator]
def execute(run_id: str = "") -> None:
    """Execute the next waiting run; the one of the message may be another's turn, or done already."""
    runtime.wake()


@setup_logging.connect  # type: ignore[untyped-decorator]
def _configure_logging(**_: Any) -> None:
    telemetry.configure_logging(Settings())


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: Any) -> None:
    runtime.close()
