"""The contract of every cache."""

import os

import pytest

from impasto import DiskCache, MemoryCache
from impasto.cache import disk

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "disk"])
def make(request, tmp_path):
    if request.param == "memory":
        return lambda max_bytes: MemoryCache(max_bytes)
    return lambda max_bytes: DiskCache(tmp_path, max_bytes)


async def test_kept_result_is_found(make):
    cache = make(1000)
    assert await cache.get("a") is None
    await cache.put("a", b'{"x":1}')
    await cache.put("b", b"{}")
    await cache.put("a", b'{"x":2}')
    assert (await cache.get("a"), await cache.get("b"), len(cache)) == (b'{"x":2}', b"{}", 2)
    assert cache.inflight == {}


async def test_least_recently_used_result_is_evicted_first(make):
    cache = make(3 * 116)
    for key in "abc":
        await cache.put(key, key.encode() * 100)
    await cache.get("a")
    await cache.put("d", b"d" * 100)
    found = [await cache.get(key) for key in "abcd"]
    assert [value is not None for value in found] == [True, False, True, True]
    assert cache.bytes <= cache.max_bytes


async def test_result_larger_than_the_cache_is_not_kept(make):
    cache = make(50)
    await cache.put("a", b"x" * 100)
    assert (await cache.get("a"), cache.bytes) == (None, 0)


async def test_damaged_file_counts_as_missing(tmp_path):
    cache = DiskCache(tmp_path)
    await cache.put("a", b"good")
    (tmp_path / "a").write_bytes(b"half")
    assert await cache.get("a") is None
    assert len(cache) == 0


async def test_existing_folder_is_reduced_to_the_new_size(tmp_path):
    cache = DiskCache(tmp_path)
    for number, key in enumerate("abc"):
        await cache.put(key, b"x" * 100)
        os.utime(tmp_path / key, (number, number))
    (tmp_path / "left.new").write_bytes(b"half")
    os.utime(tmp_path / "left.new", (0, 0))
    (tmp_path / "being-written.new").write_bytes(b"half")
    again = DiskCache(tmp_path, 2 * 116)
    assert (await again.get("a"), len(again)) == (None, 2)
    assert not (tmp_path / "left.new").exists()
    assert (tmp_path / "being-written.new").exists()


async def test_processes_that_share_a_folder_stay_within_its_size(tmp_path):
    caches = [DiskCache(tmp_path, 10 * 116) for _ in range(2)]
    for number in range(40):
        await caches[number % 2].put(f"k{number}", b"x" * 100)
    assert len(list(tmp_path.iterdir())) <= 12
    assert await caches[0].get("k39") is not None


async def test_file_evicted_by_another_process_counts_as_missing(tmp_path, monkeypatch):
    ours, theirs = DiskCache(tmp_path), DiskCache(tmp_path)
    await ours.put("a", b"x")
    touch = disk._mark_used

    def gone(file):
        file.unlink()
        touch(file)

    monkeypatch.setattr(disk, "_mark_used", gone)
    assert await ours.get("a") == b"x"
    assert await ours.get("a") is None
    assert await theirs.get("a") is None


async def test_file_that_cannot_be_removed_does_not_block_eviction(tmp_path):
    cache = DiskCache(tmp_path, 300)
    await cache.put("a", b"x" * 100)
    (tmp_path / "a").unlink()
    (tmp_path / "a").mkdir()
    for key in "bcd":
        await cache.put(key, b"x" * 100)
    assert [await cache.get(key) for key in "ad"] == [None, b"x" * 100]
