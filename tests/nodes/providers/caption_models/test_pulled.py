"""Caption models of several files: shown first, received whole or not at all, and resumed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.nodes.providers.model_store.hub import CONTENT, Hub
from typer.testing import CliRunner

from impasto import Configuration
from impasto_nodes.providers.command import commands
from impasto_nodes.providers.local.caption_models.downloads import CaptionModelDownloads
from impasto_nodes.providers.local.caption_models.offers import (
    find_offer,
    look_up,
    memory_of,
    offers,
    recommended,
)
from impasto_nodes.providers.local.caption_models.pulled import (
    Pulled,
    find_model,
    folder_of,
    pull,
    pulled_models,
    remove,
)
from impasto_nodes.providers.local.errors import (
    CaptionModelMissing,
    DownloadFailed,
    DownloadRunning,
    DownloadStopped,
    ModelChanged,
    ModelNotOffered,
)
from impasto_nodes.providers.local.model_store.download import part_of, stop_of
from impasto_nodes.providers.local.model_store.folder import sha256_of, staging_of

pytestmark = pytest.mark.anyio
NAME = "maker/tiny-ct2"
OTHERS = {
    "config.json": b"{}",
    "tokenizer.json": b"[1]" * 50_000,
    "vocabulary.txt": b"a\nb\n",
    ".gitattributes": b"x",
}
FILES = {"model.bin", "config.json", "tokenizer.json", "vocabulary.txt"}


@pytest.fixture
def hub(hub: Hub) -> Hub:
    hub.repository, hub.file, hub.others = NAME, "model.bin", dict(OTHERS)
    return hub


async def fetch(configuration: Configuration, shares: list[float] | None = None) -> Path:
    offer = find_offer(NAME)
    files = await look_up(offer, configuration)
    return await pull(offer, files, configuration, lambda share, _: (shares or []).append(share))


def only(configuration: Configuration) -> Pulled:
    (model,) = pulled_models(configuration)
    return model


async def test_files_of_the_model_arrive_with_one_progress(configuration: Configuration) -> None:
    shares: list[float] = [0.0]
    folder = await fetch(configuration, shares)
    assert {file.name for file in folder.iterdir()} == FILES
    assert (folder / "model.bin").read_bytes() == CONTENT
    assert all((folder / name).read_bytes() == OTHERS[name] for name in FILES - {"model.bin"})
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    model = only(configuration)
    assert (model.licence, model.is_complete, model.size) == ("apache-2.0", True, model.received)
    assert {file.name for file in folder.parent.iterdir()} == {"tiny-ct2", "tiny-ct2.json"}


async def test_model_that_is_here_is_not_fetched_again(hub: Hub, configuration: Configuration) -> None:
    first = await fetch(configuration)
    asked = len(hub.starts)
    assert await fetch(configuration) == first
    assert len(hub.starts) == asked


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json"], ids=["SHA-256", "git hash"])
async def test_unrelated_file_is_not_a_model(name: str, hub: Hub, configuration: Configuration) -> None:
    files = await look_up(find_offer(NAME), configuration)
    hub.others[name] = b"x" * len(OTHERS[name])
    with pytest.raises(DownloadFailed, match="The model tiny-ct2 could not"):
        await pull(find_offer(NAME), files, configuration)
    assert not folder_of(configuration, "tiny-ct2").exists()
    with pytest.raises(CaptionModelMissing):
        find_model(configuration)
    hub.others[name] = OTHERS[name]
    await pull(find_offer(NAME), files, configuration)
    assert only(configuration).is_complete
    assert hub.starts.count(0) == 5  # the one file again, the other three not


_PULL = """
import asyncio, sys
from impasto import Configuration
from impasto_nodes.providers.local.caption_models.offers import find_offer, look_up
from impasto_nodes.providers.local.caption_models.pulled import pull
async def main():
    configuration = Configuration({"IMPASTO_MODEL_HUB": sys.argv[1], "IMPASTO_MODELS_DIR": sys.argv[2]})
    offer = find_offer("maker/tiny-ct2")
    await pull(offer, await look_up(offer, configuration), configuration)
asyncio.run(main())
"""


async def test_killed_download_goes_on_where_it_ended(
    hub: Hub, configuration: Configuration, tmp_path: Path
) -> None:
    hub.holds_after = 2_000_000
    arguments = [sys.executable, "-c", _PULL, hub.address, str(tmp_path / "models")]
    child = subprocess.Popen(arguments)
    try:
        part = part_of(staging_of(folder_of(configuration, "tiny-ct2")) / "model.bin")
        async with asyncio.timeout(30):
            while not part.exists() or part.stat().st_size < 1_000_000:
                await asyncio.sleep(0.02)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    model = only(configuration)
    assert (model.is_complete, model.received > 0) == (False, True)
    hub.holds_after = None
    assert (await fetch(configuration) / "model.bin").read_bytes() == CONTENT
    assert 0 < hub.starts[1] < len(CONTENT)


async def test_two_processes_do_not_receive_one_model(hub: Hub, configuration: Configuration) -> None:
    hub.holds_after = 2_000_000
    first = asyncio.ensure_future(fetch(configuration))
    try:
        async with asyncio.timeout(20):
            while not pulled_models(configuration) or not only(configuration).received:
                await asyncio.sleep(0.02)
        with pytest.raises(DownloadRunning):
            await fetch(configuration)
        assert await CaptionModelDownloads().stop("tiny-ct2", configuration)
        with pytest.raises(DownloadStopped):
            await first
    finally:
        first.cancel()
        hub.closed.set()
    assert 0 < only(configuration).received < len(CONTENT)


async def test_request_to_stop_a_process_that_died_stops_no_later_one(
    hub: Hub, configuration: Configuration
) -> None:
    target = folder_of(configuration, "tiny-ct2")
    target.parent.mkdir(parents=True)
    stop_of(target).touch()
    hub.holds_after = 2_000_000
    later = asyncio.ensure_future(fetch(configuration))
    try:
        async with asyncio.timeout(20):
            while not pulled_models(configuration) or not only(configuration).received:
                await asyncio.sleep(0.02)
        assert not stop_of(target).exists()
    finally:
        later.cancel()
        hub.closed.set()
        await asyncio.wait([later])


async def test_parts_of_another_revision_are_not_continued(hub: Hub, configuration: Configuration) -> None:
    await fetch(configuration)
    hub.others["config.json"] = b"[]"
    folder = await fetch(configuration)
    assert (folder / "config.json").read_bytes() == b"[]"
    folder.rename(staging_of(folder))
    (staging_of(folder) / "model.bin").unlink()
    hub.others["config.json"] = b"{}"
    await fetch(configuration)
    assert (folder / "config.json").read_bytes() == b"{}"
    assert only(configuration).is_complete


async def test_removed_model_leaves_nothing(configuration: Configuration) -> None:
    folder = await fetch(configuration)
    remove(configuration, "tiny-ct2")
    assert list(folder.parent.iterdir()) == []
    with pytest.raises(ModelNotOffered):
        remove(configuration, "tiny-ct2")


async def test_removal_while_files_arrive_ends_the_download(hub: Hub, configuration: Configuration) -> None:
    hub.cut_after = 2_000_000
    downloading = asyncio.ensure_future(fetch(configuration))
    async with asyncio.timeout(20):
        while not pulled_models(configuration) or not only(configuration).received:
            await asyncio.sleep(0)
    remove(configuration, "tiny-ct2")
    with pytest.raises(DownloadFailed, match="could not"):
        await downloading
    assert pulled_models(configuration) == []
    assert not folder_of(configuration, "tiny-ct2").exists()


async def test_repository_without_a_model_is_refused(hub: Hub, configuration: Configuration) -> None:
    del hub.others["tokenizer.json"]
    with pytest.raises(DownloadFailed) as caught:
        await look_up(find_offer(NAME), configuration)
    assert "tokenizer.json" in caught.value.detail


async def test_only_what_was_shown_is_downloaded(hub: Hub, configuration: Configuration) -> None:
    downloads = CaptionModelDownloads()
    shown = await downloads.look_up(NAME, configuration)
    files = await look_up(find_offer(NAME), configuration)
    assert (shown.sha256, shown.size) == (sha256_of(files), sum(one.size for one in files))
    hub.others["config.json"] = b"other"
    with pytest.raises(ModelChanged):
        await downloads.download(NAME, shown.sha256, configuration)
    assert hub.starts == []


async def test_largest_complete_model_is_used_unless_one_is_named(
    configuration: Configuration, tmp_path: Path
) -> None:
    await fetch(configuration)
    own = folder_of(configuration, "own")
    own.mkdir()
    (own / "model.bin").write_bytes(b"x")
    assert find_model(configuration).name == "tiny-ct2"
    folder = {"IMPASTO_MODELS_DIR": str(tmp_path / "models")}
    assert find_model(Configuration({**folder, "IMPASTO_LOCAL_CAPTIONS_MODEL": "Own"})).name == "own"
    with pytest.raises(CaptionModelMissing):
        find_model(Configuration({**folder, "IMPASTO_LOCAL_CAPTIONS_MODEL": "none"}))


@pytest.mark.parametrize(("allowed", "says"), [("1", True), ("0", False)])
def test_missing_model_is_offered_for_download_only_where_that_is_allowed(
    tmp_path: Path, allowed: str, says: bool
) -> None:
    variables = {"IMPASTO_MODELS_DIR": str(tmp_path), "IMPASTO_LOCAL_DOWNLOAD": allowed}
    with pytest.raises(CaptionModelMissing) as caught:
        find_model(Configuration(variables))
    assert ("download" in caught.value.message) is says
    assert "hoose another provider" in caught.value.message


def test_machine_gets_the_largest_model_that_takes_a_quarter_of_its_memory() -> None:
    assert recommended(2.0) is None
    for memory in (4.0, 8.0, 16.0, 64.0):
        best = recommended(memory)
        assert best is not None
        fitting = [one for one in offers() if memory_of(one.gigabytes) <= memory / 4]
        assert best.gigabytes == max(one.gigabytes for one in fitting)


def test_command_shows_asks_downloads_and_removes(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "models"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPASTO_MODEL_HUB", hub.address)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(folder))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    asked = CliRunner().invoke(commands, ["pull", NAME])
    assert (asked.exit_code, hub.starts) == (2, []), asked.output
    assert "Licence: apache-2.0" in asked.output
    assert "SHA-256: " in asked.output
    done = CliRunner().invoke(commands, ["pull", NAME, "--yes"])
    assert done.exit_code == 0, done.output
    assert json.loads((folder / "captions" / "tiny-ct2.json").read_text())["repository"] == NAME
    listed = CliRunner().invoke(commands, ["pull"]).output
    assert "tiny-ct2" in listed
    assert "whisper-small" in listed
    assert CliRunner().invoke(commands, ["remove", "tiny-ct2"]).exit_code == 0
    assert list((folder / "captions").iterdir()) == []
