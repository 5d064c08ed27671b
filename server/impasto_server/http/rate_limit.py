"""Rate limits and growing delays, counted in memory, or in Redis so that several servers share them."""

import time
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from impasto_server.http.errors import RateLimited

_DAY_SECONDS = 86_400
_MAX_DOUBLINGS = 20


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
    """Counts calls by key."""

    def __init__(self, redis_url: str) -> None:
        self._storage = _Redis(redis_url) if redis_url else MemoryStorage()
        self._strategy = MovingWindowRateLimiter(self._storage)

    async def hit(self, limit: str, *key: str) -> None:
        """Count one call under `key`. Raises `RateLimited` if it exceeds `limit`, such as "10/minute"."""
        item = parse(limit)
        if not await self._strategy.hit(item, *key):
            raise RateLimited(await self._seconds_left(item, *key))

    async def allows(self, limit: str, *key: str) -> bool:
        """Count one call under `key`; return whether it is within `limit`."""
        return await self._strategy.hit(parse(limit), *key)

    async def attempt(self, free: int, max_delay: int, *key: str) -> None:
        """Count an attempt under `key`: after `free` of them, each one must wait twice as long as the last.

        The delays are 1, 2, 4 ... seconds, at most `max_delay`; a day after the first attempt the count
        starts again. The attempt is counted before it succeeds or fails, so that concurrent ones do not share
        a delay. Raises `RateLimited` if the delay has not passed.
        """
        name = "/".join(("attempts", *key))
        paused = f"{name}/paused"
        if await self._storage.get(paused):
            raise await self._paused(paused)
        count = await self._storage.incr(name, _DAY_SECONDS)
        if count < free:
            return
        delay = min(2 ** min(count - free, _MAX_DOUBLINGS), max_delay)
        if await self._storage.incr(paused, delay) > 1:  # a concurrent attempt was counted first
            raise await self._paused(paused)

    async def forget_attempts(self, *key: str) -> None:
        """Reset the count of `attempt` under `key`, because an attempt succeeded."""
        name = "/".join(("attempts", *key))
        await self._storage.clear(name)
        await self._storage.clear(f"{name}/paused")

    async def add(self, limit: str, calls: int, *key: str) -> None:
        """Count further calls under `key`, as far as `limit` allows. Never raises `RateLimited`."""
        item = parse(limit)
        for _ in range(calls):
            if not await self._strategy.hit(item, *key):
                return

    async def check(self) -> None:
        """Raise ConnectionError if the counters cannot be reached."""
        if not await self._storage.check():
            raise ConnectionError("the storage of the rate limits does not respond")

    async def close(self) -> None:
        """Close the connections to Redis."""
        if isinstance(self._storage, _Redis):
            await self._storage.close()

    async def _paused(self, name: str) -> RateLimited:
        return RateLimited(ceil(await self._storage.get_expiry(name) - time.time()))

    async def _seconds_left(self, item: RateLimitItem, *key: str) -> int:
        window = await self._strategy.get_window_stats(item, *key)
        return ceil(window.reset_time - time.time())


class _Redis(RedisStorage):
    """A RedisStorage whose connections can be closed."""

    def __init__(self, url: str) -> None:
        # Imported here: redis is installed with the extra "scale" only.
        from redis.asyncio import ConnectionPool

        self._pool = ConnectionPool.from_url(url)
        super().__init__(f"async+{url}", implementation="redispy", connection_pool=self._pool)  # type: ignore[arg-type]

    async def close(self) -> None:
        await self._pool.disconnect()
