"""Notifications between processes that share a Redis server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from impasto_server.runs.events.pubsub import RedisPubSub, Subscription

pytestmark = pytest.mark.anyio


@pytest.fixture
async def processes(redis_url: str) -> AsyncIterator[tuple[RedisPubSub, RedisPubSub]]:
    """Two ends, as two processes have them."""
    async with RedisPubSub(redis_url) as here, RedisPubSub(redis_url) as there:
        yield here, there


async def _subscribers(redis: Any, topic: str) -> int:
    """Return how many connections receive a topic, which Redis counts."""
    [(_, number)] = await redis.pubsub_numsub(f"impasto:signals:{topic}")
    return int(number)


async def test_notification_right_after_subscribing_is_received(processes: Any) -> None:
    here, there = processes
    for number in range(50):
        async with here.subscribe(f"run {number}") as subscription:
            there.publish(f"run {number}")
            assert await subscription.wait(30)


async def test_only_processes_with_subscribers_receive_a_topic(processes: Any, redis: Any) -> None:
    here, there = processes
    async with here.subscribe("run a") as subscription, there.subscribe("run b") as other:
        assert not await subscription.wait(0), "nothing was published yet"
        assert not await other.wait(0)
        assert await _subscribers(redis, "run a") == 1
        there.publish("run a")
        assert await subscription.wait(30)
        there.publish("run b")
        assert await other.wait(30)
        assert not await subscription.wait(0)
        assert not here.closed
        here.close()
        assert (here.closed, await subscription.wait(30), there.closed) == (True, True, False)


async def test_payloads_are_taken_together_unless_one_is_missing(processes: Any) -> None:
    here, there = processes
    async with here.subscribe("run a") as subscription:
        for payload in (b"1", b"2"):
            there.publish("run a", payload)
        received: list[bytes] = []
        while len(received) < 2:
            assert await subscription.wait(30)
            received += subscription.take() or ()
        assert received == [b"1", b"2"]
        there.publish("run a")
        assert await subscription.wait(30)
        assert subscription.take() is None


async def test_payloads_that_are_not_taken_are_not_kept_without_limit() -> None:
    subscription = Subscription()
    for _ in range(100):
        subscription.notify(b"x" * 100_000)
    assert subscription.take() is None
    subscription.notify(b"next")
    assert subscription.take() == [b"next"]


async def test_payloads_that_wait_to_be_sent_are_not_kept_without_limit(processes: Any) -> None:
    here, there = processes
    async with here.subscribe("run a"), here.subscribe("run b") as other:
        for size, received in ((999_999, [b"x"]), (1_000_000, None), (999_999, [b"x"])):
            there.publish("run a", bytes(size))
            there.publish("run b", b"x")
            assert await other.wait(30)
            assert other.take() == received


async def test_last_subscriber_that_leaves_ends_the_reception(processes: Any, redis: Any) -> None:
    here, there = processes
    async with AsyncExitStack() as stack:
        for _ in range(2):
            async with here.subscribe("run a"):
                pass
        staying = await stack.enter_async_context(here.subscribe("run a"))
        async with here.subscribe("run a"):
            pass
        assert await _subscribers(redis, "run a") == 1
        while await staying.wait(0):
            pass
        there.publish("run a")
        assert await staying.wait(30)
    async with asyncio.timeout(30):
        while await _subscribers(redis, "run a"):
            await asyncio.sleep(0.01)


async def test_lost_connection_is_made_again_with_its_topics(
    processes: Any, redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RedisPubSub, "_RECONNECT_SECONDS", 0.01)
    here, there = processes
    async with here.subscribe("run a") as subscription:
        await redis.client_kill_filter(_type="pubsub")
        assert await subscription.wait(30), (
            "messages may have been missed, so that the subscriber is notified"
        )
        there.publish("run a")
        assert await subscription.wait(30)


async def test_connection_that_is_lost_in_silence_is_made_again(
    processes: Any, redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RedisPubSub, "_SILENT_SECONDS", 0.1)
    monkeypatch.setattr(RedisPubSub, "_RECONNECT_SECONDS", 0.01)
    here, _ = processes
    async with here.subscribe("run a") as subscription:
        await redis.client_pause(2_000, all=True)  # as if the connection were lost
        assert await subscription.wait(30), "notified as messages may have been missed"


async def test_quiet_connection_is_kept_as_long_as_redis_answers(redis_url: str) -> None:
    pong, message = {"type": "pong"}, {"type": "message"}
    answers = [None, pong, None, pong, None, message, None, None]
    pings: list[int] = []

    async def get_message(timeout: float) -> dict[str, str] | None:
        return answers.pop(0)

    async def ping() -> None:
        pings.append(len(answers))

    received = RedisPubSub(redis_url)._messages(SimpleNamespace(get_message=get_message, ping=ping))
    assert await anext(received) is message
    with pytest.raises(TimeoutError, match="Redis does not answer"):
        await anext(received)
    assert pings == [7, 5, 3, 1]


async def test_message_that_redis_does_not_take_holds_later_ones_up_for_a_bounded_time(
    processes: Any, redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = processes
    monkeypatch.setattr(RedisPubSub, "_SEND_SECONDS", 0.2)
    async with here.subscribe("run a") as subscription:
        await redis.client_pause(3_000, all=True)  # as if the connection were lost in silence
        there.publish("run a", b"lost")
        async with asyncio.timeout(1.5):
            await there.flush()
        received: list[bytes] = []
        async with asyncio.timeout(30):
            while b"later" not in received:
                there.publish("run a", b"later")
                await there.flush()
                await subscription.wait(0.5)
                received += subscription.take() or ()
