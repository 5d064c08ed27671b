"""Rate limits in memory and in a real Redis-compatible server that two servers share."""

import asyncio
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from impasto_server.http import rate_limit
from impasto_server.http.errors import RateLimited
from impasto_server.http.rate_limit import RateLimiter, address_block

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


async def test_limits_are_counted_in_memory_while_redis_does_not_respond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limit, "_RETRY_SECONDS", 3600)
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
            taken.listen()
            taken.setblocking(False)
            assert not await limiter.allows("1/hour", "call")
            with pytest.raises(BlockingIOError):
                taken.accept()  # Redis is not tried again at each call


async def test_concurrent_attempts_do_not_share_a_delay(limiter: RateLimiter, key: str) -> None:
    attempts = (limiter.attempt(-9, 60, key) for _ in range(4))  # 60 s after the first: it ends in no test
    found = await asyncio.gather(*attempts, return_exceptions=True)
    seconds = [int(error.headers["Retry-After"]) for error in found if isinstance(error, RateLimited)]
    assert found.count(None) == 1
    assert len(seconds) == 3
    assert all(0 < each <= 60 for each in seconds)


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix:/run/impasto.sock", "unix:/run/impasto.sock"),
        ("", ""),
    ],
)
def test_addresses_of_an_ipv6_network_are_limited_together(address: str, block: str) -> None:
    assert address_block(address) == block


async def test_each_attempt_after_the_free_ones_waits_twice_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    async with opened("") as limiter:

        async def waits(*, by: float = 0.0) -> int:
            now[0] += by
            await limiter.attempt(3, 10, "mara")
            with pytest.raises(RateLimited) as refused:
                await limiter.attempt(3, 10, "mara")
            return int(refused.value.headers["Retry-After"])

        for _ in range(2):
            await limiter.attempt(3, 10, "mara")
        assert [await waits(), *[await waits(by=seconds) for seconds in (1.5, 2.5, 4.5, 8.5, 10.5)]] == [
            1, 2, 4, 8, 10, 10,
        ]  # fmt: skip
        await limiter.attempt(3, 10, "noor")
        await limiter.forget_attempts("mara")
        for _ in range(2):
            await limiter.attempt(3, 10, "mara")
        assert await waits() == 1
        now[0] += 86_401
        for _ in range(2):
            await limiter.attempt(3, 10, "mara")


async def test_refused_call_says_when_the_next_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    async with opened("") as limiter:
        await limiter.hit("1/minute", "call")
        now[0] += 20
        with pytest.raises(RateLimited) as refused:
            await limiter.hit("1/minute", "call")
        assert int(refused.value.headers["Retry-After"]) == 40


async def test_further_calls_are_counted_up_to_the_limit() -> None:
    async with opened("") as limiter:
        await limiter.add("3/hour", 3, "another call")
        assert not await limiter.allows("3/hour", "another call")
        await limiter.add("3/hour", 2, "call")
        assert await limiter.allows("3/hour", "call")
        await limiter.add("3/hour", 10**9, "call")
        assert not await limiter.allows("3/hour", "call")
