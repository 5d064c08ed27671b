"""Models that admins download to this machine: shown first, resumable, and never unasked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.nodes.providers.model_store.hub import CONTENT, REVISION, Hub, running_hub
from tests.server.conftest import Recorded
from tests.server.responses import expect

from impasto import Configuration
from impasto_nodes.providers.local.errors import DownloadFailed, DownloadStopped
from impasto_nodes.providers.local.language_models.offers import find_offer, look_up
from impasto_nodes.providers.local.language_models.pulled import pull
from impasto_server.connections.downloads import RUNNING, Running, TooManyDownloads

pytestmark = pytest.mark.anyio
LIST = "/connections/local/downloads"
NAME = "qwen2.5-0.5b-instruct"
ONE = f"{LIST}/{NAME}"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        hub.repository, hub.file = "Qwen/Qwen2.5-0.5B-Instruct-GGUF", f"{NAME}-q4_k_m.gguf"
        yield hub


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def extra_settings(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("IMPASTO_MODEL_HUB", hub.address)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(folder))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    RUNNING.failures.clear()
    return {}


async def model(admin: Any) -> Any:
    return next(
        one for one in expect(await admin.client.get(LIST), 200).json()["items"] if one["name"] == NAME
    )


async def ended(admin: Any) -> Any:
    """The model once its download has ended."""
    async with asyncio.timeout(20):
        while (found := await model(admin))["state"] == "downloading":
            await asyncio.sleep(0.02)
    return found


async def test_model_is_shown_then_downloaded_and_removed(admin: Any, hub: Hub, folder: Path) -> None:
    offered = await model(admin)
    assert isinstance(offered.pop("is_recommended"), bool), "it depends on the memory of this machine"
    assert offered == {
        "kind": "text", "name": NAME, "title": "Qwen2.5 0.5B Instruct", "licence": "apache-2.0",
        "languages": "29 languages", "bytes": 500_000_000, "memory_bytes": 1_600_000_000,
        "received_bytes": 0, "state": "offered", "failure": None,
    }  # fmt: skip
    assert expect(await admin.client.get(LIST), 200).json()["is_allowed"] is True
    shown = expect(await admin.client.get(ONE), 200).json()
    assert shown == {
        "title": "Qwen2.5 0.5B Instruct", "licence": "apache-2.0", "bytes": len(CONTENT),
        "url": f"{hub.address}/{hub.repository}/resolve/{REVISION}/{hub.file}", "sha256": hub.stated_sha256,
    }  # fmt: skip
    assert hub.starts == []
    expect(await admin.client.put(ONE, json={"sha256": shown["sha256"]}), 202)
    found = await ended(admin)
    assert (found["state"], found["failure"], found["received_bytes"]) == ("here", None, len(CONTENT))
    assert (folder / f"{NAME}.gguf").read_bytes() == CONTENT
    expect(await admin.client.delete(ONE), 204)
    assert list(folder.iterdir()) == []
    expect(await admin.client.delete(ONE), 404)


async def test_downloads_and_removals_of_models_are_in_the_audit_log(
    admin: Any, hub: Hub, recorded: Recorded
) -> None:
    expect(await admin.client.put(ONE, json={"sha256": hub.stated_sha256}), 202)
    await ended(admin)
    expect(await admin.client.delete(ONE), 204)
    expect(await admin.client.delete(ONE), 404)
    [download], [removal] = await recorded("model.download"), await recorded("model.remove")
    assert {download.actor_id, removal.actor_id} == {await admin.id()}
    assert download.details == {"provider": "local", "model": NAME, "sha256": hub.stated_sha256}
    assert removal.details == {"provider": "local", "model": NAME}


async def test_file_that_was_not_shown_is_not_downloaded(admin: Any, hub: Hub) -> None:
    expect(await admin.client.put(ONE, json={"sha256": "0" * 64}), 202)
    found = await ended(admin)
    assert found["state"] == "offered"
    assert "changed at the hub" in found["failure"]
    assert hub.starts == []


async def test_download_that_failed_says_so_and_goes_on_when_asked_again(
    admin: Any, hub: Hub, folder: Path
) -> None:
    hub.cut_after = 1_500_000
    hub.max_answers = 1
    expect(await admin.client.put(ONE, json={"sha256": hub.stated_sha256}), 202)
    found = await ended(admin)
    assert found["state"] == "paused"
    assert "could not be downloaded" in found["failure"]
    assert 0 < found["received_bytes"] < len(CONTENT)
    hub.cut_after = hub.max_answers = None
    expect(await admin.client.put(ONE, json={"sha256": hub.stated_sha256}), 202)
    assert (await ended(admin))["state"] == "here"
    assert hub.starts[-1] == found["received_bytes"]


async def test_cancelled_download_keeps_what_has_arrived(admin: Any, hub: Hub) -> None:
    hub.holds_after = 2_000_000
    expect(await admin.client.put(ONE, json={"sha256": hub.stated_sha256}), 202)
    async with asyncio.timeout(20):
        while not (await model(admin))["received_bytes"]:
            await asyncio.sleep(0.02)
    assert (await model(admin))["state"] == "downloading"
    expect(await admin.client.delete(ONE), 204)
    assert (await model(admin))["state"] == "paused"


async def test_stop_pauses_the_download_of_another_process(admin: Any, hub: Hub, folder: Path) -> None:
    hub.holds_after = 2_000_000
    offer = find_offer(NAME)
    configuration = Configuration({"IMPASTO_MODEL_HUB": hub.address, "IMPASTO_MODELS_DIR": str(folder)})
    other = asyncio.ensure_future(pull(offer, await look_up(offer, configuration), configuration))
    async with asyncio.timeout(20):
        while not (await model(admin))["received_bytes"]:
            await asyncio.sleep(0.02)
    expect(await admin.client.delete(ONE), 204)
    (ended,) = await asyncio.gather(other, return_exceptions=True)
    assert isinstance(ended, DownloadStopped)
    found = await model(admin)
    assert (found["state"], found["received_bytes"] > 0) == ("paused", True)


async def test_paused_download_of_a_file_named_by_its_address_goes_on(
    admin: Any, hub: Hub, folder: Path
) -> None:
    hub.repository, hub.file, hub.cut_after, hub.max_answers = "maker/Tiny-GGUF", "tiny-q4.gguf", 1_500_000, 1
    offer = find_offer("maker/Tiny-GGUF/tiny-q4.gguf")
    configuration = Configuration({"IMPASTO_MODEL_HUB": hub.address, "IMPASTO_MODELS_DIR": str(folder)})
    with pytest.raises(DownloadFailed):
        await pull(offer, await look_up(offer, configuration), configuration)
    hub.cut_after = hub.max_answers = None
    shown = expect(await admin.client.get(f"{LIST}/tiny-q4"), 200).json()
    assert shown["sha256"] == hub.stated_sha256
    expect(await admin.client.put(f"{LIST}/tiny-q4", json={"sha256": shown["sha256"]}), 202)
    async with asyncio.timeout(20):
        while not (folder / "tiny-q4.gguf").exists():
            await asyncio.sleep(0.02)
    assert hub.starts[-1] > 0


async def test_model_of_several_files_is_downloaded_as_one(admin: Any, hub: Hub, folder: Path) -> None:
    hub.repository, hub.file = "Systran/faster-whisper-tiny", "model.bin"
    hub.others = {"config.json": b"{}", "tokenizer.json": b"[1]" * 9_000, "vocabulary.txt": b"a"}
    one = f"{LIST}/whisper-tiny"
    shown = expect(await admin.client.get(one), 200).json()
    assert shown["bytes"] == len(CONTENT) + sum(map(len, hub.others.values()))
    assert hub.starts == []
    expect(await admin.client.put(one, json={"sha256": shown["sha256"]}), 202)

    async def listed() -> Any:
        items = expect(await admin.client.get(LIST), 200).json()["items"]
        return next(each for each in items if each["name"] == "whisper-tiny")

    async with asyncio.timeout(20):
        while (found := await listed())["state"] == "downloading":
            await asyncio.sleep(0.02)
    assert (found["kind"], found["state"], found["failure"]) == ("captions", "here", None)
    assert (folder / "captions" / "whisper-tiny" / "model.bin").read_bytes() == CONTENT
    expect(await admin.client.delete(one), 204)
    assert (await listed())["state"] == "offered"


async def test_only_admins_see_or_change_downloads(person: Any, hub: Hub) -> None:
    for method, url in (("GET", LIST), ("GET", ONE), ("PUT", ONE), ("DELETE", ONE)):
        body = {"sha256": hub.stated_sha256} if method == "PUT" else None
        assert (await person.client.request(method, url, json=body)).status_code in (403, 404)


async def test_what_is_not_offered_is_not_found(admin: Any, subtests: pytest.Subtests) -> None:
    cases = {
        f"{LIST}/nix": 404,
        "/connections/openai/downloads": 404,
        f"/connections/{'n' * 60}/downloads": 404,
        f"/connections/{'n' * 61}/downloads": 422,
        f"{LIST}/..%2Fx": 404,
        f"{LIST}/.x": 422,
        f"{LIST}/{'x' * 120}": 404,
        f"{LIST}/{'x' * 121}": 422,
    }
    for url, status in cases.items():
        with subtests.test(url=url):
            expect(await admin.client.get(url), status)
    for digest in ("0" * 63, "0" * 65, "G" * 64):
        expect(await admin.client.put(ONE, json={"sha256": digest}), 422)


async def test_hub_that_does_not_answer_is_named(admin: Any, hub: Hub) -> None:
    hub.repository = "other/model"
    assert expect(await admin.client.get(ONE), 503).json()["detail"] == (
        "The model hub could not be asked. Check this server's network, and try again."
    )


async def test_operator_forbids_downloads(
    admin: Any, app_state: Any, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = app_state.settings.configuration
    monkeypatch.setitem(configuration._environment, "IMPASTO_LOCAL_DOWNLOAD", "0")
    assert expect(await admin.client.get(LIST), 200).json() == {"is_allowed": False, "items": []}
    refused = expect(await admin.client.put(ONE, json={"sha256": hub.stated_sha256}), 409).json()
    assert refused["code"] == "downloads_forbidden"


class HeldDownloads:
    """The downloads of a plugin, each of which lasts until it is released."""

    def __init__(self, error: Exception | None = None) -> None:
        self.may_end = asyncio.Event()
        self.started: list[str] = []
        self.ended: list[str] = []
        self._error = error

    async def download(self, name: str, sha256: str, configuration: Configuration) -> None:
        self.started.append(name)
        try:
            await self.may_end.wait()
        finally:
            self.ended.append(name)
        if self._error is not None:
            raise self._error


async def ends(running: Running, key: tuple[str, str]) -> None:
    async with asyncio.timeout(5):
        while key in running.keys:
            await asyncio.sleep(0)


async def test_process_receives_two_models_at_a_time_and_each_once() -> None:
    running, downloads, configuration = Running(), HeldDownloads(), Configuration({})
    keys = [("plugin", name) for name in "abc"]
    for key in (keys[0], keys[1], keys[1]):
        running.start(key, downloads, "", configuration)  # type: ignore[arg-type]
    with pytest.raises(TooManyDownloads) as refused:
        running.start(keys[2], downloads, "", configuration)  # type: ignore[arg-type]
    assert str(refused.value).startswith("2 models are being downloaded.")
    assert running.keys == set(keys[:2])
    assert await running.stop(keys[0]) is True
    assert await running.stop(keys[0]) is False
    running.start(keys[2], downloads, "", configuration)  # type: ignore[arg-type]
    downloads.may_end.set()
    for key in keys:
        await ends(running, key)
    assert downloads.started == ["b", "c"], "the first was stopped at once"
    assert await running.stop(keys[1]) is False
    assert running.failures == {}


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (DownloadFailed("a", "disk full"), "The model a could not be downloaded."),
        (RuntimeError("secret path"), "The download failed. Please try again."),
        (DownloadStopped("a"), None),
    ],
)
async def test_failure_is_kept_until_the_download_is_stopped_or_started_again(
    error: Exception, sentence: str | None
) -> None:
    running, downloads, key = Running(), HeldDownloads(error), ("plugin", "a")
    downloads.may_end.set()
    for _ in range(2):
        assert await running.stop(key) is False
        assert running.failures == {}
        running.start(key, downloads, "", Configuration({}))  # type: ignore[arg-type]
        await ends(running, key)
        assert running.failures.get(key) == sentence
    downloads.may_end.clear()
    running.start(key, downloads, "", Configuration({}))  # type: ignore[arg-type]
    assert running.failures == {}
    await asyncio.sleep(0)
    assert (len(downloads.started), len(downloads.ended)) == (3, 2)
    assert await running.stop(key) is True
    assert len(downloads.ended) == 3, "it is waited for"
