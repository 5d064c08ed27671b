"""The event loop of a worker process."""

import asyncio
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


async def test_worker_receives_what_other_processes_publish_until_it_releases_its_runs(
    redis_url: str, data_folder: Path, monkeypatch: pytest.MonkeyPatch
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
        before = await connections(redis)
        await asyncio.to_thread(runtime.start)
        try:
            await receivers(redis, 1)
            runtime.release_all()
            await receivers(redis, 0)
            assert await connections(redis) != before, "it still writes what its runs have done"
        finally:
            await asyncio.to_thread(runtime.close)
        async with asyncio.timeout(60):
            while await connections(redis) != before:
                await asyncio.sleep(0.01)
    runtime.close()
