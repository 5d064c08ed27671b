"""A Celery worker gets its runs by messages, not only by looking for waiting ones."""

import asyncio
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.contract.workers import Worker
from tests.server.sample_nodes import flow

from impasto_server.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

POLL_SECONDS = 60  # how often a worker looks for waiting runs
MESSAGE_SECONDS = POLL_SECONDS / 3


@pytest.fixture
def database_url(migrated_postgresql: str) -> str:
    return migrated_postgresql


@pytest.fixture
def extra_settings(redis_url: str) -> dict[str, Any]:
    return {
        "run_backend": "celery",
        "redis_url": redis_url,
        "dispatch_seconds": POLL_SECONDS,
        "lease_seconds": 10 * POLL_SECONDS,
    }


@pytest.fixture
async def worker(settings: Settings, app: Any) -> AsyncIterator[Worker]:
    found = Worker(settings)
    await found.start()
    yield found
    await found.end(signal.SIGKILL)


async def test_idle_worker_starts_runs_long_before_it_looks_for_them(
    person: Any, worker: Worker, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, flow("ask"))
    # The first one also waits for the start of the worker, which looks for runs at once.
    for seconds in (100, MESSAGE_SECONDS, MESSAGE_SECONDS):
        run = await run_flow(person, made["id"])
        async with asyncio.timeout(seconds):
            stream = await person.client.get(f"/runs/{run['id']}/events")
        assert "run.finished" in stream.text
