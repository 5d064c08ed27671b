"""Rate limits with a moving window, counted in memory, or in Redis so that several servers share them."""

import time
from math import ceil

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from impasto_server.http.errors import RateLimited


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

    async def check(self) -> None:
        """Raise ConnectionError if the counters cannot be reached."""
        if not await self._storage.check():
            raise ConnectionError("the storage of the rate limits does not respond")

    async def close(self) -> None:
        """Close the connections to Redis."""
        if isinstance(self._storage, _Redis):
            await self._storage.close()

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
