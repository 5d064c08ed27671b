"""The cache in a folder: what is kept, evicted, damaged, and shared with other processes."""

import os
import time

import pytest

from impasto import DiskCache

pytestmark = pytest.mark.anyio
SUM = 16  # bytes of the checksum in front of each result


def names(folder):
    return {file.name for file in folder.iterdir()}


def set_age(file, seconds):
    moment = time.time() - seconds
    os.utime(file, (moment, moment))


async def test_result_is_kept_and_replaced_under_its_key(tmp_path):
    cache = DiskCache(tmp_path / "deep" / "cache")
    assert await cache.get("a") is None
    await cache.put("a", b"first")
    await cache.put("a", b"second!")
    assert (await cache.get("a"), len(cache), cache.bytes) == (b"second!", 1, 7 + SUM)
    assert names(cache.folder) == {"a"}
    assert cache.peek("a") is None


async def test_least_recently_used_results_are_evicted_beyond_the_limit(tmp_path):
    cache = DiskCache(tmp_path, 3 * (4 + SUM))
    for key in "abc":
        await cache.put(key, b"1234")
    await cache.get("a")
    assert (len(cache), cache.bytes) == (3, 60)
    await cache.put("d", b"1234")
    assert (names(tmp_path), cache.bytes) == ({"a", "c", "d"}, 60)
    await cache.put("e", b"12345")
    assert (names(tmp_path), cache.bytes) == ({"d", "e"}, 41)


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 40])
async def test_damaged_file_counts_as_missing_and_is_deleted(tmp_path, content):
    cache = DiskCache(tmp_path)
    await cache.put("a", b"kept")
    (tmp_path / "a").write_bytes(content)
    assert (await cache.get("a"), len(cache), cache.bytes, names(tmp_path)) == (None, 0, 0, set())


async def test_file_that_another_process_evicted_counts_no_more(tmp_path):
    cache = DiskCache(tmp_path)
    await cache.put("a", b"kept")
    (tmp_path / "a").unlink()
    assert (await cache.get("a"), len(cache), cache.bytes) == (None, 0, 0)


async def test_result_of_another_process_is_found_and_counted_once(tmp_path):
    cache, other = DiskCache(tmp_path), DiskCache(tmp_path)
    await other.put("a", b"kept")
    assert (len(cache), cache.bytes) == (0, 0)
    for _ in range(2):
        assert await cache.get("a") == b"kept"
        assert (len(cache), cache.bytes) == (1, 4 + SUM)


async def test_new_process_evicts_what_was_used_longest_ago(tmp_path):
    first = DiskCache(tmp_path)
    for age, key in enumerate("abc"):
        await first.put(key, b"1234")
        set_age(tmp_path / key, 100 + age)
    await first.get("c")
    second = DiskCache(tmp_path, 2 * (4 + SUM))
    assert (names(tmp_path), len(second), second.bytes) == ({"a", "c"}, 2, 40)


async def test_old_temporary_files_are_deleted_and_new_ones_left_alone(tmp_path):
    for name, age in (("old.new", 3601), ("young.new", 3500), ("folder.new", 9000)):
        path = tmp_path / name
        path.mkdir() if name.startswith("folder") else path.write_bytes(b"x" * 100)
        set_age(path, age)
    (tmp_path / "folder").mkdir()
    cache = DiskCache(tmp_path)
    assert names(tmp_path) == {"young.new", "folder.new", "folder"}
    assert (len(cache), cache.bytes) == (0, 0)


async def test_folder_is_read_again_after_an_eighth_of_the_limit_was_written(tmp_path):
    cache, other = DiskCache(tmp_path, 8 * (4 + SUM)), DiskCache(tmp_path)
    await other.put("other", b"1234")
    await cache.put("a", b"1234")
    assert len(cache) == 1
    await cache.put("b", b"1234")
    assert (len(cache), cache.bytes) == (3, 60)
    await other.put("more", b"1234")
    await cache.put("c", b"1234")
    assert len(cache) == 4
    await cache.put("d", b"1234")
    assert len(cache) == 6


async def test_result_that_cannot_be_written_leaves_no_file(tmp_path):
    cache = DiskCache(tmp_path)
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        await cache.put("a", b"kept")
    assert (names(tmp_path), len(cache)) == ({"a"}, 0)


async def test_full_folder_stays_within_its_limit_between_two_scans(tmp_path):
    other = DiskCache(tmp_path)
    for age, key in enumerate("hgfedcba"):
        await other.put(key, b"1234")
        set_age(tmp_path / key, 100 - age)
    cache = DiskCache(tmp_path, 8 * (4 + SUM))
    assert await cache.get("h") == b"1234"
    await cache.put("new", b"1234")
    assert (names(tmp_path), len(cache), cache.bytes) == ({*"hfedcba", "new"}, 8, 160)
