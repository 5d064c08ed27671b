"""The event loop of a worker process."""

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from celery.signals import worker_process_shutdown, worker_shutdown
from redis.asyncio import Redis
from tests.server.ports import free_port
from tests.server.resources import redis_connections, thread_names
from tests.server.sample_nodes import chain, sample_catalog

from impasto_server.db.engine import Database
from impasto_server.runs import repository
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio
TOPICS = ("queue", "cancel")


async def receivers(redis: Redis, number: int) -> None:
    """Return when so many connections receive each topic. Raises TimeoutError."""
    channels = [f"impasto:signals:{topic}" for topic in TOPICS]
    async with asyncio.timeout(60):
        while {found for _, found in await redis.pubsub_numsub(*channels)} != {number}:
            await asyncio.sleep(0.01)


async def queue_run(database: Database) -> None:
    """Store a queued run that does not end."""
    async with database.writing() as session:
        session.add(User(id="u", username="u", username_key="u", created_at=utc_now(), betas=[]))
        await session.flush()
        about = {"document": chain("wait"), "inputs": {"ask": "Hi"}, "planned_results": []}
        session.add(RunRow(id="r", owner_id="u", number=1, flow_name="Sample", **about))


async def running(database: Database) -> None:
    """Return when the run is executed. Raises TimeoutError."""
    async with asyncio.timeout(30):
        while (await repository.find_detached(database, "r")).status != "running":  # type: ignore[union-attr]
            await asyncio.sleep(0.01)


def state_of_process() -> tuple[int, int, float]:
    """Return which files are private, and the limits of Python."""
    umask = os.umask(0o022)
    os.umask(umask)
    return umask, gc.get_threshold()[0], sys.getswitchinterval()


@pytest.fixture
def usual_state() -> Iterator[None]:
    umask, collections = os.umask(0o022), gc.get_threshold()
    gc.set_threshold(700, *collections[1:])
    yield
    os.umask(umask)
    gc.set_threshold(*collections)


async def test_worker_receives_what_other_processes_publish_until_it_releases_its_run(
    redis_url: str, data_folder: Path, usual_state: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    for name, value in {
        "DATA_DIR": str(data_folder),
        "RUN_BACKEND": "celery",
        "REDIS_URL": redis_url,
        "CONTENT_CREDENTIALS": "0",
        "WARM": "0",
        "LOG_LEVEL": "error",
        "MAX_CONCURRENT_RUNS": "1",
        "RESERVED_RUNS": "0",
        "DISPATCH_SECONDS": "60",
        "LEASE_SECONDS": "3600",
        "HOST": "127.0.0.1",
        "METRICS": "1",
        "METRICS_TOKEN": "m" * 32,
        "WORKER_METRICS_PORT": str(port),
    }.items():
        monkeypatch.setenv(f"IMPASTO_{name}", value)
    from impasto_server.runs import worker  # reads the settings

    monkeypatch.setattr(worker, "runtime", worker.WorkerRuntime(sample_catalog()))
    step = worker.RunsStep(None)
    worker.execute("r")  # a message before the start
    step.close(None)
    async with Redis.from_url(redis_url) as redis, redis.pubsub(ignore_subscribe_messages=True) as queue:
        await queue.psubscribe("impasto:signals:queue*")
        before, state, idle = await redis_connections(redis), state_of_process(), thread_names()
        await asyncio.to_thread(step.start, None)
        try:
            await receivers(redis, 1)
            assert state_of_process() == (0o077, 20_000, pytest.approx(0.0005))
            assert {"runs", "loop watchdog"} <= thread_names()
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
                assert (await client.get("/healthz")).status_code == 200
            database = Database(f"sqlite+aiosqlite:///{data_folder / 'impasto.db'}")
            await queue_run(database)
            worker.execute("another")
            await running(database)
            await database.close()
            worker.execute("r")  # it is full: another worker takes the next run
            async with asyncio.timeout(30):
                while (message := await queue.get_message(timeout=1)) is None:
                    pass
            assert message["channel"] == b"impasto:signals:queue"
            step.close(None)
            await receivers(redis, 0)
            assert await redis_connections(redis) - before, "it still writes what its runs have done"
        finally:
            await asyncio.to_thread(worker_shutdown.send, sender=None)
        async with asyncio.timeout(60):
            while await redis_connections(redis) - before or thread_names() - idle:
                await asyncio.sleep(0.01)
    assert state_of_process() == state
    worker_process_shutdown.send(sender=None)
