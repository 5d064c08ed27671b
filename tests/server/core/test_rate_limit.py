"""Rate limits in memory and in a real Redis-compatible server that two servers share."""

import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from impasto_server.http.errors import RateLimited
from impasto_server.http.rate_limit import RateLimiter

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "redis"])
def url(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "memory" else request.getfixturevalue("redis_url")


@pytest.fixture
def key() -> str:
    return secrets.token_hex(4)


@pytest.fixture
async def limiter(url: str) -> AsyncIterator[RateLimiter]:
    async with opened(url) as made:
        yield made


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[RateLimiter]:
    limiter = RateLimiter(url)
    yield limiter
    await limiter.close()


async def test_calls_over_the_limit_are_refused(limiter: RateLimiter, key: str) -> None:
    for _ in range(3):
        await limiter.hit("3/minute", "call", key)
    with pytest.raises(RateLimited) as refused:
        await limiter.hit("3/minute", "call", key)
    assert 1 <= int(refused.value.headers["Retry-After"]) <= 61
    await limiter.hit("3/minute", "call", key + "else")
    await limiter.check()


async def test_allows_returns_instead_of_raising(limiter: RateLimiter, key: str) -> None:
    assert await limiter.allows("1/hour", key)
    assert not await limiter.allows("1/hour", key)


async def test_servers_share_counters_in_redis(redis_url: str, key: str) -> None:
    async with opened(redis_url) as one, opened(redis_url) as other:
        assert await one.allows("1/hour", key)
        assert not await other.allows("1/hour", key)


async def test_check_fails_without_redis() -> None:
    async with opened("redis://127.0.0.1:1/0") as limiter:
        with pytest.raises(ConnectionError):
            await limiter.check()


async def test_limits_are_counted_in_memory_while_redis_does_not_respond() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # without a listener
        async with opened(f"redis://127.0.0.1:{taken.getsockname()[1]}/0") as limiter:
            for _ in range(3):
                await limiter.hit("3/minute", "call")
            with pytest.raises(RateLimited):
                await limiter.hit("3/minute", "call")
            assert await limiter.allows("1/hour", "call")
            await limiter.attempt(1, 60, "mara")
            with pytest.raises(RateLimited):
                await limiter.attempt(1, 60, "mara")
            await limiter.forget_attempts("mara")
            await limiter.attempt(2, 60, "mara")
            with pytest.raises(ConnectionError):
                await limiter.check()
