"""The catalog of models: its data files, the operator's refreshed copy, and models that are gone."""

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import run
from tests.fakes.state import GOOD_KEY, State
from typer.testing import CliRunner

from impasto_nodes.providers import Model, read_models
from impasto_nodes.providers.catalog import (
    MAX_BYTES,
    InvalidCatalog,
    merged,
    read_refreshed,
    refreshed_models,
    write_refreshed,
)
from impasto_nodes.providers.command import commands
from impasto_nodes.providers.discovery import model_options
from impasto_nodes.providers.litellm import price_map
from impasto_nodes.providers.registry import default_model, find_model, listed_models, specs
from impasto_nodes.providers.validation import expected_cost, problems_with

TODAY = date(2026, 11, 22)
LONG_AGO = date(2024, 1, 1)


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of its own; models are read from it when they are next asked for."""
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    for cached in (refreshed_models, listed_models):
        cached.cache_clear()
    price_map._maps.clear()


def close(folder: Path, kind: Any, provider: str, name: str, replaced_by: str = "") -> None:
    """Say in the operator's catalog that a model is gone."""
    model = Model(
        kind=kind,
        name=name,
        title=name.title(),
        price_usd=0.01,
        retires_on=LONG_AGO,
        replaced_by=replaced_by,
        checked_on=TODAY,
    )
    others = [one for one in specs()[provider].models if one.name != name]
    write_refreshed(folder / "models", {provider: [*others, model]}, TODAY)
    forget()


# -- data files --------------------------------------------------------------------------------


def file_with(tmp_path: Path, *models: dict[str, Any], **more: Any) -> Path:
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"provider": "acme", "checked_on": "2026-11-22", "models": models} | more))
    return file


CARROT = {"kind": "text", "name": "carrot-1", "title": "Carrot 1", "price_usd": 0.002}


def test_data_file_gives_models_with_their_facts(tmp_path: Path) -> None:
    full = CARROT | {"limits": {"input": 1000, "output": 100}, "retires_on": "2027-01-31"}
    full |= {"settings": {"crisp": {"type": "boolean"}}, "input_price_usd": 0.001}
    (model,) = read_models(file_with(tmp_path, full))
    assert (model.max_input, model.max_output, model.retires_on) == (1000, 100, date(2027, 1, 31))
    assert model.settings == {"crisp": {"type": "boolean"}}
    assert model.checked_on == TODAY
    (unpriced,) = read_models(file_with(tmp_path, CARROT | {"price_usd": None}))
    assert not unpriced.is_priced


WRONG: list[tuple[dict[str, Any], str]] = [
    (CARROT | {"price_usd": -1}, "price_usd"),
    (CARROT | {"price_usd": "free"}, "price_usd"),
    (CARROT | {"kind": "smell"}, "kind"),
    (CARROT | {"name": "carrot 1"}, "name"),
    (CARROT | {"name": ""}, "name"),
    (CARROT | {"colour": "orange"}, "colour"),
    (CARROT | {"ratios": ["wide"]}, "ratios"),
    (CARROT | {"durations": [0]}, "durations"),
    (CARROT | {"limits": {"input": -5}}, "limits"),
    (CARROT | {"retires_on": "soon"}, "retires_on"),
    (CARROT | {"replaced_by": "carrot-2"}, "carrot-2, which replaces carrot-1, is not listed"),
    ({"kind": "text", "name": "carrot-1"}, "title"),
]


@pytest.mark.parametrize(("model", "named"), WRONG)
def test_wrong_data_file_is_refused_with_the_place(tmp_path: Path, model: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidCatalog, match=r"models\.json") as refused:
        read_models(file_with(tmp_path, model))
    assert named in str(refused.value)


def test_model_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidCatalog, match="lists a model twice"):
        read_models(file_with(tmp_path, CARROT, CARROT))


def test_no_provider_offers_sora() -> None:
    assert not [model.name for spec in specs().values() for model in spec.models if "sora" in model.name]


# -- the operator's copy -----------------------------------------------------------------------


def test_refreshed_facts_replace_older_ones_and_add_models() -> None:
    shipped = Model(
        kind="text", name="carrot-1", title="Carrot 1", price_usd=0.002, edits_images=True, checked_on=TODAY
    )
    newer = Model(
        kind="text",
        name="carrot-1",
        title="carrot-1",
        price_usd=0.003,
        max_input=9,
        checked_on=TODAY + timedelta(1),
    )
    added = Model(kind="text", name="carrot-2", title="carrot-2", price_usd=0.004, checked_on=TODAY)
    first, second = merged([shipped], [added, newer])
    assert (first.title, first.price_usd, first.max_input, first.edits_images) == ("Carrot 1", 0.003, 9, True)
    assert second is added
    older = Model(
        kind="text", name="carrot-1", title="carrot-1", price_usd=0.003, checked_on=TODAY - timedelta(1)
    )
    assert merged([shipped], [older]) == (shipped,)


def test_written_catalog_is_read_back(tmp_path: Path) -> None:
    models = list(specs()["replicate"].models)
    write_refreshed(tmp_path, {"replicate": models}, TODAY)
    assert read_refreshed(tmp_path) == {"replicate": tuple(models)}
    assert [file.name for file in tmp_path.iterdir()] == ["catalog.json"]


def test_catalog_is_on_the_disk_before_it_replaces_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int, list[int]]] = []

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        beside = [each.stat().st_ino for each in tmp_path.iterdir()]
        synced.append((found.st_ino, found.st_size, beside))

    monkeypatch.setattr(os, "fsync", fsync)
    file = write_refreshed(tmp_path, {"acme": [Model(kind="text", name="good", title="Good")]}, TODAY)
    assert synced == [(file.stat().st_ino, file.stat().st_size, [file.stat().st_ino])]


def test_catalog_that_the_reader_would_refuse_is_not_written(tmp_path: Path) -> None:
    write_refreshed(tmp_path, {"acme": [Model(kind="text", name="good", title="Good")]}, TODAY)
    with pytest.raises(InvalidCatalog):
        write_refreshed(tmp_path, {"acme": [Model(kind="text", name="bad name", title="Bad")]}, TODAY)
    assert [model.name for model in read_refreshed(tmp_path)["acme"]] == ["good"]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b'{"providers": 7}', b" " * (MAX_BYTES + 1)])
def test_damaged_catalog_is_ignored_with_a_warning(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    (tmp_path / "catalog.json").write_bytes(content)
    assert read_refreshed(tmp_path) == {}
    assert "refreshed models are ignored" in caplog.text


def test_largest_catalog_is_read_and_a_larger_one_is_ignored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    write_refreshed(tmp_path, {"acme": [Model(kind="text", name="good", title="Good")]}, TODAY)
    file = tmp_path / "catalog.json"
    file.write_bytes(file.read_bytes().ljust(MAX_BYTES))
    assert [model.name for model in read_refreshed(tmp_path)["acme"]] == ["good"]
    file.write_bytes(file.read_bytes() + b" ")
    assert read_refreshed(tmp_path) == {}
    assert "it has more than 8,000,000 bytes" in caplog.text


# -- models that are gone ----------------------------------------------------------------------


def test_model_that_is_gone_is_reported_before_the_run(data_folder: Path) -> None:
    close(data_folder, "text", "openai", "gpt-3", "gpt-6-sol")
    settings = {"provider": "openai", "model": "gpt-3"}
    (problem,) = problems_with("text", settings, frozenset({"openai"}))
    assert (problem["code"], problem["severity"], problem["setting"]) == (
        "model_replaced",
        "warning",
        "model",
    )
    assert problem["message"] == "OpenAI closed Gpt-3 on 2024-01-01. GPT-6 Sol runs in its place."
    estimate = expected_cost("text", settings, frozenset({"openai"}), lambda model: model.price_usd)
    sol = find_model("text", "openai", "gpt-6-sol")
    assert sol is not None
    assert estimate["usd"] == sol.price_usd
    assert [notice["code"] for notice in estimate["notices"]] == ["model_replaced"]


@pytest.mark.anyio
async def test_model_that_is_gone_runs_as_its_replacement_which_the_run_records(
    data_folder: Path, fakes: State, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    close(data_folder, "text", "openai", "gpt-3", "gpt-4o-mini")
    result = await run("language_model", {"prompt": "A can"}, provider="openai", model="gpt-3")
    assert fakes.requests("/chat")[0].body["model"] == "gpt-4o-mini"
    assert any("GPT-4o mini runs in its place" in event.data.get("message", "") for event in result.events)
    assert any("GPT-4o mini runs in its place" in text for text in caplog.messages)
    finished = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert finished[0].data["made_by"]["model"] == "gpt-4o-mini"


@pytest.mark.anyio
async def test_model_that_is_gone_is_not_offered_and_is_no_default(data_folder: Path) -> None:
    close(data_folder, "text", "openai", "gpt-5-mini")
    offered = [one["value"] for one in await model_options("text", "", None) if one["provider"] == "openai"]
    assert "gpt-5-mini" not in offered
    assert offered
    assert default_model("text", "openai") == "gpt-6-sol"


def test_models_that_replace_each_other_are_an_error_before_the_run(data_folder: Path) -> None:
    gone = [
        Model(kind="text", name=name, title=name, retires_on=LONG_AGO, replaced_by=other, checked_on=TODAY)
        for name, other in (("a", "b"), ("b", "a"))
    ]
    write_refreshed(data_folder / "models", {"openai": gone}, TODAY)
    forget()
    (problem,) = problems_with("text", {"provider": "openai", "model": "a"}, frozenset({"openai"}))
    assert (problem["code"], problem["severity"]) == ("unknown_model", "error")


# -- the command -------------------------------------------------------------------------------


def price_list(**more: Any) -> dict[str, Any]:
    """A map in litellm's shape, large enough to count as one."""
    text = {
        "litellm_provider": "openai",
        "mode": "chat",
        "input_cost_per_token": 1e-6,
        "output_cost_per_token": 2e-6,
    }
    return {f"gpt-test-{number}": text for number in range(60)} | more


async def refresh(fakes: State, monkeypatch: pytest.MonkeyPatch, body: str, status: int = 200) -> Any:
    monkeypatch.setenv("IMPASTO_ALLOW_PRIVATE_HOSTS", "1")
    monkeypatch.setenv("LITELLM_MODEL_COST_MAP_URL", f"{fakes.url}/openai/map.json")
    fakes.misbehave("answer", times=9, on="/map.json", status=status, body=body)
    return await invoke("refresh", "openai")


async def invoke(command: str, provider: str) -> Any:
    return await asyncio.to_thread(CliRunner().invoke, commands, [command, "--provider", provider])


@pytest.mark.anyio
async def test_refresh_writes_todays_models_to_the_data_folder(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = price_list()["gpt-test-0"] | {"output_cost_per_token": 9e-6, "deprecation_date": "2030-01-01"}
    wrong = {"litellm_provider": "openai", "mode": "chat", "output_cost_per_token": "a lot"}
    sora = {"litellm_provider": "openai", "mode": "video_generation", "output_cost_per_second": 0.1}
    done = await refresh(
        fakes, monkeypatch, json.dumps(price_list(**{"gpt-6-sol": known, "w": wrong, "sora-2": sora}))
    )
    assert done.exit_code == 0, done.output
    assert "OpenAI: 69 models" in done.output
    forget()
    sol = find_model("text", "openai", "gpt-6-sol")
    assert sol is not None
    assert (sol.title, sol.retires_on) == ("GPT-6 Sol", date(2030, 1, 1))
    assert sol.price_usd == pytest.approx(0.009)
    assert find_model("text", "openai", "gpt-test-7") is not None
    assert not [model for model in listed_models("openai") if model.name in {"w", "sora-2"}]
    listed = await invoke("list", "openai")
    assert "gpt-test-59" in listed.output
    assert "2030-01-01" in listed.output


@pytest.mark.anyio
async def test_refresh_leaves_out_entries_that_the_catalog_cannot_hold(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = price_list()["gpt-test-0"]
    wrong = {"openai/": entry, "gpt-gold": entry | {"output_cost_per_token": 500}}
    done = await refresh(fakes, monkeypatch, json.dumps(price_list(**wrong)))
    assert done.exit_code == 0, done.output
    forget()
    assert find_model("text", "openai", "gpt-test-59") is not None
    assert not [model for model in listed_models("openai") if model.name in {"", "gpt-gold"}]


NO_MAPS = [
    (200, "<html>sign in</html>"), (200, "[]"), (200, '{"a": 1}'), (404, "{}"), (500, "{}"),
    (200, '{"a":' * 50_000), (200, json.dumps({"x": {"litellm_provider": 1}})),
]  # fmt: skip


@pytest.mark.anyio
@pytest.mark.parametrize(("status", "body"), NO_MAPS)
async def test_refresh_keeps_what_is_there_if_the_list_cannot_be_read(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch, status: int, body: str
) -> None:
    close(data_folder, "text", "openai", "gpt-3")
    before = (data_folder / "models" / "catalog.json").read_bytes()
    done = await refresh(fakes, monkeypatch, body, status)
    assert done.exit_code == 1
    assert "cannot be used" in done.output
    assert "the catalog stays as it is" in done.output
    assert (data_folder / "models" / "catalog.json").read_bytes() == before


def test_refresh_without_a_connection_says_so(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_ALLOW_PRIVATE_HOSTS", "1")
    monkeypatch.setenv("LITELLM_MODEL_COST_MAP_URL", "http://127.0.0.1:9/map.json")
    done = CliRunner().invoke(commands, ["refresh", "--provider", "openai"])
    assert done.exit_code == 1
    assert "Nothing was refreshed" in done.output
    assert not (data_folder / "models").exists()


@pytest.mark.anyio
async def test_refresh_stops_at_the_limit_of_size(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(price_map, "MAX_BYTES", 1_000)
    done = await refresh(fakes, monkeypatch, json.dumps(price_list()))
    assert done.exit_code == 1
    assert "more than 1,000 bytes" in done.output


@pytest.mark.anyio
async def test_refresh_reads_ratios_durations_and_settings_of_replicates_models(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPLICATE_API_TOKEN", GOOD_KEY)
    done = await invoke("refresh", "replicate")
    assert done.exit_code == 0, done.output
    forget()
    models = listed_models("replicate")
    assert any(model.settings for model in models)
    assert len(models) == len(specs()["replicate"].models)


@pytest.mark.anyio
async def test_refresh_reads_prices_and_settings_of_fals_models(
    data_folder: Path, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAL_KEY", GOOD_KEY)
    done = await invoke("refresh", "fal")
    assert done.exit_code == 0, done.output
    forget()
    models = {model.name: model for model in listed_models("fal")}
    assert models["fal-ai/flux-2-pro"].price_usd == 0.05
    assert "enable_safety_checker" in models["fal-ai/flux-2-pro"].settings
    assert models["fal-ai/veo3.1/fast"].durations == (4, 6, 8)
    assert models["fal-ai/veo3.1"].is_gone  # fal does not list it


def test_unknown_provider_is_named_with_the_installed_ones() -> None:
    done = CliRunner().invoke(commands, ["list", "--provider", "acme"])
    assert done.exit_code == 2
    assert "No provider has the id 'acme'" in done.stderr
