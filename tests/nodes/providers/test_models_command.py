"""`impasto models list` and `refresh`, with providers of the tests' own."""

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.nodes.providers.own_providers import Install, fails
from typer.testing import CliRunner

from impasto import Configuration, NodeError
from impasto_nodes.providers import command
from impasto_nodes.providers.catalog import read_refreshed, refreshed_models
from impasto_nodes.providers.command import ask_providers, commands
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.registry import specs
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

LONG_AGO, TODAY = date(2020, 1, 1), date(2026, 1, 2)


def text(name: str, **facts: Any) -> Model:
    return Model(kind="text", name=name, title=name.title(), **facts)


def spec(name: str, *models: Model, refresh: Any = None) -> ProviderSpec:
    key = (CredentialField(variable=f"{name.upper()}_KEY"),)
    return ProviderSpec(id=name, title=name.title(), credentials=key, models=models, refresh_models=refresh)


def finds(*models: Model) -> Any:
    async def refresh(context: object) -> list[Model]:
        return list(models)

    return refresh


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path))
    refreshed_models.cache_clear()
    yield tmp_path / "models"
    refreshed_models.cache_clear()


def invoke(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(commands, list(arguments))
    return done.exit_code, done.stdout, done.stderr


def rows(output: str) -> list[list[str]]:
    lines = [line for line in output.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_models_are_listed_with_their_price_and_their_end(install_only: Install, folder: Path) -> None:
    first = spec(
        "first",
        text("a", price_usd=0.5, checked_on=TODAY),
        text("old", retires_on=LONG_AGO, replaced_by="a"),
        text("older", retires_on=LONG_AGO, is_priced=False),
        text("soon", retires_on=date(9999, 1, 1)),
    )
    install_only(first, spec("second", Model(kind="image", name="p", title="P", price_usd=2)))
    code, output, _ = invoke("list")
    assert code == 0
    assert rows(output) == [
        ["first", "text", "a", "$0.5 per 1,000 tokens", "", "2026-01-02"],
        ["first", "text", "old", "free", "2020-01-01 (gone; a runs instead)", ""],
        ["first", "text", "older", "not known", "2020-01-01 (gone; the default runs instead)", ""],
        ["first", "text", "soon", "free", "9999-01-01", ""],
        ["second", "image", "p", "$2 per image", "", ""],
    ]


def test_list_is_narrowed_to_a_kind_and_to_providers(install_only: Install, folder: Path) -> None:
    image = Model(kind="image", name="p", title="P")
    install_only(spec("first", text("a"), image), spec("second", text("b")))
    assert [row[2] for row in rows(invoke("list", "--kind", "image")[1])] == ["p"]
    assert [row[2] for row in rows(invoke("list", "--provider", "second")[1])] == ["b"]
    both = invoke("list", "--provider", "second", "--provider", "first")[1]
    assert [row[2] for row in rows(both)] == ["a", "p", "b"]
    code, _, error = invoke("list", "--provider", "second", "--provider", "acme")
    assert (code, error) == (2, "No provider has the id 'acme'. Installed: first, second.\n")


def test_list_outside_a_terminal_is_at_most_200_columns_wide(install_only: Install, folder: Path) -> None:
    install_only(spec("first", text("m" * 200)))
    assert {len(line) for line in invoke("list")[1].splitlines()} == {200}


def test_refresh_writes_what_was_found_and_says_what_was_not(install_only: Install, folder: Path) -> None:
    found = finds(text("a", price_usd=1, checked_on=TODAY), text("gone", retires_on=LONG_AGO))
    install_only(
        spec("first", text("a"), refresh=found),
        spec("second", text("b"), refresh=fails(NodeError("It is closed.", code="closed"))),
        spec("third", text("c")),
    )
    code, output, error = invoke("refresh")
    assert code == 0
    assert output.startswith("First: 2 models, 1 of them no longer served.\nWrote ")
    assert error == "Second: It is closed. Its known models are kept.\n"
    assert list(read_refreshed(folder)) == ["first"]
    assert [model.price_usd for model in read_refreshed(folder)["first"]] == [1, 0]


def test_refresh_of_one_provider_leaves_the_others_as_they_were(install_only: Install, folder: Path) -> None:
    install_only(
        spec("first", refresh=finds(text("a", price_usd=1))),
        spec("second", refresh=finds(text("b"))),
    )
    assert invoke("refresh")[0] == 0
    install_only(
        spec("first", refresh=finds(text("a", price_usd=2))),
        spec("second", refresh=fails(ValueError())),
    )
    assert invoke("refresh", "--provider", "first")[0] == 0
    found = read_refreshed(folder)
    assert [model.price_usd for model in found["first"]] == [2]
    assert [model.name for model in found["second"]] == ["b"]


def test_refresh_that_finds_nothing_changes_nothing(install_only: Install, folder: Path) -> None:
    install_only(spec("first", refresh=fails(ValueError("odd"))))
    code, output, error = invoke("refresh")
    assert (code, output) == (1, "")
    assert error == (
        "First: It could not be asked: ValueError. Its known models are kept.\n"
        "Nothing was refreshed: the catalog stays as it is.\n"
    )
    assert not folder.exists()


def test_models_that_the_catalog_cannot_hold_are_not_written(install_only: Install, folder: Path) -> None:
    install_only(spec("first", refresh=finds(text("bad name"))))
    code, _, error = invoke("refresh")
    assert code == 1
    assert error.startswith("The catalog stays as it is: catalog.json is no list of models")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NodeError("It is closed.", code="closed"), "It is closed."),
        (TimeoutError(), "It did not answer within 90 seconds."),
        (RuntimeError("odd"), "It could not be asked: RuntimeError."),
    ],
)
async def test_failure_of_one_provider_is_reported_and_the_others_are_asked(
    install_only: Install, error: Exception, reason: str
) -> None:
    install_only(spec("first", refresh=fails(error)), spec("second", text("b"), refresh=finds()))
    found, failures = await ask_providers(Configuration({}), list(specs().values()))
    assert failures == {"First": reason}
    assert {name: [model.name for model in models] for name, models in found.items()} == {"second": ["b"]}


@pytest.mark.anyio
async def test_provider_that_answers_too_late_is_a_failure(
    install_only: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(context: object) -> list[Model]:
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr(command, "_SECONDS", 0.01)
    install_only(spec("first", refresh=never))
    found, failures = await ask_providers(Configuration({}), list(specs().values()))
    assert (found, failures) == ({}, {"First": "It did not answer within 0.01 seconds."})
