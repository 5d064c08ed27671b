"""The list of runs: what it shows, its filters, its search, its pages, and deletion."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select
from tests.server.query_plans import plan_of
from tests.server.responses import expect
from tests.server.sample_nodes import GATES, arrived, chain, flow, gate

from impasto_server.runs import repository
from impasto_server.runs.library import backfill, listings
from impasto_server.runs.library.backfill import backfill_library, backfill_listings
from impasto_server.runs.models import RecordRow, RunListingRow, RunRow

pytestmark = pytest.mark.anyio

PAINTED = flow("ask", "paint", "spell", edges=["ask.output -> paint.text", "ask.output -> spell.text"])


@pytest.fixture
def database_url(both_databases: str) -> str:
    return both_databases


async def listed(person: Any, **query: Any) -> list[dict[str, Any]]:
    response = await person.client.get("/runs/", params=query)
    expect(response, 200)
    return list(response.json()["items"])


async def titles(person: Any, **query: Any) -> list[str]:
    return [run["title"] for run in await listed(person, **query)]


async def test_a_run_is_listed_with_its_prompt_its_files_and_its_first_words(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, PAINTED, name="Kiln posters")
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "A  blue\njug"}))
    (item,) = await listed(person)
    assert (item["id"], item["flow_name"], item["status"]) == (run["id"], "Kiln posters", "finished")
    assert item["title"] == "A blue jug"
    assert item["excerpt"] == " ".join(run["results"][1]["value"].split())
    assert item["asset_count"] == 1
    assert [asset["id"] for asset in item["assets"]] == [run["results"][0]["value"]["asset_id"]]
    assert item["assets"][0]["thumbnail_url"]


async def test_filters_and_search(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    kiln = await make_flow(person, chain("shout"), name="Kiln")
    broken = await make_flow(person, chain("stumble"), name="Wheel")
    await finished(person, await run_flow(person, kiln["id"], inputs={"ask": "Tiles for Porto 100%"}))
    await finished(person, await run_flow(person, broken["id"], inputs={"ask": "Bowls"}))
    other = await new_person("ines")
    hers = await make_flow(other, chain("shout"), name="Kiln")
    await finished(other, await run_flow(other, hers["id"], inputs={"ask": "Hers"}))
    assert await titles(person) == ["Bowls", "Tiles for Porto 100%"]
    assert await titles(person, status="failed") == ["Bowls"]
    assert await titles(person, flow_id=kiln["id"]) == ["Tiles for Porto 100%"]
    assert await titles(person, q="PORTO tiles") == ["Tiles for Porto 100%"]
    assert await titles(person, q="wheel") == ["Bowls"]
    assert await titles(person, q="10_%") == ["Tiles for Porto 100%"]
    assert await titles(person, q="%_") == []
    assert await titles(person, q="hers") == []
    assert await titles(person, brand_id="unknown") == []
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    assert await titles(person, since=soon) == []
    assert len(await titles(person, until=soon)) == 2
    assert await titles(person, until="2020-01-01T00:00:00Z") == []
    assert len(await titles(person, since="2020-01-01T00:00:00Z")) == 2


async def test_a_run_is_found_by_the_text_that_it_made(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "quiet words"}))
    assert await titles(person, q="words!") == ["quiet words"]
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "x" * 2000}))
    assert len(await titles(person, q="x" * 200)) == 1


async def test_the_brand_of_a_run_is_shown_and_filtered(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    async with app_state.database.writing() as session:
        row = await session.get(RunListingRow, run["id"])
        row.brand_id, row.brand_name = "b1", "Fjell"
    (item,) = await listed(person, brand_id="b1")
    assert item["brand"] == {"brand_id": "b1", "name": "Fjell"}
    assert await listed(person, brand_id="b2") == []


async def test_runs_from_before_there_were_listings_are_listed_and_backfilled(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "_PAGE", 1)
    made = await make_flow(person, PAINTED)
    for words in ("A blue jug", "A red jug"):
        await finished(person, await run_flow(person, made["id"], inputs={"ask": words}))
    before = await listed(person)
    async with app_state.database.writing() as session:
        await session.execute(delete(RunListingRow))
    for unfilled, filled in zip(await listed(person), before, strict=True):
        assert {**unfilled, "assets": []} == {**filled, "assets": [], "excerpt": "", "brand": None}
        assert [asset["id"] for asset in unfilled["assets"]] == [filled["cover_asset_id"]]
    assert await titles(person, q="jug") == []
    await backfill_listings(app_state)
    await backfill_library(app_state)
    after = await listed(person, q="jug")
    assert [{**item, "assets": []} for item in after] == [{**item, "assets": []} for item in before]


async def test_a_deleted_run_is_gone_its_assets_and_its_cost_stay(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, PAINTED)
    body = {"inputs": {"ask": "hello"}, "version": "draft", "targets": ["paint", "spell"]}
    path = f"/flows/{made['id']}/runs"
    launched = await person.client.post(path, json=body, headers={"Idempotency-Key": "one"})
    run = await finished(person, expect(launched, 202).json())
    async with app_state.database.writing() as session:
        row = await session.get(RunRow, run["id"])
        row.comparison, row.cancelled_steps, row.error = {"steps": []}, ["paint"], {"code": "x"}
        row.subflows, row.brands = {"f1": {}}, []
    before = (await person.client.get("/runs/totals")).json()
    assert before == {"since": before["since"], "runs": 1, "cost_usd": "0.0125"}
    since = datetime.fromisoformat(before["since"])
    assert since == datetime(since.year, since.month, 1, tzinfo=UTC)
    other = await new_person("ines")
    expect(await other.client.delete(f"/runs/{run['id']}"), 404)
    expect(await person.client.delete(f"/runs/{run['id']}"), 204)
    for method, path in [("GET", ""), ("GET", "/events"), ("POST", "/resume"), ("DELETE", "")]:
        expect(await person.client.request(method, f"/runs/{run['id']}{path}"), 404)
    assert await listed(person) == []
    (asset,) = (await person.client.get("/assets/library", params={"kind": "image"})).json()["items"]
    assert asset["run_id"] is None
    assert (await person.client.get("/runs/totals")).json() == before
    async with app_state.database.reading() as session:
        row = await repository.find(session, run["id"])
        assert row is not None
        kept = ("id", "owner_id", "flow_id", "number", "flow_name", "status", "cost_usd", "created_at")
        assert [getattr(row, name) is not None for name in kept] == [True] * len(kept)
        assert (row.document, row.subflows, row.inputs) == ({}, {}, {})
        assert (row.planned_results, row.planned_steps) == ([], [])
        erased = ("brands", "targets", "error", "cover_asset_id", "launch_key", "launch_digest", "comparison",
                  "cancelled_steps")  # fmt: skip
        assert {name: getattr(row, name) for name in erased} == dict.fromkeys(erased)
        assert row.deleted_at is not None
        assert await repository.listings_of(session, [run["id"]]) == {}
        assert (await session.scalars(select(RecordRow))).all() == []
    second = await run_flow(person, made["id"])
    assert second["number"] == 2


async def test_a_live_run_is_not_deleted(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person, chain("wait"))
    gate("gate")
    run = await run_flow(person, made["id"])
    await arrived("gate")
    expect(await person.client.delete(f"/runs/{run['id']}"), 409, code="run_live")
    GATES["gate"].set()
    await finished(person, run)
    assert len(await listed(person)) == 1


async def test_an_invalid_filter_is_reported(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [{"status": "x"}, {"limit": 101}, {"since": "x"}, {"q": "x" * 201},
                                   {"brand_id": "x" * 37}, {"status": ["failed"] * 6}]  # fmt: skip
    assert await listed(person, brand_id="x" * 36, status=["failed"] * 5, q="x" * 200) == []
    for query in cases:
        with subtests.test(query=query):
            response = await person.client.get("/runs/", params=query)
            expect(response, 422)
            assert response.json()["errors"][0]["path"].split(".")[0] == next(iter(query))


async def test_pages_are_contiguous(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person)
    for each in range(5):
        await finished(person, await run_flow(person, made["id"], inputs={"ask": f"Jug {each}"}))
    seen, cursor = [], None
    while True:
        query = {"limit": 2, "q": "jug", **({"cursor": cursor} if cursor else {})}
        page = (await person.client.get("/runs/", params=query)).json()
        seen += [item["title"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [f"Jug {each}" for each in reversed(range(5))]


async def test_a_page_is_read_from_an_index(app_state: Any, subtests: pytest.Subtests) -> None:
    """Sorted or scanned, a page of 10,000 runs reads every document."""
    if app_state.database.engine.dialect.name != "sqlite":
        return
    cases: list[dict[str, Any]] = [{}, {"status": ["failed"]}, {"flow_id": "x"}, {"brand_id": "x"}]
    for wanted in cases:
        with subtests.test(wanted=wanted):
            query = repository.runs_query("user-1", repository.ListFilter(**wanted))
            plan = await plan_of(app_state.database, query.order_by(RunRow.id.desc()).limit(51))
            assert "ix_runs_listed" in plan
            assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    ("node", "title"),
    [
        ({"settings": {"text": "Sell {{what}} {{who}}"}}, "Sell jugs {{who}}"),
        ({"settings": {"text": "Own"}, "variables": {"text": "what"}}, "jugs"),
        ({"settings": {"text": "Own"}, "variables": {"text": "missing"}}, "Own"),
    ],
)
def test_title_of_a_run_has_the_values_of_variables(node: dict[str, Any], title: str) -> None:
    document = {
        "nodes": [{"id": "ask", "type": "user_prompt", **node}],
        "variables": [{"name": "what", "type": "Text", "value": "jugs"}],
    }
    assert listings.title_of({}, document) == title
    assert listings.title_of({"ask": "{{what}}"}, document) == "{{what}}"
