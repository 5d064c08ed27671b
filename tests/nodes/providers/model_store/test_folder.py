"""A model of several files: what is here of it, and when it gets its name."""

import os
import shutil
from pathlib import Path

import pytest
from tests.nodes.providers.model_store.hub import CONTENT, REVISION, Hub

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed
from impasto_nodes.providers.local.model_store import download
from impasto_nodes.providers.local.model_store.checksum import Checksum
from impasto_nodes.providers.local.model_store.download import part_of, stop_of
from impasto_nodes.providers.local.model_store.folder import (
    download_folder,
    received,
    remove_folder,
    sha256_of,
    staging_of,
)
from impasto_nodes.providers.local.model_store.hub import HubFile, files_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def hub(hub: Hub) -> Hub:
    hub.others = {"small.txt": b"abc", "large.json": b"x" * 2_000_000}
    return hub


async def files(hub: Hub, *names: str) -> list[HubFile]:
    wanted = names or (hub.file, *hub.others)
    configuration = Configuration({"IMPASTO_MODEL_HUB": f"{hub.address}/"})
    return await files_of(hub.repository, lambda name: name in wanted, "Tiny", configuration)


def file(name: str, size: int = 3, value: str = "x") -> HubFile:
    return HubFile(name=name, url="", size=size, checksum=Checksum("git", value), licence="")


async def test_hub_states_each_files_size_hash_and_address(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_operator")
    model, small = await files(hub, hub.file, "small.txt")
    assert model == HubFile(
        name=hub.file,
        url=f"{hub.address}/{hub.repository}/resolve/{REVISION}/{hub.file}",
        size=len(CONTENT),
        checksum=Checksum("sha256", hub.stated_sha256),
        licence="apache-2.0",
    )
    assert (small.size, small.checksum.algorithm, small.sha256) == (3, "git", "")
    assert model.sha256 == hub.stated_sha256
    assert await files(hub, "none") == []
    assert hub.tokens == []


@pytest.mark.parametrize(
    ("changed", "licence"),
    [
        ({"cardData": {"license": "other", "license_name": "acme-1"}}, "acme-1"),
        ({"cardData": {}}, ""),
        ({"cardData": None}, ""),
    ],
)
async def test_licence_is_the_one_that_is_stated(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, changed: dict[str, object], licence: str
) -> None:
    described = hub.described
    monkeypatch.setattr(hub, "described", lambda: described() | changed)
    (found,) = await files(hub, "small.txt")
    assert found.licence == licence


@pytest.mark.parametrize(
    "changed",
    [
        {"sha": None},
        {"siblings": [{"rfilename": "small.txt", "size": 3}]},
        {"siblings": [{"rfilename": "small.txt", "blobId": "a"}]},
        {"siblings": [{"rfilename": "small.txt", "blobId": "a", "size": 0}]},
    ],
)
async def test_file_without_a_revision_size_or_hash_is_refused(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, changed: dict[str, object]
) -> None:
    described = hub.described
    monkeypatch.setattr(hub, "described", lambda: described() | changed)
    with pytest.raises(DownloadFailed) as raised:
        await files(hub, "small.txt")
    assert raised.value.detail == f"{hub.address} does not state the SHA-256 or the size of small.txt"


def test_hash_of_all_files_does_not_depend_on_their_order() -> None:
    one, other = file("a", value="1"), file("b", value="2")
    assert sha256_of([one, other]) == sha256_of([other, one])
    assert len({sha256_of(found) for found in ([one], [other], [one, other], [file("a", value="2")])}) == 4


def test_received_counts_whole_files_and_parts_up_to_their_size(tmp_path: Path) -> None:
    target = tmp_path / "model"
    staging = staging_of(target)
    staging.mkdir()
    listed = [file("whole"), file("part"), file("long"), file("none")]
    (staging / "whole").write_bytes(b"abc")
    part_of(staging / "part").write_bytes(b"ab")
    (staging / "long").write_bytes(b"abcdef")
    assert received(target, listed) == 3 + 2 + 3
    assert received(tmp_path / "other", listed) == 0


async def test_folder_appears_with_all_files_and_one_progress(hub: Hub, tmp_path: Path) -> None:
    seen: list[tuple[float, str]] = []
    target = tmp_path / "models" / "tiny"
    target.mkdir(parents=True)
    (target / "old").write_text("an earlier model")
    listed = await files(hub)
    found = await download_folder(
        listed, target, title="Tiny", report=lambda share, words: seen.append((share, words))
    )
    assert found == target
    assert {each.name: each.read_bytes() for each in target.iterdir()} == {
        hub.file: CONTENT,
        **hub.others,
    }
    assert [each.name for each in target.parent.iterdir()] == ["tiny"]
    arrived = [1_048_576, 2_097_152, 3_145_728, 4_194_304, 5_120_004, 5_120_007, 6_168_583, 7_120_007]
    assert seen == [(size / 7_120_007, f"Downloading Tiny: {size // 1_000_000} of 7 MB") for size in arrived]


async def test_folder_is_on_the_disk_before_it_has_its_name(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "tiny"
    synced: list[tuple[int, int, bool]] = []

    def fsync(descriptor: int) -> None:
        synced.append((descriptor, os.fstat(descriptor).st_ino, target.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    await download_folder(await files(hub, "small.txt"), target, title="Tiny")
    (_, _, _), (descriptor, *folder) = synced
    assert folder == [target.stat().st_ino, False]
    opened = Path(f"/proc/self/fd/{descriptor}")
    assert not (opened.exists() and opened.samefile(target)), "the folder is closed again"


async def test_files_that_are_here_are_not_received_again(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And an earlier request to stop does not count."""
    monkeypatch.setattr(download, "_LOOK_SECONDS", 0.001)
    target = tmp_path / "tiny"
    staging_of(target).mkdir()
    (staging_of(target) / "small.txt").write_bytes(b"abc")
    stop_of(target).touch()
    seen: list[float] = []
    await download_folder(
        await files(hub, "small.txt", "large.json"),
        target,
        title="Tiny",
        report=lambda share, _: seen.append(share),
    )
    assert hub.starts == [0]
    assert seen[-1] == 1.0
    assert not stop_of(target).exists()


async def test_space_for_all_files_is_needed_before_the_first_one_arrives(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "models" / "tiny"
    target.parent.mkdir()
    usage = shutil.disk_usage(tmp_path)._replace(free=200_000_000 + 2_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    listed = await files(hub, "small.txt", "large.json")
    with pytest.raises(DownloadFailed) as raised:
        await download_folder(listed, target, title="Tiny")
    assert raised.value.detail == f"{target.parent} needs 1 MB more of free space"
    assert hub.starts == []
    (staging_of(target) / "small.txt").write_bytes(b"abc")
    await download_folder(listed, target, title="Tiny")
    assert hub.starts == [0]


@pytest.mark.parametrize("removed_at", ["small.txt", "large.json"])
async def test_folder_that_is_removed_while_it_is_received_is_not_published(
    hub: Hub, tmp_path: Path, removed_at: str
) -> None:
    target = tmp_path / "models" / "tiny"
    names = ["small.txt", "large.json"]
    shares: list[float] = []

    def remove(share: float, words: str) -> None:
        shares.append(share)
        if share == (1.0 if removed_at == "large.json" else 3 / 2_000_003):
            remove_folder(target)

    with pytest.raises(DownloadFailed) as raised:
        await download_folder(await files(hub, *names), target, title="Tiny", report=remove)
    assert raised.value.detail == "it was removed while it was received"
    assert list(target.parent.iterdir()) == []
    assert len(hub.starts) == names.index(removed_at) + 1


async def test_removed_model_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "tiny"
    for folder in (target, staging_of(target)):
        folder.mkdir()
        (folder / "a").touch()
    for each in (part_of(target), stop_of(target)):
        each.touch()
    remove_folder(target)
    assert list(tmp_path.iterdir()) == []
    remove_folder(target)


async def test_folder_that_cannot_be_made_is_a_failed_download(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(DownloadFailed) as raised:
        await download_folder(await files(hub, "small.txt"), tmp_path / "models" / "tiny", title="Tiny")
    assert raised.value.detail.startswith(("NotADirectoryError", "FileExistsError"))
