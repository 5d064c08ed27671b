"""The event loop of a worker process."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from tests.server.sample_nodes import sample_catalog

pytestmark = pytest.mark.anyio
TOPICS = ("queue", "cancel")


async def receivers(redis: Redis, number: int) -> None:
    """Return when so many connections receive each topic. Raises TimeoutError."""
    channels = [f"impasto:signals:{topic}" for topic in TOPICS]
    async with asyncio.timeout(60):
        while {found for _, found in await redis.pubsub_numsub(*channels)} != {number}:
            await asyncio.sleep(0.01)


async def connections(redis: Redis) -> set[str]:
    """Return the connections that Redis has."""
    return {client["id"] for client in await redis.client_list()}


def state_of_process() -> tuple[int, int, float]:
    """Return which files are private, and the limits of Python."""
    umask = os.umask(0o022)
    os.umask(umask)
    return umask, gc.get_threshold()[0], sys.getswitchinterval()


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


@pytest.fixture
def usual_state() -> Iterator[None]:
    umask, collections = os.umask(0o022), gc.get_threshold()
    gc.set_threshold(700, *collections[1:])
    yield
    os.umask(umask)
    gc.set_threshold(*collections)


async def test_worker_receives_what_other_processes_publish_until_it_releases_its_runs(
    redis_url: str, data_folder: Path, usual_state: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "DATA_DIR": str(data_folder),
        "RUN_BACKEND": "celery",
        "REDIS_URL": redis_url,
        "CONTENT_CREDENTIALS": "0",
        "WARM": "0",
        "LOG_LEVEL": "error",
    }.items():
        monkeypatch.setenv(f"IMPASTO_{name}", value)
    from impasto_server.runs.worker import WorkerRuntime  # reads the settings

    runtime = WorkerRuntime(sample_catalog())
    runtime.wake()  # of a message before the start
    runtime.release_all()
    async with Redis.from_url(redis_url) as redis:
        before, state, idle = await connections(redis), state_of_process(), threads()
        await asyncio.to_thread(runtime.start)
        try:
            await receivers(redis, 1)
            assert state_of_process() == (0o077, 20_000, pytest.approx(0.0005))
            assert {"runs", "loop watchdog"} <= threads()
            runtime.release_all()
            await receivers(redis, 0)
            assert await connections(redis) != before, "it still writes what its runs have done"
        finally:
            await asyncio.to_thread(runtime.close)
        async with asyncio.timeout(60):
            while await connections(redis) != before or not threads() <= {*idle, "asyncio_0"}:
                await asyncio.sleep(0.01)
    assert state_of_process() == state
    runtime.close()
