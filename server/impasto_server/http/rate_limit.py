"""Rate limits: counted in memory, or in Redis when several servers share them."""

import time
from math import ceil

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter

from impasto_server.http.errors import RateLimited


class RateLimiter:
    """Counts calls by key and refuses those over a limit."""

    def __init__(self, redis_url: str) -> None:
        self._storage = _Redis(redis_url) if redis_url else MemoryStorage()
        self._strategy = MovingWindowRateLimiter(self._storage)

    async def hit(self, limit: str, *key: str) -> None:
        """Count one call under `key`. Raises `RateLimited` when `limit` ("10/minute") is used up."""
        item = parse(limit)
        if not await self._strategy.hit(item, *key):
            raise RateLimited(await self._seconds_left(item, *key))

    async def allows(self, limit: str, *key: str) -> bool:
        """Count one call under `key` and tell whether it is within `limit`."""
        return await self._strategy.hit(parse(limit), *key)

    async def check(self) -> None:
        """Raise unless the counters can be reached."""
        if not await self._storage.check():
            raise ConnectionError("the server that counts rate limits does not answer")

    async def close(self) -> None:
        """Close the connections to the counters."""
        if isinstance(self._storage, _Redis):
            await self._storage.close()

    async def _seconds_left(self, item: RateLimitItem, *key: str) -> int:
        window = await self._strategy.get_window_stats(item, *key)
        return ceil(window.reset_time - time.time())


class _Redis(RedisStorage):
    """Counters in Redis whose connections can be closed."""

    def __init__(self, url: str) -> None:
        # Imported here: only those who scale out have it installed.
        from redis.asyncio import ConnectionPool

        self._pool = ConnectionPool.from_url(url)
        super().__init__(f"async+{url}", implementation="redispy", connection_pool=self._pool)  # type: ignore[arg-type]

    async def close(self) -> None:
        await self._pool.disconnect()
