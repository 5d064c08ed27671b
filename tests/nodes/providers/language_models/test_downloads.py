"""Language models as the server lists, looks up, downloads and removes them."""

import asyncio
import fcntl
import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.nodes.providers.model_store.ending import LOOKS, ending_at
from tests.nodes.providers.model_store.hub import CONTENT, Hub
from typer.testing import CliRunner

from impasto import Configuration
from impasto.sdk.providers import ModelDetails, ModelDownload
from impasto_nodes.providers.command import commands
from impasto_nodes.providers.local import download_command
from impasto_nodes.providers.local.caption_models import offers as caption_offers
from impasto_nodes.providers.local.downloads import LocalDownloads, downloads_of
from impasto_nodes.providers.local.errors import DownloadFailed, ModelChanged, ModelNotOffered
from impasto_nodes.providers.local.language_models.downloads import LanguageModelDownloads
from impasto_nodes.providers.local.language_models.offers import (
    Offer,
    find_offer,
    memory_of,
    offers,
    recommended,
)
from impasto_nodes.providers.local.language_models.pulled import file_of, pulled_models
from impasto_nodes.providers.local.model_store.download import part_of, stop_of
from impasto_nodes.providers.local.model_store.place import memory_gb

pytestmark = pytest.mark.anyio
NAME, SHORT = "maker/Tiny-GGUF/tiny-q4.gguf", "tiny-q4"
DOWNLOADS = LanguageModelDownloads()


def listed(configuration: Configuration, name: str = SHORT) -> ModelDownload:
    (found,) = [each for each in DOWNLOADS.list_all(configuration) if each.name == name]
    return found


def part(configuration: Configuration) -> Path:
    """Leave the first half of the model here."""
    path = file_of(configuration, SHORT)
    path.unlink()
    half = part_of(path)
    half.write_bytes(CONTENT[: len(CONTENT) // 2])
    return half


# -- offers ------------------------------------------------------------------------------------


def test_model_takes_its_weights_and_two_contexts() -> None:
    assert [memory_of(size) for size in (0.0, 1.0, 4.68)] == [1.0, 2.2, 6.6]
    offer = Offer(name="a", title="A", repository="", file="", gigabytes=1.0)
    assert offer.memory_gb == 2.2


@pytest.mark.parametrize(
    ("name", "repository", "file"),
    [("a/b/c.gguf", "a/b", "c.gguf"), ("A-1/b.2/C_3.GGUF", "A-1/b.2", "C_3.GGUF")],
)
def test_file_of_the_hub_is_offered_by_its_address(name: str, repository: str, file: str) -> None:
    short = file[:-5]
    expected = Offer(name=short.casefold(), title=short, repository=repository, file=file)
    assert find_offer(name) == expected


def test_offer_is_found_in_any_case() -> None:
    first = offers()[0]
    assert find_offer(first.name.upper()) is first


def test_model_fits_exactly_half_of_the_memory() -> None:
    first = offers()[0]
    assert recommended(first.memory_gb * 2) == first
    assert recommended(first.memory_gb * 2 - 0.1) is None


# -- lists -------------------------------------------------------------------------------------


async def test_offered_models_are_listed_before_they_are_here(configuration: Configuration) -> None:
    found = DOWNLOADS.list_all(configuration)
    assert [each.name for each in found] == [offer.name for offer in offers()]
    best = recommended(memory_gb())
    for each, offer in zip(found, offers(), strict=True):
        size = round(offer.gigabytes * 1e9)
        assert each == ModelDownload(
            kind="text",
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


async def test_model_that_is_here_is_listed_with_its_own_size_and_licence(
    configuration: Configuration,
) -> None:
    await DOWNLOADS.download(NAME, Hub().stated_sha256, configuration)
    found = listed(configuration)
    assert DOWNLOADS.list_all(configuration)[0] == found
    assert found == ModelDownload(
        kind="text",
        name=SHORT,
        title=SHORT,
        licence="apache-2.0",
        languages="",
        size=len(CONTENT),
        memory=DOWNLOADS.memory_of(len(CONTENT)),
        received=len(CONTENT),
        is_complete=True,
        is_running=False,
        is_recommended=False,
    )


async def test_download_that_is_running_is_listed_as_that(configuration: Configuration) -> None:
    await DOWNLOADS.download(NAME, Hub().stated_sha256, configuration)
    half = part(configuration)
    found = listed(configuration)
    assert (found.received, found.is_complete, found.is_running) == (len(CONTENT) // 2, False, False)
    with half.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert listed(configuration).is_running
    assert not await DOWNLOADS.stop(SHORT, configuration)


@pytest.mark.parametrize("look", LOOKS)
async def test_download_that_ends_during_the_look_is_running_or_complete(
    configuration: Configuration, look: int
) -> None:
    await DOWNLOADS.download(NAME, Hub().stated_sha256, configuration)
    target = file_of(configuration, SHORT)
    target.rename(part_of(target))
    with ending_at(look, part_of(target), lambda: part_of(target).rename(target)):
        found = listed(configuration)
    assert (found.is_running, found.is_complete) in [(True, False), (False, True)]
    assert found.received >= len(CONTENT) - 1


async def test_part_as_long_as_the_file_is_not_complete(configuration: Configuration) -> None:
    await DOWNLOADS.download(NAME, Hub().stated_sha256, configuration)
    path = file_of(configuration, SHORT)
    path.rename(part_of(path))
    assert (listed(configuration).received, listed(configuration).is_complete) == (len(CONTENT) - 1, False)


async def test_models_are_ordered_by_size_then_by_name(configuration: Configuration, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    for name, size in (("b", 4), ("a", 4), ("c", 3)):
        (folder / f"{name}.gguf").write_bytes(b"x" * size)
    assert [each.name for each in pulled_models(configuration)] == ["c", "a", "b"]
    assert [each.name for each in DOWNLOADS.list_all(configuration)][:3] == ["c", "a", "b"]
    assert listed(configuration, "a").is_complete


# -- downloads ---------------------------------------------------------------------------------


def details(hub: Hub, licence: str = "apache-2.0") -> ModelDetails:
    return ModelDetails(
        title=SHORT, url=hub.url, size=len(CONTENT), sha256=hub.stated_sha256, licence=licence
    )


async def test_hub_is_asked_for_a_model_that_is_not_here(hub: Hub, configuration: Configuration) -> None:
    assert await DOWNLOADS.look_up(NAME, configuration) == details(hub)
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.look_up(SHORT, configuration)


async def test_model_that_is_here_is_known_by_its_short_name_without_the_hub(
    hub: Hub, configuration: Configuration, tmp_path: Path
) -> None:
    await DOWNLOADS.download(NAME, hub.stated_sha256, configuration)
    folder = str(tmp_path / "models")
    alone = Configuration({"IMPASTO_MODEL_HUB": "http://127.0.0.1:9", "IMPASTO_MODELS_DIR": folder})
    assert await DOWNLOADS.look_up(SHORT, alone) == details(hub)


async def test_interrupted_download_goes_on_by_its_short_name_without_the_hubs_list(
    hub: Hub, configuration: Configuration
) -> None:
    await DOWNLOADS.download(NAME, hub.stated_sha256, configuration)
    part(configuration)
    await DOWNLOADS.download(SHORT, hub.stated_sha256, configuration)
    assert listed(configuration).is_complete
    assert hub.starts == [0, len(CONTENT) // 2]


async def test_other_file_than_the_one_that_was_shown_is_refused(
    hub: Hub, configuration: Configuration
) -> None:
    with pytest.raises(ModelChanged):
        await DOWNLOADS.download(NAME, "0" * 64, configuration)
    assert hub.starts == []
    await DOWNLOADS.download(NAME, hub.stated_sha256, configuration)
    with pytest.raises(ModelChanged):
        await DOWNLOADS.download(SHORT, "0" * 64, configuration)
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.download("unheard-of", "0" * 64, configuration)


async def test_offered_model_that_is_here_is_replaced_by_the_file_that_the_hub_has_now(
    hub: Hub, configuration: Configuration
) -> None:
    offered = offers()[0]
    hub.repository, hub.file = offered.repository, offered.file
    await DOWNLOADS.download(offered.name, hub.stated_sha256, configuration)
    earlier = hub.stated_sha256
    hub.content = CONTENT[::-1]
    hub.stated_sha256 = hashlib.sha256(hub.content).hexdigest()
    assert (await DOWNLOADS.look_up(offered.name, configuration)).sha256 == hub.stated_sha256
    await DOWNLOADS.download(offered.name, earlier, configuration)
    assert file_of(configuration, offered.name).read_bytes() == CONTENT
    await DOWNLOADS.download(offered.name, hub.stated_sha256, configuration)
    assert file_of(configuration, offered.name).read_bytes() == hub.content
    assert hub.starts == [0, 0]


async def test_file_without_a_record_cannot_be_looked_up_or_downloaded(
    hub: Hub, configuration: Configuration, tmp_path: Path
) -> None:
    await DOWNLOADS.download(NAME, hub.stated_sha256, configuration)
    (tmp_path / "models" / "own.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.look_up("own", configuration)
    with pytest.raises(ModelNotOffered):
        await DOWNLOADS.download("own", hub.stated_sha256, configuration)


async def test_running_download_is_stopped(configuration: Configuration) -> None:
    await DOWNLOADS.download(NAME, Hub().stated_sha256, configuration)
    half = part(configuration)
    with half.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        stopping = asyncio.ensure_future(DOWNLOADS.stop(SHORT, configuration))
        async with asyncio.timeout(20):
            while not stop_of(file_of(configuration, SHORT)).exists():
                assert not stopping.done()
                await asyncio.sleep(0)
        fcntl.flock(file, fcntl.LOCK_UN)
    assert await stopping is True


async def test_licence_of_the_offer_counts_where_the_hub_states_none(
    hub: Hub, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = offers()[0]
    hub.repository, hub.file = offered.repository, offered.file
    described = hub.described
    monkeypatch.setattr(hub, "described", lambda: described() | {"cardData": {}})
    found = await DOWNLOADS.look_up(offered.name, configuration)
    assert (found.title, found.licence) == (offered.title, offered.licence)
    await DOWNLOADS.download(offered.name, hub.stated_sha256, configuration)
    assert listed(configuration, offered.name).licence == offered.licence
    assert await DOWNLOADS.look_up(offered.name, configuration) == found


async def test_folder_that_cannot_be_written_is_a_failed_download(
    hub: Hub, configuration: Configuration, tmp_path: Path
) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(DownloadFailed) as raised:
        await DOWNLOADS.download(NAME, hub.stated_sha256, configuration)
    assert "Error: " in str(raised.value.detail)


# -- every kind --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [("whisper-small", "captions"), ("maker/tiny-ct2", "captions"), (NAME, "text"), ("unheard-of", "text")],
)
async def test_name_belongs_to_one_kind_of_model(configuration: Configuration, name: str, kind: str) -> None:
    is_text = isinstance(downloads_of(name, configuration), LanguageModelDownloads)
    assert is_text is (kind == "text")


async def test_every_kind_is_listed_downloaded_and_removed(hub: Hub, configuration: Configuration) -> None:
    both = LocalDownloads()
    kinds = [each.kind for each in both.list_all(configuration)]
    assert kinds == sorted(kinds, reverse=True)
    assert set(kinds) == {"text", "captions"}
    assert both.are_allowed(configuration)
    assert DOWNLOADS.are_allowed(configuration)
    assert not DOWNLOADS.are_allowed(Configuration({"IMPASTO_LOCAL_DOWNLOAD": "0"}))
    assert not both.are_allowed(Configuration({"IMPASTO_LOCAL_DOWNLOAD": "OFF"}))
    found = await both.look_up(NAME, configuration)
    await both.download(NAME, found.sha256, configuration)
    assert downloads_of("TINY-Q4", configuration).list_all(configuration)[0].is_complete
    assert await both.stop(SHORT, configuration) is False
    both.remove(SHORT, configuration)
    assert pulled_models(configuration) == []
    with pytest.raises(ModelNotOffered):
        both.remove(SHORT, configuration)


# -- the command -------------------------------------------------------------------------------


@pytest.fixture
def environment(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "models"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPASTO_MODEL_HUB", hub.address)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(folder))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    return folder


def invoke(*arguments: str, typed: str | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(commands, list(arguments), input=typed)
    return done.exit_code, done.output


def test_command_says_what_will_arrive_and_where(hub: Hub, environment: Path) -> None:
    code, output = invoke("pull", NAME, "--yes")
    assert code == 0
    memory = DOWNLOADS.memory_of(len(CONTENT)) / 1e9
    assert f"{SHORT}, from {hub.url}\nLicence: apache-2.0\nSize: 0.01 GB; takes about {memory:g} GB" in output
    assert f"of memory, of {memory_gb():.1f} GB here\nSHA-256: {hub.stated_sha256}\n" in output
    assert f"Folder: {environment}\n" in output
    assert f"{SHORT} is on this machine now, in {environment}." in output


@pytest.mark.parametrize(("typed", "is_downloaded"), [("y\n", True), ("n\n", False)])
def test_command_asks_in_a_terminal(
    hub: Hub, environment: Path, monkeypatch: pytest.MonkeyPatch, typed: str, is_downloaded: bool
) -> None:
    terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(download_command, "sys", terminal)
    code, output = invoke("pull", NAME, typed=typed)
    assert "Download it? [y/N]: " in output
    assert (code, bool(hub.starts)) == (0 if is_downloaded else 1, is_downloaded)


def test_command_lists_models_with_their_state(hub: Hub, environment: Path) -> None:
    invoke("pull", NAME, "--yes")
    path = environment / f"{SHORT}.gguf"
    code, complete = invoke("pull")
    path.unlink()
    part_of(path).write_bytes(CONTENT[: len(CONTENT) // 4])
    _, partial = invoke("pull")
    assert code == 0
    assert "yes" in next(line for line in complete.splitlines() if SHORT in line)
    row = next(line for line in partial.splitlines() if SHORT in line)
    assert "25 % downloaded" in row
    assert "texts" in row
    assert f"This machine has {memory_gb():.1f} GB of memory." in partial
    marked = [line.strip("│ ").split()[0] for line in partial.splitlines() if "recommended" in line]
    best = (recommended(memory_gb()), caption_offers.recommended(memory_gb()))
    assert marked == [offer.name for offer in best if offer]


def test_command_refuses_what_it_cannot_do(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, output = invoke("remove", "nix")
    assert code == 1
    assert output.startswith("No model is called 'nix'.")
    code, output = invoke("pull", "maker/Other-GGUF/tiny-q4.gguf", "--yes")
    assert code == 1
    assert output.startswith("The model tiny-q4 could not be downloaded. http://")
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "0")
    assert invoke("pull", NAME, "--yes") == (1, "Downloads are turned off by IMPASTO_LOCAL_DOWNLOAD.\n")


def test_command_names_what_was_removed(hub: Hub, environment: Path) -> None:
    invoke("pull", NAME, "--yes")
    assert invoke("remove", SHORT) == (0, f"Removed {SHORT}.\n")
    assert list(environment.iterdir()) == []
