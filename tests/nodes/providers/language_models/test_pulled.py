import json
from pathlib import Path

import pytest
from tests.nodes.providers.model_store.hub import CONTENT, Hub
from typer.testing import CliRunner

from impasto import Configuration
from impasto_nodes.providers.command import commands
from impasto_nodes.providers.local.errors import DownloadFailed, ModelNotOffered
from impasto_nodes.providers.local.language_models.offers import find_offer, look_up, offers, recommended
from impasto_nodes.providers.local.language_models.pulled import Pulled, file_of, pull, pulled_models, remove
from impasto_nodes.providers.local.model_store.download import part_of

pytestmark = pytest.mark.anyio
NAME = "maker/Tiny-GGUF/tiny-q4.gguf"


async def fetch(configuration: Configuration) -> Path:
    offer = find_offer(NAME)
    return await pull(offer, await look_up(offer, configuration), configuration)


async def test_hub_states_what_will_arrive_before_it_does(hub: Hub, configuration: Configuration) -> None:
    found = await look_up(find_offer(NAME), configuration)
    assert (found.url, found.size, found.sha256) == (hub.url, len(CONTENT), hub.stated_sha256)
    assert found.licence == "apache-2.0"
    assert hub.starts == []


@pytest.mark.parametrize("name", ["maker/Other-GGUF/tiny-q4.gguf", "maker/Tiny-GGUF/other.gguf"])
async def test_file_that_the_hub_does_not_have_is_named(configuration: Configuration, name: str) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await look_up(find_offer(name), configuration)
    assert "Other-GGUF" in str(caught.value.detail) or "other.gguf" in str(caught.value.detail)


async def test_file_whose_sha256_the_hub_does_not_state_is_refused(
    hub: Hub, configuration: Configuration
) -> None:
    hub.others = {"small.gguf": b"GGUF"}
    with pytest.raises(DownloadFailed) as caught:
        await look_up(find_offer("maker/Tiny-GGUF/small.gguf"), configuration)
    assert caught.value.detail == "the hub does not state the SHA-256 of small.gguf"


async def test_hub_that_cannot_be_reached_is_named(configuration: Configuration) -> None:
    gone = Configuration({"IMPASTO_MODEL_HUB": "http://127.0.0.1:9"})
    with pytest.raises(DownloadFailed) as caught:
        await look_up(find_offer(NAME), gone)
    assert "127.0.0.1:9" in str(caught.value.detail)


async def test_pulled_model_is_listed_with_its_licence_and_removed(configuration: Configuration) -> None:
    path = await fetch(configuration)
    (model,) = pulled_models(configuration)
    assert (model.name, model.licence, model.is_complete) == ("tiny-q4", "apache-2.0", True)
    assert path == file_of(configuration, "tiny-q4")
    remove(configuration, "tiny-q4")
    assert pulled_models(configuration) == []
    assert list(path.parent.iterdir()) == []
    with pytest.raises(ModelNotOffered):
        remove(configuration, "tiny-q4")


async def test_record_says_where_a_model_is_from(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "models"
    configuration = Configuration({"IMPASTO_MODEL_HUB": hub.address, "IMPASTO_MODELS_DIR": str(folder)})
    path = await fetch(configuration)
    assert json.loads(path.with_suffix(".json").read_text()) == {
        "name": "tiny-q4",
        "title": "tiny-q4",
        "url": hub.url,
        "size": len(CONTENT),
        "sha256": hub.stated_sha256,
        "licence": "apache-2.0",
        "received": 0,
    }
    assert sorted(file.name for file in folder.iterdir()) == ["tiny-q4.gguf", "tiny-q4.json"]


async def test_model_that_is_here_is_not_fetched_again(hub: Hub, configuration: Configuration) -> None:
    assert await fetch(configuration) == await fetch(configuration)
    assert hub.starts == [0]


async def test_interrupted_download_is_listed_and_goes_on(hub: Hub, configuration: Configuration) -> None:
    path = await fetch(configuration)
    path.unlink()
    (model,) = pulled_models(configuration)
    assert (model.received, model.is_complete) == (0, False)
    part_of(path).write_bytes(CONTENT[:1000])
    (model,) = pulled_models(configuration)
    assert (model.received, model.is_complete) == (1000, False)
    await fetch(configuration)
    assert hub.starts == [0, 1000]


async def test_parts_of_an_earlier_revision_are_not_continued(hub: Hub, configuration: Configuration) -> None:
    path = await fetch(configuration)
    record = path.with_suffix(".json")
    record.write_text(json.dumps({**json.loads(record.read_text()), "sha256": "0" * 64}))
    path.unlink()
    part_of(path).write_bytes(b"x" * 1000)
    assert (await fetch(configuration)).read_bytes() == CONTENT
    assert hub.starts == [0, 0]


async def test_complete_model_of_an_earlier_revision_is_replaced(
    hub: Hub, configuration: Configuration
) -> None:
    """Also where it has the same size, and the first download of the new revision fails."""
    path = await fetch(configuration)
    record = path.with_suffix(".json")
    record.write_text(json.dumps({**json.loads(record.read_text()), "sha256": "0" * 64}))
    path.write_bytes(b"x" * len(CONTENT))
    hub.max_answers = 0
    with pytest.raises(DownloadFailed, match="The model tiny-q4 could not be downloaded"):
        await fetch(configuration)
    (model,) = pulled_models(configuration)
    assert (model.sha256, model.received, model.is_complete) == (hub.stated_sha256, 0, False)
    hub.max_answers = None
    assert (await fetch(configuration)).read_bytes() == CONTENT


async def test_file_copied_into_the_folder_is_listed(configuration: Configuration, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "Own-7B.gguf").write_bytes(CONTENT)
    (folder / "broken.json").write_text("[]")
    size = len(CONTENT)
    assert pulled_models(configuration) == [
        Pulled(name="Own-7B", title="Own-7B", url="", size=size, sha256="", licence="", received=size)
    ]


def test_link_to_a_file_that_is_gone_is_no_model(configuration: Configuration, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "large.gguf").symlink_to(tmp_path / "disk" / "large.gguf")
    assert pulled_models(configuration) == []
    with pytest.raises(ModelNotOffered):
        remove(configuration, "large")


async def test_part_whose_record_cannot_be_used_is_not_continued(
    hub: Hub, configuration: Configuration
) -> None:
    path = await fetch(configuration)
    path.with_suffix(".json").write_text("{}")
    path.unlink()
    part_of(path).write_bytes(b"x" * 1000)
    assert (await fetch(configuration)).read_bytes() == CONTENT
    assert hub.starts == [0, 0]


async def test_operator_forbids_downloads(hub: Hub, configuration: Configuration) -> None:
    offer = find_offer(NAME)
    found = await look_up(offer, configuration)
    forbidden = Configuration({"IMPASTO_LOCAL_DOWNLOAD": "0"})
    with pytest.raises(DownloadFailed):
        await pull(offer, found, forbidden)
    assert hub.starts == []


@pytest.mark.parametrize("name", ["", "nix", "../x/y.gguf", "a/b/c/d.gguf", "a/b/c.bin", "http://a/b.gguf"])
def test_names_that_are_no_models_are_refused(name: str) -> None:
    with pytest.raises(ModelNotOffered):
        find_offer(name)


def test_machine_gets_the_largest_model_that_leaves_half_its_memory() -> None:
    assert recommended(2.0) is None
    for memory in (4.0, 8.0, 16.0, 64.0):
        best = recommended(memory)
        assert best is not None
        fitting = [offer for offer in offers() if offer.memory_gb <= memory / 2]
        assert best.gigabytes == max(offer.gigabytes for offer in fitting)
    assert len({offer.name for offer in offers()}) == len(offers())
    assert [offer.gigabytes for offer in offers()] == sorted(offer.gigabytes for offer in offers())


@pytest.fixture
def environment(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "models"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPASTO_MODEL_HUB", hub.address)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(folder))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    return folder


def test_command_shows_licence_size_and_hash_and_asks_first(hub: Hub, environment: Path) -> None:
    asked = CliRunner().invoke(commands, ["pull", NAME])
    assert asked.exit_code == 2
    assert "Licence: apache-2.0" in asked.output
    assert hub.stated_sha256 in asked.output
    assert "add --yes" in asked.output
    assert hub.starts == []
    assert not environment.exists()


def test_command_lists_a_model_whose_record_states_no_size(environment: Path) -> None:
    environment.mkdir()
    record = dict.fromkeys(("name", "title", "url", "sha256", "licence"), "own-7b") | {"size": 0}
    (environment / "own-7b.json").write_text(json.dumps(record))
    listed = CliRunner().invoke(commands, ["pull"])
    assert (listed.exit_code, "own-7b" in listed.output, "downloaded" in listed.output) == (0, True, False)


def test_command_downloads_lists_and_removes(hub: Hub, environment: Path) -> None:
    done = CliRunner().invoke(commands, ["pull", NAME, "--yes"])
    assert done.exit_code == 0, done.output
    assert (environment / "tiny-q4.gguf").read_bytes() == CONTENT
    assert "5.1/5.1 MB" in done.stderr
    assert "5.1/5.1 MB" not in done.stdout
    assert "tiny-q4" in CliRunner().invoke(commands, ["pull"]).output
    (environment / "tiny-q4.gguf").rename(environment / "tiny-q4.gguf.part")
    assert "99 % downloaded" in CliRunner().invoke(commands, ["pull"]).output
    assert CliRunner().invoke(commands, ["remove", "tiny-q4"]).exit_code == 0


@pytest.mark.usefixtures("environment")
def test_command_names_the_models_that_it_offers_for_an_unknown_one() -> None:
    refused = CliRunner().invoke(commands, ["pull", "nix"])
    assert refused.exit_code == 1
    assert refused.output.startswith("No model is called 'nix'. Choose one of qwen2.5-0.5b-instruct, ")
    assert refused.output.endswith("for captions.\n")


def test_command_keeps_a_folder_that_is_named_like_a_model(environment: Path) -> None:
    (environment / "own.gguf").mkdir(parents=True)
    kept = CliRunner().invoke(commands, ["remove", "own"])
    assert (kept.exit_code, "own.gguf" in kept.output) == (1, True)
    assert (environment / "own.gguf").exists()
