"""What the engine asks of every cache."""

import os

import pytest

from impasto import DiskCache, MemoryCache

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "disk"])
def make(request, tmp_path):
    if request.param == "memory":
        return lambda most: MemoryCache(most)
    return lambda most: DiskCache(tmp_path, most)


async def test_what_is_put_is_found(make):
    cache = make(1000)
    assert await cache.get("a") is None
    await cache.put("a", b'{"x":1}')
    await cache.put("b", b"{}")
    await cache.put("a", b'{"x":2}')
    assert (await cache.get("a"), await cache.get("b"), len(cache)) == (b'{"x":2}', b"{}", 2)
    assert cache.flights == {}


async def test_what_was_not_asked_for_the_longest_goes_first(make):
    cache = make(3 * 116)
    for key in "abc":
        await cache.put(key, key.encode() * 100)
    await cache.get("a")
    await cache.put("d", b"d" * 100)
    found = [await cache.get(key) for key in "abcd"]
    assert [value is not None for value in found] == [True, False, True, True]
    assert cache.bytes <= cache.max_bytes


async def test_what_is_larger_than_the_cache_is_not_kept(make):
    cache = make(50)
    await cache.put("a", b"x" * 100)
    assert (await cache.get("a"), cache.bytes) == (None, 0)


async def test_a_damaged_file_counts_as_not_there(tmp_path):
    cache = DiskCache(tmp_path)
    await cache.put("a", b"good")
    (tmp_path / "a").write_bytes(b"half")
    assert await cache.get("a") is None
    assert len(cache) == 0


async def test_a_folder_is_taken_over_within_the_new_size(tmp_path):
    cache = DiskCache(tmp_path)
    for number, key in enumerate("abc"):
        await cache.put(key, b"x" * 100)
        os.utime(tmp_path / key, (number, number))
    (tmp_path / "left.new").write_bytes(b"half")
    again = DiskCache(tmp_path, 2 * 116)
    assert (await again.get("a"), len(again)) == (None, 2)
    assert not (tmp_path / "left.new").exists()
