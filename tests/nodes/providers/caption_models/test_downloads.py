"""Caption models as the server lists, looks up and downloads them."""

import fcntl
from pathlib import Path

import orjson
import pytest
from tests.nodes.providers.model_store.ending import LOOKS, ending_at
from tests.nodes.providers.model_store.hub import CONTENT, REVISION, Hub

from impasto import Configuration
from impasto.sdk.providers import ModelDownload
from impasto_nodes.providers.local.caption_models import downloads as module
from impasto_nodes.providers.local.caption_models.downloads import CaptionModelDownloads
from impasto_nodes.providers.local.caption_models.offers import (
    Offer,
    find_offer,
    look_up,
    memory_of,
    offers,
    recommended,
)
from impasto_nodes.providers.local.caption_models.pulled import (
    find_model,
    folder_of,
    pull,
    pulled_models,
)
from impasto_nodes.providers.local.errors import (
    CaptionModelMissing,
    DownloadFailed,
    ModelChanged,
    ModelNotOffered,
)
from impasto_nodes.providers.local.model_store.download import part_of
from impasto_nodes.providers.local.model_store.folder import sha256_of, staging_of
from impasto_nodes.providers.local.model_store.place import memory_gb

pytestmark = pytest.mark.anyio
NAME, SHORT = "maker/tiny-ct2", "tiny-ct2"
OTHERS = {"config.json": b"{}", "tokenizer.json": b"[1]", "vocabulary.txt": b"a", "README.md": b"x"}
SIZE = len(CONTENT) + 2 + 3 + 1
DOWNLOADS = CaptionModelDownloads()


@pytest.fixture
def hub(hub: Hub) -> Hub:
    hub.repository, hub.file, hub.others = NAME, "model.bin", dict(OTHERS)
    return hub


async def fetch(configuration: Configuration, name: str = NAME) -> None:
    found = await DOWNLOADS.look_up(name, configuration)
    await DOWNLOADS.download(name, found.sha256, configuration)


def listed(configuration: Configuration, name: str = SHORT) -> ModelDownload:
    (found,) = [each for each in DOWNLOADS.list_all(configuration) if each.name == name]
    return found


def test_model_takes_most_of_its_size_and_some_more() -> None:
    assert [memory_of(size) for size in (0.0, 1.0, 3.09)] == [0.8, 1.6, 3.3]


def test_repository_of_the_hub_is_offered_by_its_name() -> None:
    assert find_offer("Maker/Tiny.1") == Offer(name="tiny.1", title="Tiny.1", repository="Maker/Tiny.1")
    assert find_offer(offers()[0].name.upper()) is offers()[0]


def test_largest_model_that_fits_a_quarter_of_the_memory_is_recommended() -> None:
    first = offers()[0]
    needed = memory_of(first.gigabytes) * 4
    assert memory_of(offers()[1].gigabytes) * 4 == needed
    assert recommended(needed) is offers()[1]
    assert recommended(needed - 0.1) is None


def test_offered_models_are_listed_before_they_are_here(configuration: Configuration) -> None:
    best = recommended(memory_gb())
    for each, offer in zip(DOWNLOADS.list_all(configuration), offers(), strict=True):
        size = round(offer.gigabytes * 1e9)
        assert each == ModelDownload(
            kind="captions",
            name=offer.name,
            title=offer.title,
            licence=offer.licence,
            languages=offer.languages,
            size=size,
            memory=DOWNLOADS.memory_of(size),
            received=0,
            is_complete=False,
            is_running=False,
            is_recommended=offer == best,
        )


async def test_nothing_is_offered_that_could_not_run(
    configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fetch(configuration)
    monkeypatch.setattr(module, "is_installed", lambda: False)
    assert [each.name for each in DOWNLOADS.list_all(configuration)] == [SHORT]


async def test_model_that_is_here_is_listed_whole(configuration: Configuration) -> None:
    await fetch(configuration)
    assert listed(configuration) == ModelDownload(
        kind="captions",
        name=SHORT,
        title=SHORT,
        licence="apache-2.0",
        languages="",
        size=SIZE,
        memory=DOWNLOADS.memory_of(SIZE),
        received=SIZE,
        is_complete=True,
        is_running=False,
        is_recommended=False,
    )
    assert not await DOWNLOADS.stop(SHORT, configuration)
    DOWNLOADS.remove(SHORT, configuration)
    assert pulled_models(configuration) == []


@pytest.mark.parametrize("look", LOOKS)
async def test_download_that_ends_during_the_look_is_running_or_complete(
    configuration: Configuration, look: int
) -> None:
    await fetch(configuration)
    target = folder_of(configuration, SHORT)
    target.rename(staging_of(target))
    part_of(target).touch()

    def publish() -> None:
        staging_of(target).rename(target)
        part_of(target).unlink()

    with ending_at(look, part_of(target), publish):
        found = listed(configuration)
    assert (found.is_running, found.is_complete) in [(True, False), (False, True)]
    assert found.received == SIZE


async def test_what_has_arrived_of_a_model_is_listed(configuration: Configuration) -> None:
    await fetch(configuration)
    folder = folder_of(configuration, SHORT)
    folder.rename(staging_of(folder))
    (staging_of(folder) / "model.bin").unlink()
    found = listed(configuration)
    assert (found.received, found.is_complete, found.is_running) == (6, False, False)
    with part_of(folder).open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert listed(configuration).is_running


async def test_hub_states_the_size_of_all_files_and_where_they_are(
    hub: Hub, configuration: Configuration
) -> None:
    found = await DOWNLOADS.look_up(NAME, configuration)
    files = await look_up(find_offer(NAME), configuration)
    assert [file.name for file in files] == ["model.bin", "tokenizer.json", "config.json", "vocabulary.txt"]
    assert (found.title, found.size, found.licence) == (SHORT, SIZE, "apache-2.0")
    assert found.url == f"{hub.address}/{NAME}/tree/{REVISION}"
    assert found.sha256 == sha256_of(files)


async def test_model_that_is_here_is_known_without_the_hub(
    configuration: Configuration, tmp_path: Path
) -> None:
    await fetch(configuration)
    shown = await DOWNLOADS.look_up(NAME, configuration)
    folder = str(tmp_path / "models")
    alone = Configuration({"IMPASTO_MODEL_HUB": "http://127.0.0.1:9", "IMPASTO_MODELS_DIR": folder})
    assert await DOWNLOADS.look_up(SHORT, alone) == shown
    await DOWNLOADS.download(SHORT, shown.sha256, alone)
    with pytest.raises(DownloadFailed):
        await DOWNLOADS.look_up("maker/other-ct2", alone)


async def test_other_files_than_those_that_were_shown_are_refused(
    hub: Hub, configuration: Configuration
) -> None:
    with pytest.raises(ModelChanged):
        await DOWNLOADS.download(NAME, "0" * 64, configuration)
    await fetch(configuration)
    with pytest.raises(ModelChanged):
        await DOWNLOADS.download(SHORT, "0" * 64, configuration)
    hub.others["config.json"] = b"{1}"
    await fetch(configuration, SHORT)
    assert (folder_of(configuration, SHORT) / "config.json").read_bytes() == b"{}"
    changed = await look_up(find_offer(NAME), configuration)
    await DOWNLOADS.download(SHORT, sha256_of(changed), configuration)
    assert (folder_of(configuration, SHORT) / "config.json").read_bytes() == b"{1}"


async def test_offered_model_that_is_here_is_looked_up_at_the_hub(
    hub: Hub, configuration: Configuration
) -> None:
    offered = offers()[0]
    hub.repository = offered.repository
    await fetch(configuration, offered.name)
    hub.others["config.json"] = b"{1}"
    now = await look_up(offered, configuration)
    assert (await DOWNLOADS.look_up(offered.name, configuration)).sha256 == sha256_of(now)


async def test_folder_without_a_record_cannot_be_looked_up_or_downloaded(
    configuration: Configuration, tmp_path: Path
) -> None:
    await fetch(configuration)
    put(tmp_path, "own", 4)
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.look_up("own", configuration)
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.download("own", "0" * 64, configuration)


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        (["config.json"], "config.json"),
        (["vocabulary.txt"], "vocabulary.json"),
        (["config.json", "tokenizer.json", "vocabulary.txt"], "config.json, tokenizer.json, vocabulary.json"),
    ],
)
async def test_repository_without_a_file_of_a_model_is_refused(
    hub: Hub, configuration: Configuration, missing: list[str], named: str
) -> None:
    for name in missing:
        del hub.others[name]
    with pytest.raises(DownloadFailed) as raised:
        await look_up(find_offer(NAME), configuration)
    assert raised.value.detail == f"{NAME} has no {named}"


async def test_licence_is_the_offers_where_the_hub_states_none(
    hub: Hub, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = offers()[0]
    hub.repository = offered.repository
    described = hub.described
    monkeypatch.setattr(hub, "described", lambda: described() | {"cardData": {}})
    assert (await DOWNLOADS.look_up(offered.name, configuration)).licence == offered.licence
    await fetch(configuration, offered.name)
    assert listed(configuration, offered.name).licence == offered.licence


async def test_downloads_that_are_turned_off_are_refused(hub: Hub, configuration: Configuration) -> None:
    files = await look_up(find_offer(NAME), configuration)
    with pytest.raises(DownloadFailed) as raised:
        await pull(find_offer(NAME), files, Configuration({"IMPASTO_LOCAL_DOWNLOAD": "0"}))
    assert "turned off" in raised.value.detail
    assert not DOWNLOADS.are_allowed(Configuration({"IMPASTO_LOCAL_DOWNLOAD": "0"}))
    assert DOWNLOADS.are_allowed(configuration)


def put(tmp_path: Path, name: str, size: int) -> None:
    """Put a model into the folder of models, as an operator does by hand."""
    folder = tmp_path / "models" / "captions" / name
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"x" * size)


def test_folder_without_a_record_is_a_model(configuration: Configuration, tmp_path: Path) -> None:
    put(tmp_path, "own", 4)
    put(tmp_path, "half.files", 9)
    (found,) = pulled_models(configuration)
    assert (found.name, found.title) == ("own", "own")
    assert (found.size, found.received, found.is_complete) == (4, 4, True)
    assert (found.repository, found.licence, found.files) == ("", "", ())
    DOWNLOADS.remove("own", configuration)
    assert pulled_models(configuration) == []


def test_largest_complete_model_is_used_unless_one_is_named(
    configuration: Configuration, tmp_path: Path
) -> None:
    for name, size in (("b", 4), ("a", 4), ("large", 5)):
        put(tmp_path, name, size)
    assert [each.name for each in pulled_models(configuration)] == ["a", "b", "large"]
    assert find_model(configuration).name == "large"
    variables = {"IMPASTO_MODELS_DIR": str(tmp_path / "models")}
    named = Configuration(variables | {"IMPASTO_LOCAL_CAPTIONS_MODEL": "B"})
    assert find_model(named).name == "b"
    with pytest.raises(CaptionModelMissing) as raised:
        find_model(Configuration(variables | {"IMPASTO_LOCAL_CAPTIONS_MODEL": "c"}))
    assert raised.value.detail == "no model c is complete"
    with pytest.raises(CaptionModelMissing) as raised:
        find_model(Configuration({"IMPASTO_MODELS_DIR": str(tmp_path / "none")}))
    assert raised.value.detail == "no model at all is complete"


@pytest.mark.parametrize("record", [b"", b"[]", b"{}", orjson.dumps({"files": [{"name": "a"}]})])
def test_record_that_cannot_be_used_is_no_model(
    configuration: Configuration, tmp_path: Path, record: bytes
) -> None:
    folder = tmp_path / "models" / "captions"
    folder.mkdir(parents=True)
    (folder / "tiny.json").write_bytes(record)
    assert pulled_models(configuration) == []


async def test_folder_that_cannot_be_written_is_a_failed_download(
    configuration: Configuration, tmp_path: Path
) -> None:
    (tmp_path / "models").write_text("a file")
    files = await look_up(find_offer(NAME), configuration)
    with pytest.raises(DownloadFailed) as raised:
        await pull(find_offer(NAME), files, configuration)
    assert "Error: " in raised.value.detail
