"""Publish/subscribe between the code that writes events and the code that streams them.

A message may have a payload, which spares its subscribers a look at the database. It is never the only copy:
a message without one, or a lost one, only means that they have to look.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Protocol

import structlog

log = structlog.get_logger()


class RedisUnreachable(ConnectionError):
    """Redis does not answer; without it, servers and workers cannot notify each other."""

    def __init__(self) -> None:
        super().__init__("the server that IMPASTO_REDIS_URL names does not answer")


_MAX_PENDING_BYTES = 1_000_000
_TIMEOUTS: dict[str, Any] = {"socket_connect_timeout": 5, "socket_timeout": 5, "socket_keepalive": True}


class Subscription:
    """A wake-up flag of one subscriber, with the payloads of the notifications that it has not taken."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()
        self._payloads: list[bytes] = []
        self._bytes = 0
        self._has_all = True
        self.closed = False

    def close(self) -> None:
        """Mark the subscription as closed and wake its waiter."""
        self.closed = True
        self.notify()

    def notify(self, payload: bytes = b"") -> None:
        """Wake the waiter, or let the next `wait` return at once."""
        self._bytes += len(payload)
        if not payload or self._bytes > _MAX_PENDING_BYTES:
            self._has_all = False
            self._payloads.clear()
        elif self._has_all:
            self._payloads.append(payload)
        self._notified.set()

    def take(self) -> Sequence[bytes] | None:
        """Take the payloads since the last call; None if a notification had none, or there were too many."""
        payloads = self._payloads if self._has_all else None
        self._payloads, self._bytes, self._has_all = [], 0, True
        return payloads

    def forget(self) -> None:
        """Forget the notifications so far."""
        self.take()
        self._notified.clear()

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
    """Topics by name, such as `run <id>`. Start or enter it before use."""

    @property
    def closed(self) -> bool:
        """Whether the process is about to stop."""

    def start(self) -> None:
        """Connect in the background, as often as it takes. Topics of other processes come once it has."""

    async def __aenter__(self) -> "PubSub":
        """Start, and wait until it is connected. Raises `RedisUnreachable` after some seconds."""

    async def __aexit__(self, *error: object) -> None: ...

    def publish(self, topic: str, payload: bytes = b"") -> None:
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

    def start(self) -> None:
        """Do nothing: it needs no connection."""

    async def __aenter__(self) -> "LocalPubSub":
        return self

    async def __aexit__(self, *error: object) -> None:
        self._subscribers.clear()

    def publish(self, topic: str, payload: bytes = b"") -> None:
        """Notify the subscribers in this process."""
        for subscription in tuple(self._subscribers.get(topic, ())):
            subscription.notify(payload)

    async def flush(self) -> None:
        """Do nothing: subscribers in this process are notified at once."""

    def close(self) -> None:
        """Set `closed` and notify every subscriber in this process."""
        self.closed = True
        for topic in tuple(self._subscribers):
            self.publish(topic)

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

    def count(self, topic: str) -> int:
        """Return how many subscribers a topic has."""
        return len(self._subscribers.get(topic, ()))


class RedisPubSub:
    """Pub/sub between processes: a topic is a Redis channel, received only where it has subscribers."""

    _PREFIX = "impasto:signals:"
    _RECONNECT_SECONDS = 1.0
    _START_SECONDS = 10.0
    _FLUSH_SECONDS = 5.0
    _CONFIRM_SECONDS = 1.0
    _SEND_SECONDS = 5.0
    _SILENT_SECONDS = 10.0

    def __init__(self, redis_url: str) -> None:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        self._local = LocalPubSub()
        self._publishing: Any = Redis.from_url(redis_url, **_TIMEOUTS)
        # Without retries, so that only the task that receives connects again.
        self._subscribing: Any = Redis.from_url(redis_url, retry=Retry(NoBackoff(), 0), **_TIMEOUTS)
        self._ready = asyncio.Event()
        self._channel: Any = None
        self._confirmed: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unsent: list[tuple[str, bytes]] = []
        self._unsent_bytes = 0
        self._sending: asyncio.Task[None] | None = None

    @property
    def closed(self) -> bool:
        """Whether the process is about to stop."""
        return self._local.closed

    def start(self) -> None:
        """Connect in the background, as often as it takes."""
        self._keep(asyncio.create_task(self._receive(), name="Redis subscriptions"))

    async def __aenter__(self) -> "RedisPubSub":
        self.start()
        try:
            async with asyncio.timeout(self._START_SECONDS):
                await self._ready.wait()
        except TimeoutError as error:
            await self.__aexit__()
            raise RedisUnreachable from error
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._disconnect()
        await self._local.__aexit__(*error)

    def close(self) -> None:
        """Set `closed` and notify every subscriber in this process."""
        self._local.close()

    def publish(self, topic: str, payload: bytes = b"") -> None:
        """Notify the subscribers in every process, in the order of the calls."""
        self._local.publish(topic, payload)
        self._unsent_bytes += len(payload)
        self._unsent.append((topic, payload if self._unsent_bytes <= _MAX_PENDING_BYTES else b""))
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())
            self._keep(self._sending)

    async def flush(self) -> None:
        """Wait until the notifications under way are sent, a few seconds at most."""
        if self._sending is not None:
            await asyncio.wait([self._sending], timeout=self._FLUSH_SECONDS)

    @asynccontextmanager
    async def subscribe(self, topic: str) -> AsyncIterator[Subscription]:
        """Subscribe to a topic for the length of the block."""
        async with self._local.subscribe(topic) as subscription:
            try:
                await self._receive_topic(topic)
                # What was notified before the block, such as that Redis has subscribed, is read in it anyway.
                subscription.forget()
                yield subscription
            finally:
                if self._local.count(topic) == 1:
                    self._confirmed.pop(topic, None)
                    self._keep(asyncio.create_task(self._leave_topic(topic)))

    async def _receive_topic(self, topic: str) -> None:
        """Return once this process receives a topic. Without Redis, it will as soon as Redis is back."""
        confirmed = self._confirmed.get(topic)
        if confirmed is None:
            confirmed = self._confirmed[topic] = asyncio.Event()
            await self._command("subscribe", topic)
        if self._channel is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._CONFIRM_SECONDS):
                    await confirmed.wait()

    async def _leave_topic(self, topic: str) -> None:
        if topic not in self._confirmed:  # else it has a subscriber again
            await self._command("unsubscribe", topic)

    async def _command(self, name: str, topic: str) -> None:
        from redis.exceptions import RedisError

        if self._channel is None:
            return  # the next connection begins with the topics that have subscribers then
        try:
            await getattr(self._channel, name)(f"{self._PREFIX}{topic}")
        except (RedisError, OSError) as error:
            log.warning("could not change a Redis subscription", topic=topic, error=str(error))

    async def _disconnect(self) -> None:
        await self._publishing.aclose()
        await self._subscribing.aclose()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self) -> None:
        """Send what was published, in turn: together what was published while others were sent."""
        from redis.exceptions import RedisError

        try:
            while self._unsent:
                messages, self._unsent, self._unsent_bytes = self._unsent, [], 0
                async with self._publishing.pipeline(transaction=False) as pipeline:
                    for topic, payload in messages:
                        pipeline.publish(f"{self._PREFIX}{topic}", payload)
                    try:
                        # Limited, because later messages wait: a connection can be lost in silence.
                        async with asyncio.timeout(self._SEND_SECONDS):
                            await pipeline.execute()
                    except (RedisError, OSError) as error:
                        # Subscribers also look now and then: a lost message delays them and loses nothing.
                        log.warning("could not publish to Redis", messages=len(messages), error=str(error))
        finally:
            self._sending = None

    async def _receive(self) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._subscribing.pubsub() as channel:
                    await self._subscribe_all(channel)
                    self._channel = channel
                    self._ready.set()
                    async for message in self._messages(channel):
                        topic = message["channel"].decode().removeprefix(self._PREFIX)
                        self._on_message(message["type"], topic, message["data"])
            except (RedisError, OSError) as error:
                log.warning("no subscription at Redis; connecting again", error=str(error))
            finally:
                self._channel = None
            await asyncio.sleep(self._RECONNECT_SECONDS)

    async def _messages(self, channel: Any) -> AsyncIterator[Any]:
        """Yield the messages of a connection. Raises TimeoutError if Redis does not answer a ping.

        A connection that is lost in silence would never receive another message.
        """
        is_asked = False
        while True:
            message = await channel.get_message(timeout=self._SILENT_SECONDS)
            if message is None and is_asked:
                raise TimeoutError("Redis does not answer")
            is_asked = message is None
            if message is None:
                await channel.ping()
            elif message["type"] != "pong":
                yield message

    async def _subscribe_all(self, channel: Any) -> None:
        """Subscribe a new connection to all topics, and to a channel without messages: it needs one."""
        subscribed: set[str] = set()
        missing = {""}
        while missing:
            await channel.subscribe(*(f"{self._PREFIX}{topic}" for topic in missing))
            subscribed |= missing
            missing = set(self._confirmed) - subscribed

    def _on_message(self, kind: str, topic: str, data: Any) -> None:
        if kind == "message":
            self._local.publish(topic, data)
        elif kind == "subscribe":
            if topic in self._confirmed:
                self._confirmed[topic].set()
            self._local.publish(topic)  # messages may have been missed before a subscription
