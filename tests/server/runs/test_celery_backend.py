"""The messages that say to Celery workers that a run has been queued."""

import asyncio
import base64
import socket
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import celery as celery_package
import orjson
import pytest
from redis.asyncio import Redis
from tests.server.resources import redis_connections, thread_names

from impasto_server.runs import cancel_requests
from impasto_server.runs.backends import celery
from impasto_server.runs.backends.celery import CeleryBackend
from impasto_server.runs.events.pubsub import LocalPubSub
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
QUEUE = "impasto"


def backend(url: str) -> CeleryBackend:
    app_state: Any = SimpleNamespace(settings=Settings(_env_file=None, redis_url=url))
    return CeleryBackend(app_state)


async def test_each_queued_run_is_one_message_also_after_a_lost_connection(redis_url: str) -> None:
    async with Redis.from_url(redis_url) as redis:
        await redis.delete(QUEUE)
        before = await redis_connections(redis)
        async with backend(redis_url) as made:
            for run_id in ("r1", "r2"):
                await made.submit(run_id)
                await redis.client_kill_filter(_type="normal", skipme=True)
            await made.submit("r3")
            kept = await redis_connections(redis) - before
            await made.submit("r4")
            assert await redis_connections(redis) - before == kept, "it sends all through one"
            assert kept
        async with asyncio.timeout(20):
            while await redis_connections(redis) - before or "broker_0" in thread_names():
                await asyncio.sleep(0.01)
        messages = [orjson.loads(each) for each in reversed(await redis.lrange(QUEUE, 0, -1))]
        await redis.delete(QUEUE)
    assert [each["headers"]["task"] for each in messages] == ["impasto.execute"] * 4
    sent = [orjson.loads(base64.b64decode(each["body"]))[0] for each in messages]
    assert sent == [["r1"], ["r2"], ["r3"], ["r4"]]
    for each in messages:
        assert each["headers"]["ignore_result"] is True
        left = datetime.fromisoformat(each["headers"]["expires"]) - datetime.now(UTC)
        assert timedelta(minutes=55) < left <= timedelta(hours=1)


async def test_broker_that_does_not_answer_is_left_alone_for_some_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(celery, "_SEND_SECONDS", 0.05)
    tried: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with asyncio.timeout(20), backend(f"redis://127.0.0.1:{silent.getsockname()[1]}/0") as made:
            send = made._send

            def counted(run_id: str) -> None:
                tried.append(run_id)
                send(run_id)

            monkeypatch.setattr(made, "_send", counted)
            for run_id in ("r1", "r2"):
                await made.submit(run_id)
    assert tried == ["r1"]


def test_workers_take_one_message_at_a_time_and_survive_every_outage_of_the_broker() -> None:
    made = celery.make_celery(Settings(_env_file=None, redis_url="redis://cache.example/3"))
    assert made is not celery_package.current_app._get_current_object()
    expected = {
        "broker_url": "redis://cache.example/3",
        "task_default_queue": "impasto",
        "task_ignore_result": True,
        "worker_pool": "threads",
        "worker_concurrency": 2,
        "worker_prefetch_multiplier": 1,
        "worker_consumer": "impasto_server.runs.backends.celery_consumer:ResilientConsumer",
        "worker_hijack_root_logger": False,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "broker_transport_options": {
            "ack_emulation": False,
            "socket_connect_timeout": 2.0,
            "socket_timeout": 4.0,
        },
    }
    assert {name: made.conf[name] for name in expected} == expected


async def test_cancellation_is_published_to_the_worker_that_executes_the_run() -> None:
    async with LocalPubSub() as pubsub, pubsub.subscribe(cancel_requests.TOPIC) as requests:
        app_state: Any = SimpleNamespace(settings=Settings(_env_file=None), pubsub=pubsub)
        async with CeleryBackend(app_state) as made:
            await made.cancel("r1")
            await made.stop()
        assert requests.take() == [b"r1"]
