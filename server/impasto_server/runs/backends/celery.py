"""Runs on Celery workers. Redis carries the run's id; everything else is in the database."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from types import TracebackType

import structlog
from celery import Celery

from impasto_server.container import AppState
from impasto_server.runs import repository
from impasto_server.settings import Settings

TASK = "impasto.execute"
log = structlog.get_logger()
PATIENCE = timedelta(minutes=5)  # how long a message may lie in the queue before it is believed lost


def make_celery(settings: Settings) -> Celery:
    """Return a Celery application that talks to the settings' Redis."""
    made = Celery("impasto", broker=settings.redis_url, set_as_current=False)
    made.conf.update(
        task_default_queue="impasto",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        # A task that takes long must not be handed out a second time while it is worked on.
        broker_transport_options={"visibility_timeout": int(settings.run_timeout) + 600},
    )
    return made


class CeleryBackend:
    """Hands runs to the queue, and again when the worker that owned one has died."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._sweeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "CeleryBackend":
        self._celery = make_celery(self._app_state.settings)
        self._sweeper = asyncio.create_task(self._sweep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop looking after runs; the workers go on with theirs."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeper
        await asyncio.to_thread(self._celery.close)

    async def submit(self, run_id: str) -> None:
        """Put a run into the queue. Raises when the queue cannot be reached."""
        await asyncio.to_thread(self._send, run_id)

    async def cancel(self, run_id: str) -> None:
        """Wake the worker that executes the run, so that it sees the cancellation."""
        self._app_state.signals.ring(f"cancel {run_id}")

    def _send(self, run_id: str) -> None:
        self._celery.send_task(TASK, [run_id], retry=False)

    async def _sweep(self) -> None:
        while True:
            try:
                async with self._app_state.database.writing() as session:
                    lost = await repository.orphans(session, self._app_state.clock(), PATIENCE)
                for run_id in lost:
                    log.info("run handed out again", run=run_id)
                    await self.submit(run_id)
            except Exception as error:
                log.error("runs cannot be handed out", exc_info=error)
            await asyncio.sleep(self._app_state.settings.lease_seconds / 3)
