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

log = structlog.get_logger()
TASK = "impasto.execute"
REDELIVER_AFTER = timedelta(minutes=5)  # a message that is older and unclaimed counts as lost


def make_celery(settings: Settings) -> Celery:
    """Return a Celery application with the settings' Redis as its broker."""
    celery = Celery("impasto", broker=settings.redis_url, set_as_current=False)
    celery.conf.update(
        task_default_queue="impasto",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        # Redis redelivers a task after this time: it must be longer than the longest run.
        broker_transport_options={"visibility_timeout": int(settings.run_timeout) + 600},
    )
    return celery


class CeleryBackend:
    """Enqueues runs, and enqueues them again when the worker that owned them has died."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._celery = make_celery(app_state.settings)
        self._sweeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "CeleryBackend":
        self._sweeper = asyncio.create_task(self._sweep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop enqueueing; the workers continue with their runs."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeper
        await asyncio.to_thread(self._celery.close)

    async def submit(self, run_id: str) -> None:
        """Enqueue a run. Raises if the queue cannot be reached."""
        await asyncio.to_thread(self._send, run_id)

    async def cancel(self, run_id: str) -> None:
        """Notify the worker that executes the run that its row says `cancel_requested`."""
        self._app_state.pubsub.publish(f"cancel {run_id}")

    def _send(self, run_id: str) -> None:
        self._celery.send_task(TASK, [run_id], retry=False)

    async def _sweep(self) -> None:
        while True:
            try:
                async with self._app_state.database.writing() as session:
                    lost = await repository.lost_runs(session, self._app_state.clock(), REDELIVER_AFTER)
                for run_id in lost:
                    log.info("enqueueing a lost run again", run=run_id)
                    await self.submit(run_id)
            except Exception as error:
                log.error("could not enqueue lost runs", exc_info=error)
            await asyncio.sleep(self._app_state.settings.lease_seconds / 3)
