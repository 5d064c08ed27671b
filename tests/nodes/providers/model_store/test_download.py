"""A file of a model is downloaded once, continued after an interruption, and checked."""

import asyncio
import fcntl
import hashlib
import os
import shutil
from pathlib import Path

import pytest
from tests.nodes.providers.model_store.hub import CONTENT, Hub

from impasto_nodes.providers.local.errors import DownloadFailed, DownloadRunning, DownloadStopped
from impasto_nodes.providers.local.model_store import download as module
from impasto_nodes.providers.local.model_store.checksum import Checksum
from impasto_nodes.providers.local.model_store.download import download, part_of, request_stop

pytestmark = pytest.mark.anyio


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "tiny.gguf"


async def fetch(hub: Hub, target: Path, **changed: object) -> list[float]:
    seen: list[float] = []
    facts = {
        "checksum": Checksum("sha256", hub.stated_sha256),
        "size": len(CONTENT),
        "title": "Tiny",
    } | changed
    await download(hub.url, target, report=lambda share, _: seen.append(share), **facts)  # type: ignore[arg-type]
    return seen


async def test_file_arrives_whole_with_progress_in_a_new_folder(
    hub: Hub, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.001)
    target = target.parent / "texts" / "tiny.gguf"
    seen: list[tuple[float, str]] = []
    found = await download(
        hub.url,
        target,
        checksum=Checksum("sha256", hub.stated_sha256),
        size=len(CONTENT),
        title="Tiny",
        report=lambda share, message: seen.append((share, message)),
    )
    assert (found, target.read_bytes()) == (target, CONTENT)
    arrived = [1_048_576, 2_097_152, 3_145_728, 4_194_304, 5_120_004]
    assert seen == [
        (size / 5_120_004, f"Downloading Tiny: {number} of 5 MB") for number, size in enumerate(arrived, 1)
    ]
    assert [file.name for file in target.parent.iterdir()] == ["tiny.gguf"]


async def test_file_is_on_the_disk_before_it_has_its_name(
    hub: Hub, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int, bool]] = []

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        synced.append((found.st_ino, found.st_size, target.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    await fetch(hub, target)
    assert synced == [(target.stat().st_ino, len(CONTENT), False)]


async def test_lost_connections_are_resumed_where_they_ended(hub: Hub, target: Path) -> None:
    hub.cut_after = 2_000_000
    await fetch(hub, target)
    assert target.read_bytes() == CONTENT
    assert hub.starts == [0, 1_048_576, 2_097_152, 3_145_728]


async def test_connection_may_be_lost_as_often_as_it_gets_further(hub: Hub, target: Path) -> None:
    hub.content = bytes(range(250)) * 30_000
    hub.cut_after = 1_100_000
    checksum = Checksum("sha256", hashlib.sha256(hub.content).hexdigest())
    await fetch(hub, target, checksum=checksum, size=len(hub.content))
    assert target.read_bytes() == hub.content
    assert hub.starts == [1_048_576 * number for number in range(8)]


@pytest.mark.parametrize(
    ("status", "attempts"), [(404, 1), (499, 1), (500, 5), (503, 5)], ids=["404", "499", "500", "503"]
)
async def test_server_that_fails_is_asked_five_times_and_one_that_refuses_once(
    hub: Hub, target: Path, status: int, attempts: int
) -> None:
    hub.max_answers, hub.refusal = 0, status
    with pytest.raises(DownloadFailed) as caught:
        await fetch(hub, target)
    assert str(status) in str(caught.value.detail)
    assert (caught.value.retryable, hub.refused) == (True, attempts)
    assert not target.exists()


async def test_attempts_are_counted_from_the_last_that_got_further(hub: Hub, target: Path) -> None:
    hub.max_answers, hub.cut_after = 1, 2_000_000
    with pytest.raises(DownloadFailed):
        await fetch(hub, target)
    assert (hub.starts, hub.refused) == ([0], 5)
    assert part_of(target).stat().st_size == 1_048_576


async def test_request_to_stop_an_earlier_download_stops_no_later_one(hub: Hub, target: Path) -> None:
    target.parent.mkdir()
    module.stop_of(target).touch()
    requested: list[bool] = []
    await download(
        hub.url,
        target,
        checksum=Checksum("sha256", hub.stated_sha256),
        size=len(CONTENT),
        title="Tiny",
        report=lambda *_: requested.append(module.stop_of(target).exists()),
    )
    assert requested == [False] * 5


async def test_next_call_goes_on_where_a_process_ended(hub: Hub, target: Path) -> None:
    target.parent.mkdir()
    part_of(target).write_bytes(CONTENT[:1_234_567])
    await fetch(hub, target)
    assert target.read_bytes() == CONTENT
    assert hub.starts == [1_234_567]


async def test_server_without_ranges_sends_all_and_only_the_rest_is_written(hub: Hub, target: Path) -> None:
    hub.takes_ranges = False
    target.parent.mkdir()
    part_of(target).write_bytes(CONTENT[:1_234_567])
    await fetch(hub, target)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    "changed", [{"checksum": Checksum("sha256", "0" * 64)}, {"size": 1000}], ids=["other hash", "longer"]
)
async def test_other_content_is_refused_and_leaves_nothing(
    hub: Hub, target: Path, changed: dict[str, object]
) -> None:
    with pytest.raises(DownloadFailed):
        await fetch(hub, target, **changed)
    assert list(target.parent.iterdir()) == []


async def test_file_that_ends_early_is_no_model(hub: Hub, target: Path) -> None:
    with pytest.raises(DownloadFailed):
        await fetch(hub, target, size=len(CONTENT) + 1)
    assert not target.exists()


async def test_refusal_is_not_tried_again(hub: Hub, target: Path) -> None:
    hub.file = "other.gguf"
    url = f"{hub.address}/gone"
    with pytest.raises(DownloadFailed) as caught:
        await download(url, target, checksum=Checksum("sha256", "0" * 64), size=10, title="Tiny")
    assert "404" in str(caught.value.detail)


async def test_second_download_of_the_same_file_says_so(hub: Hub, target: Path) -> None:
    target.parent.mkdir()
    with part_of(target).open("a+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(DownloadRunning):
            await fetch(hub, target)


async def test_look_at_the_running_downloads_stops_none(
    hub: Hub, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.parent.mkdir()
    with part_of(target).open("a+b") as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 2:
                fcntl.flock(reader, fcntl.LOCK_UN)

        monkeypatch.setattr(module.time, "sleep", pause)
        await fetch(hub, target)
    assert target.read_bytes() == CONTENT
    assert len(pauses) == 2


async def test_full_disk_is_named_before_anything_is_written(
    hub: Hub, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SPARE_BYTES", 2**60)
    with pytest.raises(DownloadFailed) as caught:
        await fetch(hub, target)
    assert "free space" in str(caught.value.detail)
    assert hub.starts == []


@pytest.mark.parametrize("removed_at", [1, 5], ids=["the first chunk", "the last chunk"])
async def test_removed_download_ends_and_leaves_the_next_one_alone(
    hub: Hub, target: Path, removed_at: int
) -> None:
    reports = 0

    def remove_and_begin_again(share: float, words: str) -> None:
        nonlocal reports
        reports += 1
        if reports == removed_at:
            part_of(target).unlink()
            part_of(target).write_bytes(b"the next download")

    facts = {"checksum": Checksum("sha256", hub.stated_sha256), "size": len(CONTENT), "title": "Tiny"}
    with pytest.raises(DownloadFailed) as caught:
        await download(hub.url, target, report=remove_and_begin_again, **facts)  # type: ignore[arg-type]
    assert "removed" in str(caught.value.detail)
    assert part_of(target).read_bytes() == b"the next download"
    assert not target.exists()
    assert reports == removed_at


async def test_download_that_another_process_stops_keeps_what_has_arrived(hub: Hub, target: Path) -> None:
    assert not request_stop(target)
    hub.holds_after = 2_000_000
    receiving = asyncio.ensure_future(fetch(hub, target))
    async with asyncio.timeout(20):
        while not (part_of(target).exists() and part_of(target).stat().st_size):
            await asyncio.sleep(0.02)
        assert request_stop(target)
        with pytest.raises(DownloadStopped):
            await receiving
    assert part_of(target).stat().st_size
    assert [file.name for file in target.parent.iterdir()] == [part_of(target).name]


@pytest.mark.parametrize("is_cancelled", [False, True], ids=["stopped", "cancelled"])
async def test_receiving_has_ended_when_a_download_is_stopped(
    target: Path, monkeypatch: pytest.MonkeyPatch, is_cancelled: bool
) -> None:
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.001)
    target.parent.mkdir()
    received: list[str] = []

    async def receive() -> None:
        try:
            received.append("begun")
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            received.append("ended")

    stopping = asyncio.ensure_future(module.unless_stopped(receive(), target, "Tiny"))
    while not received:
        await asyncio.sleep(0)
    if is_cancelled:
        stopping.cancel()
    else:
        module.stop_of(target).touch()
    with pytest.raises(asyncio.CancelledError if is_cancelled else DownloadStopped):
        await stopping
    assert received == ["begun", "ended"]
    assert list(target.parent.iterdir()) == []


async def test_file_is_received_from_where_the_hub_sends_it(hub: Hub, target: Path) -> None:
    hub.is_moved = True
    await fetch(hub, target)
    assert target.read_bytes() == CONTENT


async def test_other_content_is_refused_also_after_what_has_arrived_was_removed(
    hub: Hub, target: Path
) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await download(
            hub.url,
            target,
            checksum=Checksum("sha256", hub.stated_sha256),
            size=1_048_577,
            title="Tiny",
            report=lambda *_: part_of(target).unlink(),
        )
    assert caught.value.detail == "it has more than the expected 1048577 bytes"
    assert list(target.parent.iterdir()) == []


async def test_longer_part_is_thrown_away(hub: Hub, target: Path) -> None:
    target.parent.mkdir()
    part_of(target).write_bytes(b"x" * (len(CONTENT) + 1))
    await fetch(hub, target)
    assert target.read_bytes() == CONTENT
    assert hub.starts == [0]


async def test_whole_part_is_only_checked(hub: Hub, target: Path) -> None:
    target.parent.mkdir()
    part_of(target).write_bytes(CONTENT)
    assert await fetch(hub, target) == []
    assert target.read_bytes() == CONTENT
    assert hub.starts == []


async def test_hash_that_differs_is_named(hub: Hub, target: Path) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await fetch(hub, target, checksum=Checksum("sha256", "0" * 64))
    assert caught.value.detail == f"its hash is {hub.stated_sha256}, expected the SHA-256 {'0' * 64}"


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        (len(CONTENT) - 1, f"it has more than the expected {len(CONTENT) - 1} bytes"),
        (len(CONTENT) + 1, f"it has only {len(CONTENT)} of {len(CONTENT) + 1} bytes"),
    ],
)
async def test_file_of_another_size_is_named(hub: Hub, target: Path, size: int, reason: str) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await fetch(hub, target, size=size)
    assert reason in str(caught.value.detail)


async def test_address_that_is_none_is_named(target: Path) -> None:
    facts = {"checksum": Checksum("sha256", "0" * 64), "size": 10, "title": "Tiny"}
    for url in ("http://[", "http://127.0.0.1:9/tiny"):
        with pytest.raises(DownloadFailed):
            await download(url, target, **facts)  # type: ignore[arg-type]


async def test_only_a_running_download_can_be_stopped(target: Path) -> None:
    target.parent.mkdir()
    assert not module.is_running(target)
    part_of(target).touch()
    assert not module.is_running(target)
    assert not await module.stop(target)
    assert not module.stop_of(target).exists()
    with part_of(target).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert module.is_running(target)
        assert request_stop(target)
        assert module.stop_of(target).exists()


async def test_stop_waits_until_the_download_has_ended(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STOP_LOOK_SECONDS", 0.002)
    target.parent.mkdir()
    part_of(target).touch()
    with part_of(target).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        stopping = asyncio.ensure_future(module.stop(target))
        while not module.stop_of(target).exists():
            assert not stopping.done()
            await asyncio.sleep(0)
        done, _ = await asyncio.wait([stopping], timeout=0.02)
        assert not done
        fcntl.flock(other, fcntl.LOCK_UN)
    assert await stopping


@pytest.mark.parametrize(("more", "megabytes"), [(0, 0), (1, 1), (999_999, 1), (1_000_000, 2)])
def test_space_is_needed_for_the_file_and_some_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int, megabytes: int
) -> None:
    free = 5_000_000_000
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    needed = free - 200_000_000 + more
    if not megabytes:
        module.check_space(tmp_path, needed, "Tiny")
    else:
        with pytest.raises(DownloadFailed) as caught:
            module.check_space(tmp_path, needed, "Tiny")
        assert caught.value.detail == f"{tmp_path} needs {megabytes} MB more of free space"


async def test_what_has_arrived_needs_no_more_space(
    hub: Hub, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.parent.mkdir()
    usage = shutil.disk_usage(target.parent)._replace(free=200_000_000 + len(CONTENT) - 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    part_of(target).write_bytes(CONTENT[:999])
    with pytest.raises(DownloadFailed):
        await fetch(hub, target)
    part_of(target).write_bytes(CONTENT[:1000])
    await fetch(hub, target)
    assert hub.starts == [1000]
