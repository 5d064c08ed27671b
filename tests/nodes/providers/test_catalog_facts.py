"""What the catalog keeps of a model, and what newer facts replace."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from impasto import Configuration
from impasto_nodes.providers.catalog import (
    InvalidCatalog,
    folder_of,
    is_storable,
    merged,
    read_models,
    read_refreshed,
    updated,
    write_refreshed,
)
from impasto_nodes.providers.models import ClipPrice, Model

TODAY, TOMORROW = date(2026, 1, 2), date(2026, 1, 3)
FULL = Model(
    kind="video",
    name="full",
    title="Full",
    price_usd=0.5,
    ratios=("16:9",),
    durations=(5, 7.5),
    needs_image=True,
    takes_image=False,
    edits_images=True,
    takes_mask=True,
    input_price_usd=0.25,
    image_price_usd=0.125,
    clip_prices=(ClipPrice("720p", 1), ClipPrice("1080p", 2, 8)),
    max_input=10,
    max_output=20,
    settings={"style": {"type": "string"}},
    retires_on=date(2027, 1, 1),
    replaced_by="plain",
    checked_on=TOMORROW,
)
PLAIN = Model(kind="video", name="plain", title="Plain", is_priced=False, checked_on=TODAY)


def test_every_fact_of_a_model_is_written_and_read_back(tmp_path: Path) -> None:
    file = write_refreshed(tmp_path / "a" / "b", {"acme": [FULL, PLAIN]}, TODAY)
    assert file == tmp_path / "a" / "b" / "catalog.json"
    assert read_refreshed(tmp_path / "a" / "b") == {"acme": (FULL, PLAIN)}


def test_catalog_is_written_again_for_readers_to_follow(tmp_path: Path) -> None:
    write_refreshed(tmp_path, {"acme": [FULL, PLAIN]}, TODAY)
    write_refreshed(tmp_path, {"other": [PLAIN]}, TODAY)
    assert read_refreshed(tmp_path) == {"other": (PLAIN,)}
    text = (tmp_path / "catalog.json").read_text()
    assert text.startswith('{\n "providers": [\n  {\n   "provider": "other"')


@pytest.mark.parametrize(
    "models", [[PLAIN, PLAIN], [replace(PLAIN, replaced_by="missing")], [replace(PLAIN, title="")]]
)
def test_list_that_is_not_consistent_is_not_written(tmp_path: Path, models: list[Model]) -> None:
    with pytest.raises(InvalidCatalog, match=r"catalog\.json is no list of models"):
        write_refreshed(tmp_path / "models", {"acme": models}, TODAY)
    assert not (tmp_path / "models").exists()


def test_write_that_fails_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "catalog.json").mkdir()
    with pytest.raises(IsADirectoryError):
        write_refreshed(tmp_path, {"acme": [PLAIN]}, TODAY)
    assert [each.name for each in tmp_path.iterdir()] == ["catalog.json"]


def test_folder_without_a_catalog_has_no_refreshed_models(tmp_path: Path) -> None:
    assert read_refreshed(tmp_path) == {}


def test_model_of_another_kind_may_have_the_same_name_but_replaces_none(tmp_path: Path) -> None:
    file = tmp_path / "models.json"

    def write(**facts: Any) -> None:
        video = {"kind": "video", "name": "x", "title": "X", "price_usd": 1}
        image = {"kind": "image", "name": "x", "title": "X", "price_usd": 1}
        listed = [video | facts, image, image | {"name": "y"}]
        file.write_text(json.dumps({"provider": "acme", "checked_on": "2026-01-02", "models": listed}))

    write()
    assert [model.kind for model in read_models(file)] == ["video", "image", "image"]
    write(replaced_by="y")
    with pytest.raises(InvalidCatalog, match="y, which replaces x, is not listed"):
        read_models(file)


@pytest.mark.parametrize(
    ("facts", "is_accepted"),
    [
        ({"name": "m" * 200}, True),
        ({"name": "m" * 201}, False),
        ({"title": "T" * 201}, False),
        ({"price_usd": 10_000.0}, True),
        ({"price_usd": 10_001.0}, False),
        ({"price_usd": 10_001.0, "is_priced": False}, True),
        ({"max_input": 0}, False),
        ({"durations": (3_601,)}, False),
        ({"ratios": ("0:1",)}, False),
    ],
)
def test_only_what_a_file_can_hold_is_storable(facts: dict[str, Any], is_accepted: bool) -> None:
    assert is_storable(replace(PLAIN, **{"is_priced": True} | facts)) is is_accepted


def test_facts_replace_what_is_known_and_leave_the_rest() -> None:
    shipped = replace(FULL, checked_on=TODAY)
    facts = Model(
        kind="video",
        name="full",
        title="full",
        price_usd=0.75,
        ratios=("1:1",),
        durations=(6,),
        max_input=11,
        max_output=21,
        settings={"tone": {}},
        retires_on=date(2028, 1, 1),
        replaced_by="other",
        checked_on=TOMORROW,
    )
    assert updated(shipped, facts) == replace(
        shipped,
        price_usd=0.75,
        input_price_usd=0.0,
        ratios=("1:1",),
        durations=(6,),
        max_input=11,
        max_output=21,
        settings={"tone": {}},
        retires_on=date(2028, 1, 1),
        replaced_by="other",
        checked_on=TOMORROW,
    )
    nothing = Model(kind="video", name="full", title="full", is_priced=False, checked_on=TOMORROW)
    assert updated(shipped, nothing) == FULL
    assert not updated(replace(shipped, is_priced=False), nothing).is_priced
    assert updated(replace(shipped, is_priced=False), facts).is_priced


@pytest.mark.parametrize(
    ("shipped_on", "refreshed_on", "price"),
    [
        (TODAY, TOMORROW, 2),
        (TODAY, TODAY, 2),
        (TOMORROW, TODAY, 1),
        (None, TODAY, 2),
        (TOMORROW, None, 2),
        (None, None, 2),
    ],
)
def test_shipped_facts_stay_only_if_they_are_newer(
    shipped_on: date | None, refreshed_on: date | None, price: float
) -> None:
    shipped = Model(kind="text", name="m", title="M", price_usd=1, checked_on=shipped_on)
    refreshed = Model(kind="text", name="m", title="m", price_usd=2, checked_on=refreshed_on)
    (found,) = merged([shipped], [refreshed])
    assert found.price_usd == price


def test_refreshed_models_are_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/acme")
    assert folder_of(Configuration({})) == Path("data") / "models"
    assert folder_of(Configuration({"IMPASTO_DATA_DIR": "~/kept"})) == Path("/home/acme/kept/models")


def test_model_is_gone_from_its_last_day() -> None:
    today = datetime.now(UTC).date()
    assert not PLAIN.is_gone
    assert replace(PLAIN, retires_on=today).is_gone
    assert not replace(PLAIN, retires_on=today + timedelta(2)).is_gone
    assert PLAIN.gone(TOMORROW) == replace(PLAIN, retires_on=TOMORROW, checked_on=TOMORROW)
    earlier = replace(PLAIN, retires_on=TODAY)
    assert earlier.gone(TOMORROW) == replace(earlier, checked_on=TOMORROW)
