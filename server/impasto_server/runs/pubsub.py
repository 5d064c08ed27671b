"""Wake-ups between who writes events and who streams them. They carry nothing: the database is the truth."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import structlog

log = structlog.get_logger()


class SignalsSilent(ConnectionError):
    """Redis does not answer, and without it servers and workers do not hear of each other."""

    def __init__(self) -> None:
        super().__init__("the server that IMPASTO_REDIS_URL names does not answer")


class Wake:
    """Something to wait on until a topic is rung."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self.closed = False

    def close(self) -> None:
        """Tell whoever waits that there is nothing more to wait for."""
        self.closed = True
        self.ring()

    def ring(self) -> None:
        """Wake whoever waits."""
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until rung, at most so long; tell whether it was."""
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True


class Signals(Protocol):
    """Rings and listens to topics, such as `run <id>`."""

    closed: bool

    async def __aenter__(self) -> "Signals": ...

    async def __aexit__(self, *error: object) -> None: ...

    def ring(self, topic: str) -> None:
        """Wake everybody who listens to a topic, in every process that shares the signals."""

    def listen(self, topic: str) -> Any:
        """Listen to a topic for the length of an async block: rings from its first line on are not lost."""

    def close(self) -> None:
        """Wake everybody for the last time: the process is about to stop."""


class LocalSignals:
    """Signals inside one process."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, set[Wake]] = defaultdict(set)
        self.closed = False

    async def __aenter__(self) -> "LocalSignals":
        return self

    async def __aexit__(self, *error: object) -> None:
        self._listeners.clear()

    def ring(self, topic: str) -> None:
        """Wake the listeners of this process."""
        for wake in tuple(self._listeners.get(topic, ())):
            wake.ring()

    def close(self) -> None:
        """Wake the listeners of this process for the last time."""
        self.closed = True
        self._ring_all()

    @asynccontextmanager
    async def listen(self, topic: str) -> AsyncIterator[Wake]:
        """Listen to a topic."""
        wake = Wake()
        self._listeners[topic].add(wake)
        try:
            yield wake
        finally:
            self._listeners[topic].discard(wake)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def _ring_all(self) -> None:
        for topic in tuple(self._listeners):
            LocalSignals.ring(self, topic)


class RedisSignals(LocalSignals):
    """Signals between processes by Redis publish/subscribe: one connection, one channel a process."""

    CHANNEL = "impasto:signals"
    _PATIENCE_SECONDS = 1.0
    _START_SECONDS = 10.0

    def __init__(self, redis_url: str) -> None:
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(redis_url)
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "RedisSignals":
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
            raise SignalsSilent from error
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()
        await super().__aexit__(*error)

    def ring(self, topic: str) -> None:
        """Wake the listeners of every process."""
        super().ring(topic)
        self._keep(asyncio.create_task(self._publish(topic)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, topic: str) -> None:
        from redis.exceptions import RedisError

        try:
            await self._redis.publish(self.CHANNEL, topic)
        except (RedisError, OSError) as error:
            # Streams look into the database at each heartbeat as well: a lost ring delays, it loses nothing.
            log.warning("signal lost", topic=topic, error=str(error))

    async def _receive(self, ready: asyncio.Event) -> None:
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(self.CHANNEL)
                    ready.set()
                    self._ring_all()  # nobody knows what was missed before
                    async for message in channel.listen():
                        if message["type"] == "message":
                            super().ring(message["data"].decode())
            except (RedisError, OSError) as error:
                log.warning("signals are down", error=str(error))
                await asyncio.sleep(self._PATIENCE_SECONDS)
