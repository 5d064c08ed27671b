"""Gauges that are read when the metrics are asked for: the queue, the workers and the connections."""

import asyncio
import time

import structlog

from impasto_server.container import AppState
from impasto_server.observability.metrics import (
    CONNECTIONS,
    CONNECTIONS_MAX,
    DATABASE_UP,
    QUEUE_AGE,
    RUNS_LIVE,
    STREAMS,
    WORKERS,
)
from impasto_server.runs.operators import service as operators

log = structlog.get_logger()
_TIMEOUT_SECONDS = 3.0
_MIN_SECONDS_BETWEEN_QUERIES = 5.0


class Collector:
    """Sets the gauges. Several scrapes within five seconds share one query."""

    def __init__(self) -> None:
        self._queried_at = -_MIN_SECONDS_BETWEEN_QUERIES

    async def collect(self, app_state: AppState) -> None:
        """Set the gauges; those of the database stay as they were if it does not answer."""
        CONNECTIONS.set(app_state.database.connections_in_use)
        CONNECTIONS_MAX.set(2 * app_state.settings.database_pool)
        STREAMS.set(app_state.streams.total)
        if time.monotonic() - self._queried_at < _MIN_SECONDS_BETWEEN_QUERIES:
            return
        self._queried_at = time.monotonic()
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await self._query(app_state)
        except Exception as error:
            log.warning("could not read the metrics of the queue", exc_info=error)
            DATABASE_UP.set(0)
        else:
            DATABASE_UP.set(1)

    async def _query(self, app_state: AppState) -> None:
        async with app_state.database.reading() as session:
            queue = await operators.queue(session)
            workers = await operators.count_workers(session, app_state)
        RUNS_LIVE.labels("waiting").set(queue.waiting)
        RUNS_LIVE.labels("executed").set(queue.executed)
        age = (app_state.clock() - queue.oldest).total_seconds() if queue.oldest else 0.0
        QUEUE_AGE.set(max(0.0, age))
        WORKERS.set(workers)
