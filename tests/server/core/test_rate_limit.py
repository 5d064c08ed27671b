"""Rate limits count alike in memory and in a real Redis-compatible server, shared by two servers there."""

import secrets
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


async def test_the_limit_is_the_limit(limiter: RateLimiter, key: str) -> None:
    for _ in range(3):
        await limiter.hit("3/minute", "call", key)
    with pytest.raises(RateLimited) as refused:
        await limiter.hit("3/minute", "call", key)
    assert 1 <= int(refused.value.headers["Retry-After"]) <= 61
    await limiter.hit("3/minute", "call", key + "else")
    await limiter.check()


async def test_telling_instead_of_refusing(limiter: RateLimiter, key: str) -> None:
    assert await limiter.allows("1/hour", key)
    assert not await limiter.allows("1/hour", key)


async def test_two_servers_count_together(redis_url: str, key: str) -> None:
    async with opened(redis_url) as one, opened(redis_url) as other:
        assert await one.allows("1/hour", key)
        assert not await other.allows("1/hour", key)


async def test_a_dead_server_is_found_out() -> None:
    async with opened("redis://127.0.0.1:1/0") as limiter:
        with pytest.raises(ConnectionError):
            await limiter.check()
