"""Which images have a composition that is known, its steps, and what composing them again keeps."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.assets.asset_rows import asset_row
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import Store

from impasto import Catalog
from impasto_nodes.ai.image_generation import image_generation
from impasto_nodes.inputs import user_prompt
from impasto_nodes.transform.compose_ads import compose_ads
from impasto_nodes.transform.overlay_text import overlay_text
from impasto_server.asset_versions.composition import ComposedStep, Composition, read_composition
from impasto_server.asset_versions.errors import NotChangeable
from impasto_server.asset_versions.recompose import compose
from impasto_server.asset_versions.schemas import LayoutChange
from impasto_server.asset_versions.service import list_versions
from impasto_server.assets.models import AssetRow
from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.flows.errors import FlowInvalid
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
DOCUMENT = {
    "format": 1,
    "name": "Poster",
    "nodes": [
        {"id": "words", "type": "user_prompt", "settings": {"text": "Listen"}},
        {"id": "draw", "type": "image_generation", "title": "Hero"},
        {"id": "set", "type": "overlay_text"},
        {"id": "again", "type": "overlay_text"},
        {"id": "removed", "type": "of_a_removed_plugin"},
    ],
    "edges": [
        {"from": "words.output", "to": "draw.prompt"},
        {"from": "draw.output", "to": "set.image"},
        {"from": "words.output", "to": "set.text"},
    ],
}
DRAWN = {"provider": "local", "settings": {"style": "bold", "position": 2, "headline": "Hi"}}


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([user_prompt, image_generation, overlay_text, compose_ads])


def image(asset_id: str) -> dict[str, Any]:
    return {"$type": "Image", "asset_id": asset_id}


def row(asset_id: str, step: str | None, **about: Any) -> AssetRow:
    common = {"owner_id": "mara", "source": "run", "run_id": "r1", "input_asset_ids": []}
    return asset_row(asset_id, step=step, **{**common, **about})


async def read(app_state: AppState, user: str, base: AssetRow) -> Composition | None:
    return await read_composition(app_state, User(id=user), base)


@pytest.fixture
async def poster(store: Store, store_records: Store) -> None:
    invalid = {**DOCUMENT, "format": 99}
    await store(r1={"document": DOCUMENT}, r2={"document": invalid})
    await store_records(
        "r2", ("event", "step.finished", "set", 1, {"outputs": {"output": image("a2")}})
    )  # fmt: skip
    await store_records(
        "r1",
        ("event", "step.finished", "words", 1, {"outputs": {"output": "Listen"}}),
        ("event", "step.finished", "removed", 2, {"outputs": {"output": image("a1")}}),
        ("event", "step.finished", "again", 2, {"outputs": {"output": image("a1")}}),  # the one that it got
        ("event", "step.finished", "draw", 2, {"outputs": {"output": [image("a0"), image("a1")]}}),
        ("event", "step.finished", "set", 3, {"outputs": {"output": image("a2")}}),
    )


@pytest.mark.usefixtures("poster")
async def test_composition_has_the_steps_that_need_no_model(app_state: AppState, owner: str) -> None:
    async with app_state.database.writing() as session:
        session.add(row("a1", "draw", owner_id=owner, made_by=DRAWN))
    found = await read(app_state, owner, row("a2", "set", input_asset_ids=["a1"]))
    assert found is not None
    assert (found.run.id, found.target, found.outputs["words"]) == ("r1", "set", {"output": "Listen"})
    assert {
        name: (step.node["type"], step.row.id, step.port, step.place, step.rendered)
        for name, step in found.steps.items()
    } == {
        "set": ("overlay_text", "a2", "output", (), None),
        "draw": ("image_generation", "a1", "output", (1,), DRAWN["settings"]),
    }
    assert found.steps["draw"].title == "Hero"
    assert found.steps["set"].title == app_state.catalog["overlay_text"].title


@pytest.mark.usefixtures("poster")
async def test_image_that_a_model_made_or_no_run_of_the_user_has_no_composition(
    app_state: AppState, owner: str
) -> None:
    assert await read(app_state, owner, row("a2", "set")) is not None
    for base in (
        row("a2", "set", run_id=None),
        row("a2", None),
        row("a2", "set", kind="video"),
        row("a2", "set", run_id="unknown"),
        row("a2", "set", run_id="r2"),
        row("unknown", "set"),
        row("a1", "draw"),
        row("a1", "draw", made_by={**DRAWN, "provider": "openai"}),
        row("a1", "draw", made_by={"provider": "local"}),
        row("a1", "draw", made_by={"provider": "local", "settings": {"style": "bold", "position": True}}),
        row("a1", "draw", made_by={"provider": "local", "settings": {"position": 2}}),
    ):
        assert await read(app_state, owner, base) is None
    assert await read(app_state, "another", row("a2", "set")) is None
    assert await read(app_state, owner, row("a1", "draw", made_by=DRAWN)) is not None


@pytest.mark.usefixtures("poster")
async def test_layout_is_that_of_the_run_with_the_changes_since_then(app_state: AppState, owner: str) -> None:
    layout = {"aspect_ratio": "9:16", "texts": {"set.text": "Start"}, "images": {}}
    async with app_state.database.writing() as session:
        session.add_all(
            [
                row("a1", "draw", owner_id=owner, made_by=DRAWN),
                row("a0", "set", owner_id=owner, replaced_by_id="a2"),
                row("a2", "set", owner_id=owner, input_asset_ids=["a1"], replaces_id="a0",
                    replaced_by_id="a3"),
                row("a3", "set", owner_id=owner, made_by={"change": "crop"}, replaces_id="a2",
                    replaced_by_id="a4"),
                row("a4", "set", owner_id=owner, made_by={"change": "layout", "layout": layout},
                    replaces_id="a3"),
            ]
        )  # fmt: skip
    listed = await list_versions(app_state, User(id=owner), "a0")
    assert ([asset.id for asset in listed.items], listed.can_undo) == (["a0", "a2", "a3", "a4"], True)
    assert listed.layout is not None
    assert listed.layout.model_dump() == {
        "aspect_ratio": "9:16",
        "aspect_ratios": ["1:1", "4:5", "9:16", "16:9"],
        "texts": [
            {"id": "draw.headline", "label": "Headline", "value": "Hi", "max_length": 64},
            {"id": "draw.line", "label": "Call to action", "value": "", "max_length": 80},
            {"id": "set.text", "label": "Overlay text", "value": "Start", "max_length": 500},
        ],
        "images": [],
    }


@pytest.mark.usefixtures("poster")
async def test_image_is_composed_again_with_the_values_that_it_has(
    app_state: AppState, owner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app_state.database.writing() as session:
        session.add(row("a1", "draw", owner_id=owner, made_by={**DRAWN, "seed": 7}))
    found = await read(app_state, owner, row("a2", "set", owner_id=owner, input_asset_ids=["a1"]))
    assert found is not None
    compiled: list[Source] = []

    async def refuse(user_id: str, source: Source) -> None:
        compiled.append(source)
        raise FlowInvalid([])

    monkeypatch.setattr(app_state.compiler, "plan", refuse)
    with pytest.raises(NotChangeable, match="its agent cannot run here any more"):
        await compose(app_state, User(id=owner), found, LayoutChange(aspect_ratio="1:1"), tmp_path)
    drawn = {
        "aspect_ratio": "1:1", "provider": "local", "model": "", "n_images": 1, "seed": 7,
        "more": {"headline": "Hi", "line": "", "style": "bold", "position": 2},
    }  # fmt: skip
    words = {"outputs": {"output": {"type": "Text", "depth": 0, "value": "Listen"}}}
    document = {
        "format": 1,
        "name": "Change",
        "nodes": [
            {"id": "step0", "type": "overlay_text"},
            {"id": "step1", "type": "image_generation", "title": "Hero", "settings": drawn},
            {"id": "value2", "type": "user_prompt", "settings": {"text": "Listen"}, "pin": words},
            {"id": "value3", "type": "user_prompt", "settings": {"text": "Listen"}, "pin": words},
        ],
        "edges": [
            {"from": "step1.output", "to": "step0.image"},
            {"from": "value2.output", "to": "step1.prompt"},
            {"from": "value3.output", "to": "step0.text"},
        ],
    }
    assert compiled == [Source(document, {}, targets=["step0"])]
    with pytest.raises(NotChangeable):
        await compose(app_state, User(id=owner), found, LayoutChange(texts={"draw.headline": "Ho"}), tmp_path)
    drawn_again = compiled[1].document["nodes"][1]
    assert (drawn_again["type"], drawn_again["settings"]["more"]["headline"]) == ("image_generation", "Ho")


async def test_changed_text_of_an_ad_takes_the_place_of_the_one_that_it_shows(
    app_state: AppState, owner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = {"id": "ads", "type": "compose_ads"}
    ad = ComposedStep(node, "Ads", row("a1", "ads", owner_id=owner), "output", (1,), None)
    document = {
        "nodes": [{"id": "heads", "type": "user_prompt"}, node],
        "edges": [{"from": "heads.output", "to": "ads.headlines"}],
    }
    outputs = {
        "heads": {"output": ["One", "Two", "Three", "Four"]},
        "ads": {"output": [image(f"a{at}") for at in range(4)]},
    }
    composition = Composition(RunRow(id="r1", owner_id=owner), "ads", {"ads": ad}, outputs, document)
    compiled: list[Source] = []

    async def refuse(user_id: str, source: Source) -> None:
        compiled.append(source)
        raise FlowInvalid([])

    monkeypatch.setattr(app_state.compiler, "plan", refuse)
    change = LayoutChange(texts={"ads.headlines": "New"})
    with pytest.raises(NotChangeable, match="its agent cannot run here any more"):
        await compose(app_state, User(id=owner), composition, change, tmp_path)
    (pinned,) = [each["pin"] for each in compiled[0].document["nodes"] if "pin" in each]
    assert pinned == {
        "outputs": {"output": {"type": "Text", "depth": 1, "value": ["One", "New", "Three", "Four"]}}
    }
