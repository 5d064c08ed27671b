"""Runs on Celery workers.

The database is the queue: it knows which run is next, and it survives Redis. A message only says that a run
has been queued. The worker that receives it claims the next run in fair order; if it has no free place, it
wakes the others.
"""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any

import structlog
from celery import Celery

from impasto_server.container import AppState
from impasto_server.outages import log_failure
from impasto_server.runs import cancel_requests
from impasto_server.settings import Settings

log = structlog.get_logger()
TASK = "impasto.execute"
_MESSAGE_SECONDS = 3600
_SEND_SECONDS = 2.0  # how long a launch waits for the broker
_PAUSE_SECONDS = 5.0


def make_celery(settings: Settings) -> Celery:
    """Return a Celery application with the settings' Redis as its broker."""
    celery = Celery("impasto", broker=settings.redis_url, set_as_current=False)
    celery.conf.update(
        task_default_queue="impasto",
        task_ignore_result=True,
        worker_pool="threads",
        worker_concurrency=2,
        worker_prefetch_multiplier=1,
        worker_consumer="impasto_server.runs.backends.celery_consumer:ResilientConsumer",
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        # A message that a worker loses costs seconds. With acknowledgements kombu puts unacknowledged
        # messages back while it closes a broken connection, which fails and ends the worker.
        broker_transport_options={
            "ack_emulation": False,
            "socket_connect_timeout": _SEND_SECONDS,
            "socket_timeout": 2 * _SEND_SECONDS,
        },
    )
    return celery


class CeleryBackend:
    """Tells the workers about queued runs. A lost message costs seconds: workers look too."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._celery = make_celery(app_state.settings)
        # A thread of its own: a broker that does not answer must not keep those of the event loop busy.
        self._sender = ThreadPoolExecutor(1, thread_name_prefix="broker")
        self._producer: Any = None  # kombu's, of the sender's thread
        self._is_down_until = 0.0

    async def __aenter__(self) -> "CeleryBackend":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection to the broker; the workers continue with their runs."""
        self._sender.shutdown(wait=False, cancel_futures=True)
        producer, self._producer = self._producer, None
        with suppress(Exception):
            if producer is not None:
                await asyncio.to_thread(producer.connection.release)
        with suppress(Exception):
            await asyncio.to_thread(self._celery.close)

    async def submit(self, run_id: str) -> None:
        """Send a message about a queued run. While the broker does not answer, workers find the run later."""
        if time.monotonic() < self._is_down_until:
            return
        try:
            async with asyncio.timeout(_SEND_SECONDS):
                await asyncio.get_running_loop().run_in_executor(self._sender, self._send, run_id)
        except Exception as error:  # noqa: BLE001 - logged; nothing depends on a message
            self._is_down_until = time.monotonic() + _PAUSE_SECONDS
            log_failure(log, "could not tell the workers about a run; they look by themselves", error)

    async def cancel(self, run_id: str) -> None:
        """Notify the worker that executes the run that its row says `cancel_requested`."""
        cancel_requests.publish(self._app_state.pubsub, run_id)

    async def stop(self) -> None:
        """Do nothing: no run is executed in this process."""

    def _send(self, run_id: str) -> None:
        try:
            self._send_once(run_id)
        except Exception:  # noqa: BLE001 - a restart of the broker may have ended the connection
            self._send_once(run_id)

    def _send_once(self, run_id: str) -> None:
        # A producer from Celery's pool, and a result that nothing reads, double the time.
        producer = self._producer or self._celery.amqp.Producer(self._celery.connection_for_write())
        self._producer = None
        self._celery.send_task(
            TASK, [run_id], producer=producer, ignore_result=True, retry=False, expires=_MESSAGE_SECONDS
        )
        self._producer = producer
