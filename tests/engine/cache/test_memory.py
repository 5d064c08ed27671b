"""The cache in memory, and caches that are made from it."""

import pytest

from impasto import MemoryCache

pytestmark = pytest.mark.anyio


class OwnGet(MemoryCache):
    async def get(self, key: str) -> bytes | None:
        return await super().get(key)


class Announced(OwnGet):
    can_peek = True

    async def get(self, key: str) -> bytes | None:
        return self.peek(key)


class Larger(MemoryCache):
    def __init__(self) -> None:
        super().__init__(2**30)


@pytest.mark.parametrize(
    ("kind", "can_peek"), [(MemoryCache, True), (Larger, True), (OwnGet, False), (Announced, True)]
)
def test_a_cache_with_its_own_get_cannot_peek_unless_it_says_so(kind, can_peek):
    assert kind().can_peek is can_peek


async def test_the_least_recently_used_results_are_evicted_beyond_the_maximum():
    cache = MemoryCache(max_bytes=10)
    await cache.put("a", b"1234")
    await cache.put("b", b"123456")
    assert (len(cache), cache.bytes) == (2, 10)
    assert await cache.get("a") == b"1234"
    await cache.put("c", b"1")
    assert [cache.peek(key) for key in "abc"] == [b"1234", None, b"1"]
    await cache.put("a", b"12")
    assert (len(cache), cache.bytes) == (2, 3)
    await cache.put("huge", b"12345678901")
    assert (len(cache), cache.bytes) == (0, 0)
