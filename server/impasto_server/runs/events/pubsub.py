"""Publish/subscribe between the code that writes events and the code that streams them.

Messages have no payload: a subscriber that wakes reads the database.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import structlog

log = structlog.get_logger()


class RedisUnreachable(ConnectionError):
    """Redis does not answer; without it, servers and workers cannot notify each other."""

    def __init__(self) -> None:
        super().__init__("the server that IMPASTO_REDIS_URL names does not answer")


class Subscription:
    """A wake-up flag of one subscriber."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()
        self.closed = False

    def close(self) -> None:
        """Mark the subscription as closed and wake its waiter."""
        self.closed = True
        self.notify()

    def notify(self) -> None:
        """Wake the waiter, or let the next `wait` return at once."""
        self._notified.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a notification for at most `seconds`. Returns False on timeout."""
        try:
            async with asyncio.timeout(seconds):
                await self._notified.wait()
        except TimeoutError:
            return False
        self._notified.clear()
        return True


class PubSub(Protocol):
    """Topics by name, such as `run <id>`. Enter it before use."""

    closed: bool

    async def __aenter__(self) -> "PubSub": ...

    async def __aexit__(self, *error: object) -> None: ...

    def publish(self, topic: str) -> None:
        """Notify every subscriber of a topic, in every process that shares this pub/sub."""

    def subscribe(self, topic: str) -> AbstractAsyncContextManager[Subscription]:
        """Subscribe to a topic for the length of an async block, without losing a notification inside it."""

    async def flush(self) -> None:
        """Wait until the notifications under way are sent, a few seconds at most."""

    def close(self) -> None:
        """Set `closed` and notify every subscriber: the process is about to stop."""


class LocalPubSub:
    """Pub/sub inside one process."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[str, set[Subscription]] = defaultdict(set)
        self.closed = False

    async def __aenter__(self) -> "LocalPubSub":
        return self

    async def __aexit__(self, *error: object) -> None:
        self._subscribers.clear()

    def publish(self, topic: str) -> None:
        """Notify the subscribers in this process."""
        self._notify(topic)

    async def flush(self) -> None:
        """Do nothing: subscribers in this process are notified at once."""

    def close(self) -> None:
        """Set `closed` and notify every subscriber in this process."""
        self.closed = True
        self._notify_all()

    @asynccontextmanager
    async def subscribe(self, topic: str) -> AsyncIterator[Subscription]:
        """Subscribe to a topic for the length of the block."""
        subscription = Subscription()
        self._subscribers[topic].add(subscription)
        try:
            yield subscription
        finally:
            self._subscribers[topic].discard(subscription)
            if not self._subscribers[topic]:
                del self._subscribers[topic]

    def _notify(self, topic: str) -> None:
        for subscription in tuple(self._subscribers.get(topic, ())):
            subscription.notify()

    def _notify_all(self) -> None:
        for topic in tuple(self._subscribers):
            self._notify(topic)


class RedisPubSub(LocalPubSub):
    """Pub/sub between processes: one Redis connection and one Redis channel for all topics."""

    CHANNEL = "impasto:signals"
    _RECONNECT_SECONDS = 1.0
    _START_SECONDS = 10.0
    _FLUSH_SECONDS = 5.0

    def __init__(self, redis_url: str) -> None:
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(redis_url)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "RedisPubSub":
        ready = asyncio.Event()
        receiving = asyncio.create_task(self._receive(ready))
        self._keep(receiving)
        try:
            async with asyncio.timeout(self._START_SECONDS):
                await ready.wait()
        except TimeoutError as error:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)
            await self._redis.aclose()
            raise RedisUnreachable from error
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()
        await super().__aexit__(*error)

    def publish(self, topic: str) -> None:
        """Notify the subscribers in every process."""
        super().publish(topic)
        sending = asyncio.create_task(self._send(topic))
        self._keep(sending)
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def flush(self) -> None:
        """Wait until the notifications under way are sent, a few seconds at most."""
        if self._sending:
            await asyncio.wait(self._sending, timeout=self._FLUSH_SECONDS)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, topic: str) -> None:
        from redis.exceptions import RedisError

        try:
            await self._redis.publish(self.CHANNEL, topic)
        except (RedisError, OSError) as error:
            # Streams also read the database at each heartbeat: a lost message delays them and loses nothing.
            log.warning("could not publish to Redis", topic=topic, error=str(error))

    async def _receive(self, ready: asyncio.Event) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(self.CHANNEL)
                    ready.set()
                    self._notify_all()  # messages may have been missed while the connection was down
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self._notify(message["data"].decode())
            except (RedisError, OSError) as error:
                log.warning("lost the Redis subscription; reconnecting", error=str(error))
                await asyncio.sleep(self._RECONNECT_SECONDS)
