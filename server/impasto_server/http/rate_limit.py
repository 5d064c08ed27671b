"""Rate limits and growing delays, counted in memory, or in Redis so that several servers share them."""

import time
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

import structlog
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from impasto_server.http.errors import RateLimited

_DAY_SECONDS = 86_400
_MAX_DOUBLINGS = 20
_RETRY_SECONDS = 5.0
_TIMEOUTS = {"socket_connect_timeout": 2, "socket_timeout": 2}
log = structlog.get_logger()


def address_block(address: str) -> str:
    """Return what rate limits count as one address: an IPv4 address, or the /64 network of an IPv6 address.

    A single customer usually controls a whole /64. IPv4 addresses mapped into IPv6 count as IPv4. Other
    texts, such as the name of a local socket, are returned unchanged.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))


class RateLimiter:
    """Counts calls by key.

    While Redis does not respond, each process counts by itself: users can sign in, and are still limited.
    """

    def __init__(self, redis_url: str) -> None:
        self._storage = _Redis(redis_url) if redis_url else None
        self._memory = _Counters(MemoryStorage())
        self._shared = _Counters(self._storage) if self._storage else None
        self._is_down_until = 0.0

    async def hit(self, limit: str, *key: str) -> None:
        """Count one call under `key`. Raises `RateLimited` if it exceeds `limit`, such as "10/minute"."""
        seconds = await self._count(lambda counters: counters.hit(parse(limit), *key))
        if seconds is not None:
            raise RateLimited(seconds)

    async def allows(self, limit: str, *key: str) -> bool:
        """Count one call under `key`; return whether it is within `limit`."""
        return await self._count(lambda counters: counters.hit(parse(limit), *key)) is None

    async def attempt(self, free: int, max_delay: int, *key: str) -> None:
        """Count an attempt under `key`: after `free` of them, each one must wait twice as long as the last.

        The delays are 1, 2, 4 ... seconds, at most `max_delay`; a day after the first attempt the count
        starts again. The attempt is counted before it succeeds or fails, so that concurrent ones do not share
        a delay. Raises `RateLimited` if the delay has not passed.
        """
        seconds = await self._count(lambda counters: counters.attempt(free, max_delay, *key))
        if seconds is not None:
            raise RateLimited(seconds)

    async def forget_attempts(self, *key: str) -> None:
        """Reset the count of `attempt` under `key`, because an attempt succeeded."""
        await self._count(lambda counters: counters.forget_attempts(*key))

    async def add(self, limit: str, calls: int, *key: str) -> None:
        """Count further calls under `key`, as far as `limit` allows. Never raises `RateLimited`."""
        for _ in range(calls):
            if not await self.allows(limit, *key):
                return

    async def check(self) -> None:
        """Raise ConnectionError if the shared counters cannot be reached."""
        if self._storage is not None and not await self._storage.check():
            raise ConnectionError("the storage of the rate limits does not respond")

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._storage is not None:
            await self._storage.close()

    async def _count(self, count: Callable[["_Counters"], Awaitable[int | None]]) -> int | None:
        if self._shared is not None and self._storage is not None and time.monotonic() >= self._is_down_until:
            try:
                return await count(self._shared)
            except self._storage.errors as error:
                self._is_down_until = time.monotonic() + _RETRY_SECONDS
                log.warning("Redis does not respond: rate limits count by process", error=str(error))
        return await count(self._memory)


class _Counters:
    """The counters of one storage. Methods return the seconds to wait if a limit is exceeded, or None."""

    def __init__(self, storage: "MemoryStorage | _Redis") -> None:
        self._storage = storage
        self._strategy = MovingWindowRateLimiter(storage)

    async def hit(self, item: RateLimitItem, *key: str) -> int | None:
        if await self._strategy.hit(item, *key):
            return None
        window = await self._strategy.get_window_stats(item, *key)
        return ceil(window.reset_time - time.time())

    async def attempt(self, free: int, max_delay: int, *key: str) -> int | None:
        name = _attempts(*key)
        paused = f"{name}/paused"
        if await self._storage.get(paused):
            return await self._seconds_left(paused)
        count = await self._storage.incr(name, _DAY_SECONDS)
        if count < free:
            return None
        delay = min(2 ** min(count - free, _MAX_DOUBLINGS), max_delay)
        if await self._storage.incr(paused, delay) > 1:  # a concurrent attempt was counted first
            return await self._seconds_left(paused)
        return None

    async def forget_attempts(self, *key: str) -> None:
        name = _attempts(*key)
        await self._storage.clear(name)
        await self._storage.clear(f"{name}/paused")

    async def _seconds_left(self, name: str) -> int:
        return ceil(await self._storage.get_expiry(name) - time.time())


def _attempts(*key: str) -> str:
    return "/".join(("attempts", *key))


class _Redis(RedisStorage):
    """A RedisStorage whose connections can be closed."""

    def __init__(self, url: str) -> None:
        # Imported here: redis is installed with the extra "scale" only.
        from redis.asyncio import ConnectionPool
        from redis.exceptions import RedisError

        self._pool = ConnectionPool.from_url(url, **_TIMEOUTS)
        self.errors: tuple[type[Exception], ...] = (RedisError, OSError)
        super().__init__(f"async+{url}", implementation="redispy", connection_pool=self._pool)  # type: ignore[arg-type]

    async def close(self) -> None:
        await self._pool.disconnect()
