"""Finished runs are read from their rows: they keep their results when a plugin is removed."""

from typing import Any

import pytest
from sqlalchemy import update
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, agent, ask, chain, flow

from impasto import Catalog
from impasto_server.runs.launch import planned_results
from impasto_server.runs.launch.planned_results import backfill_planned_results
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio

PAINTED = flow(
    "ask",
    {"id": "paint", "type": "paint", "title": "Poster"},
    "spell",
    edges=["ask.output -> paint.text", "ask.output -> spell.text"],
)


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def pages_of_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned_results, "_BACKFILL_PAGE", 1)


async def uninstall_plugin(app_state: Any) -> None:
    """Leave the catalog with inputs and subflows only."""
    await replace_catalog(app_state, Catalog([ask, agent]))


async def replace_catalog(app_state: Any, catalog: Catalog) -> None:
    """Make the server look as if it had started with another catalog."""
    app_state.catalog = app_state.compiler.catalog = catalog
    await app_state.compiler.close()


async def forget_planned_results(app_state: Any) -> None:
    """Make every run look like one that was launched before its row held the planned results."""
    async with app_state.database.writing() as session:
        await session.execute(update(RunRow).values(planned_results=None, planned_steps=None))


async def results_of(person: Any, run_id: str) -> list[dict[str, Any]]:
    response = await person.client.get(f"/runs/{run_id}")
    expect(response, 200)
    return list(response.json()["results"])


async def test_results_outlive_their_node_types(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, PAINTED)
    before = await finished(person, await run_flow(person, made["id"]))
    assert [(result["title"], result["type"]) for result in before["results"]] == [
        ("Poster", "Image"),
        ("Spell", "Text"),
    ]
    await uninstall_plugin(app_state)

    after = (await person.client.get(f"/runs/{before['id']}")).json()
    assert after == before
    listed = (await person.client.get("/runs/")).json()["items"]
    assert [item["cover_asset_id"] for item in listed] == [before["cover_asset_id"]]
    events = (await person.client.get(f"/runs/{before['id']}/events")).text
    assert before["cover_asset_id"] in events
    library = (await person.client.get("/assets/library")).json()["items"]
    assert {item["kind"]: item["run_id"] for item in library} == {"image": before["id"], "text": before["id"]}
    assert before["cover_asset_id"] in [item["id"] for item in library]


async def test_launching_again_names_the_missing_node_type(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, PAINTED)
    run = await finished(person, await run_flow(person, made["id"]))
    await uninstall_plugin(app_state)
    refused = await run_flow(person, made["id"], status=422)
    assert refused["code"] == "flow_invalid"
    assert {problem["node"] for problem in refused["problems"]} == {"paint", "spell"}
    assert all(problem["node"] in problem["message"] for problem in refused["problems"]), refused
    assert [result["value"] for result in await results_of(person, run["id"])] == [
        result["value"] for result in run["results"]
    ]


async def test_queued_run_lists_its_steps_under_their_titles(
    person: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, PAINTED)
    accepted = await run_flow(person, made["id"], targets=["paint"])
    assert [(step["id"], step["title"]) for step in accepted["steps"]] == [
        ("ask", "Ask"),
        ("paint", "Poster"),
    ]
    assert [result["step"] for result in accepted["results"]] == ["paint"]


async def test_batch_results_outlive_their_node_types(person: Any, make_flow: Any, app_state: Any) -> None:
    made = await make_flow(person, PAINTED)
    path, query = f"/flows/{made['id']}/batch", {"version": "draft"}
    batch = (await person.client.post(path, json=[{"ask": "a jug"}, {"ask": "a cup"}], params=query)).json()
    for run in batch["runs"]:
        await person.client.get(f"/runs/{run['id']}/events", timeout=30)
    before = (await person.client.get(f"/batches/{batch['id']}/results")).text
    assert "Poster (paint.output)" in before
    await uninstall_plugin(app_state)
    assert (await person.client.get(f"/batches/{batch['id']}/results")).text == before


async def test_run_launched_before_rows_held_planned_results_shows_the_same(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    inner = await make_flow(person, chain("paint"), name="Inner")
    document = flow(
        "ask",
        {"id": "inner", "type": "agent", "title": "Posters", "settings": {"flow": inner["id"]}},
        "lines",
        "spell",
        {"id": "hidden", "type": "shout", "result": False},
        {"id": "shout", "type": "shout", "result": True},
        "stumble",
        edges=[
            "ask.output -> inner.ask",
            "lines.output -> spell.text",
            "ask.output -> hidden.text",
            "ask.output -> shout.text",
            "shout.output -> stumble.text",
        ],
    )
    CALLS["stumble"] = 1
    made = await make_flow(person, document)
    inputs = {"ask": "a jug", "lines": ["one", "two"]}
    before = await finished(person, await run_flow(person, made["id"], inputs=inputs))
    assert before["status"] == "finished", before["error"]
    assert [(result["step"], result["type"], result["list"]) for result in before["results"]] == [
        ("inner/paint", "Image", False),
        ("spell", "Text", True),
        ("shout", "Text", False),
        ("stumble", "Text", False),
    ]

    await forget_planned_results(app_state)
    assert await results_of(person, before["id"]) == before["results"]
    await uninstall_plugin(app_state)
    assert await results_of(person, before["id"]) == before["results"]


@pytest.mark.usefixtures("pages_of_one_run")
async def test_backfill_writes_planned_results_while_the_node_types_are_there(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, flow("ask", "paint", edges=["ask.output -> paint.text"]))
    failing = await make_flow(person, chain("stumble"))
    before = await finished(person, await run_flow(person, made["id"]))
    failed = await finished(person, await run_flow(person, failing["id"]))
    assert (before["status"], failed["status"]) == ("finished", "failed")
    await forget_planned_results(app_state)

    await backfill_planned_results(app_state)
    await uninstall_plugin(app_state)
    assert await results_of(person, before["id"]) == before["results"]
    assert await results_of(person, failed["id"]) == failed["results"] != []


@pytest.mark.usefixtures("pages_of_one_run")
async def test_backfill_without_the_node_types_leaves_runs_that_may_be_resumed(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    failing = await make_flow(person, chain("stumble"))
    before = await finished(person, await run_flow(person, made["id"]))
    failed = await finished(person, await run_flow(person, failing["id"]))
    await forget_planned_results(app_state)
    whole = app_state.catalog
    await uninstall_plugin(app_state)

    await backfill_planned_results(app_state)
    assert await results_of(person, before["id"]) == before["results"]
    assert await results_of(person, failed["id"]) == []
    await replace_catalog(app_state, whole)
    resumed = await person.client.post(f"/runs/{failed['id']}/resume")
    expect(resumed, 202)
    again = await finished(person, resumed.json())
    assert [result["value"] for result in again["results"]] == ["hello"]
