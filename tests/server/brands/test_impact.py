"""The assets that a change of a brand affects, the cost of regenerating them, and their versions."""

import asyncio
import time
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlalchemy.orm import undefer
from tests.server.brands.asset_copies import store_copies
from tests.server.brands.test_brands import make, publish, save
from tests.server.brands.test_use import saved
from tests.server.responses import expect
from tests.server.sample_nodes import png, sample_catalog

from impasto import Brand, Catalog, Context, Image, Text, node
from impasto_nodes.inputs import brand_system
from impasto_server.admin import people
from impasto_server.impact import service
from impasto_server.impact.models import BrandReadRow, RegenerationRow
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.runs import cancel_requests, repository
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio
CALLS: list[str] = []


@node(id="slogan", generative=True)
async def slogan(brand: Brand, *, context: Context) -> Text:
    """Write in the brand's tone."""
    CALLS.append("slogan")
    context.charge(0.01)
    return f"{brand.tone}!"


@node(id="poster", generative=True)
async def poster(brand: Brand, *, context: Context) -> Image:
    """Paint in the brand's main colour."""
    CALLS.append("poster")
    context.charge(0.04)
    made: Image = await context.store(png(int(brand.main_color[1:3] or "0", 16)), "image/png")
    return made


@node(id="card", generative=True)
async def card(text: Text, *, context: Context) -> Image:
    """Paint a text."""
    CALLS.append("card")
    context.charge(0.02)
    made: Image = await context.store(png(sum(text.encode()) % 256), "image/png")
    return made


@pytest.fixture
def catalog() -> Catalog:
    CALLS.clear()
    return Catalog([*(found.function for found in sample_catalog()), brand_system, slogan, poster, card])


def agent(brand: dict[str, Any]) -> dict[str, Any]:
    """Return an agent with a poster that reads the colours, and a card that is written in the tone."""
    return {
        "format": 1,
        "name": "Branded",
        "nodes": [
            {"id": "brand", "type": "brand_system", "settings": {"brand": saved(brand)}},
            {"id": "poster", "type": "poster"},
            {"id": "slogan", "type": "slogan"},
            {"id": "card", "type": "card"},
        ],
        "edges": [
            {"from": "brand.output", "to": "poster.brand"},
            {"from": "brand.output", "to": "slogan.brand"},
            {"from": "slogan.output", "to": "card.text"},
        ],
    }


@pytest.fixture
def launched(make_flow: Any, run_flow: Any, finished: Any) -> Any:
    """Publish a brand, run an agent with it, and return the brand and the assets of its steps by step."""

    async def launch(person: Any) -> tuple[dict[str, Any], dict[str, str]]:
        brand = await make(person)
        await publish(person, brand)
        made = await make_flow(person, agent(brand))
        run = await finished(person, await run_flow(person, made["id"], inputs={}))
        assert run["status"] == "finished", run
        CALLS.clear()
        outputs = {step["id"]: step["outputs"].get("output") for step in run["steps"]}
        return brand, {step: outputs[step]["asset_id"] for step in ("poster", "card")}

    return launch


async def impact_of(
    person: Any, brand: dict[str, Any], version: Any = None
) -> tuple[dict[str, Any], set[str]]:
    params = {"version": version} if version is not None else {}
    path = f"/brands/{brand['id']}/impact"
    summary = (await person.client.get(path, params=params)).json()
    page = (await person.client.get(f"{path}/assets", params=params)).json()
    return summary, {item["asset"]["id"] for item in page["items"]}


COLORS = [{"hex": "#e9e4d8", "role": "primary"}]


async def test_draft_affects_the_assets_that_read_what_it_changes(person: Any, launched: Any) -> None:
    brand, made = await launched(person)
    summary, affected = await impact_of(person, brand)
    assert (summary["version"], summary["assets"], affected) == (1, 0, set())
    expect(await save(person, brand, colors=COLORS), 200)
    summary, affected = await impact_of(person, brand)
    agent_id = (await person.client.get(f"/assets/{made['poster']}")).json()["flow_id"]
    fields = [change["field"] for change in summary.pop("changes")]
    assert (affected, fields) == ({made["poster"]}, ["colors.primary", "colors.background"])
    assert summary == {
        "version": "draft", "assets": 1, "usd": "0.04", "unknown": 0, "undecided": 0,
        "groups": [{"flow_id": agent_id, "flow_name": "Sample", "assets": 1, "usd": "0.04"}],
    }  # fmt: skip
    expect(await person.client.delete(f"/flows/{agent_id}"), 204)
    [group] = (await impact_of(person, brand))[0]["groups"]
    assert (group["flow_id"], group["assets"]) == (None, 1)
    page = (await person.client.get(f"/brands/{brand['id']}/impact/assets", params={"flow_id": ""})).json()
    assert [item["asset"]["id"] for item in page["items"]] == [made["poster"]]

    current = (await person.client.get(f"/brands/{brand['id']}")).json()
    expect(await save(person, current, colors=brand["content"]["colors"], voice={"tone": ["Loud"]}), 200)
    assert (await impact_of(person, brand))[1] == {made["card"]}, "the card was written in the tone"
    current = (await person.client.get(f"/brands/{brand['id']}")).json()
    expect(await save(person, current, voice=brand["content"]["voice"], legal_line="Nothing reads this"), 200)
    assert (await impact_of(person, brand))[1] == set()


async def regenerated(person: Any, brand: dict[str, Any], finished: Any, *asset_ids: str) -> dict[str, Any]:
    """Make assets again with version 2 and return the first regeneration once its run has ended."""
    body = {"version": 2, "asset_ids": list(asset_ids)}
    response = await person.client.post(f"/brands/{brand['id']}/regenerations", json=body)
    expect(response, 202)
    run = await finished(person, {"id": response.json()["regenerations"][0]["run_id"]})
    assert run["status"] == "finished", run
    return dict((await person.client.get(f"/brands/{brand['id']}/regenerations")).json()["items"][0])


async def test_regenerating_runs_only_the_steps_that_read_the_change(
    person: Any, launched: Any, finished: Any, app_state: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    body = {"version": 2, "asset_ids": list(made.values())}
    quote = (await person.client.post(f"/brands/{brand['id']}/impact/quote", json=body)).json()
    assert quote == {"assets": 1, "steps": 1, "usd": "0.04", "limit_usd": "0.044"}
    first, of_first = await impact_of(person, brand, 1)
    assert (first["version"], first["changes"], first["groups"], of_first) == (1, [], [], set())
    agent_id = (await impact_of(person, brand))[0]["groups"][0]["flow_id"]
    of_agent = {"version": 2, "flow_ids": [agent_id]}
    for flow_id, affected in ((agent_id, [made["poster"]]), ("another", []), ("", [])):
        path = f"/brands/{brand['id']}/impact/assets"
        page = (await person.client.get(path, params={"version": 2, "flow_id": flow_id})).json()
        assert [(item["asset"]["id"], item["usd"]) for item in page["items"]] == [
            (asset_id, "0.04") for asset_id in affected
        ]
    assert (await person.client.post(f"/brands/{brand['id']}/impact/quote", json=of_agent)).json() == quote
    again = await regenerated(person, brand, finished, *made.values())
    assert CALLS == ["poster"]
    assert (again["before"]["id"], again["before"]["run_id"] != again["run_id"]) == (made["poster"], True)
    assert again["after"]["run_id"] == again["run_id"]
    assert {name: again[name] for name in ("version", "state")} == {"version": 2, "state": "ready"}
    assert datetime.fromisoformat(again["created_at"]) <= app_state.clock()
    run = (await person.client.get(f"/runs/{again['run_id']}")).json()
    assert (float(run["cost_usd"]), run["brands"][0]["version"]) == (0.04, 2)
    async with app_state.database.reading() as session:
        row = await repository.find(session, again["run_id"])
    assert (row.budget_usd, row.reserved_usd, row.reuse) == (Decimal("0.044"), 0, "changed")
    assert (row.targets, row.fresh, row.again_of, row.version) == (["poster"], [], None, None)


@pytest.mark.usefixtures("at_noon")
async def test_regeneration_stops_at_the_daily_quota_and_goes_on_later(
    person: Any, launched: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    brand, made = await launched(person)
    flow_id = (await make_flow(person, agent(brand)))["id"]
    second = await finished(person, await run_flow(person, flow_id, inputs={}))
    other = next(step["outputs"]["output"]["asset_id"] for step in second["steps"] if step["id"] == "poster")
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    path = f"/brands/{brand['id']}/regenerations"
    body: dict[str, Any] = {"version": 2, "asset_ids": [made["poster"], other]}
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(runs_per_day=3))
    stopped = expect(await person.client.post(path, json=body), 202).json()
    assert [each["before"]["id"] for each in stopped["regenerations"]] == [other], "the newest run first"
    assert (stopped["left_out"], stopped["next_cursor"]) == (0, second["id"])
    assert stopped["reason"].startswith("You exceeded your daily quota.")
    body["cursor"] = stopped["next_cursor"]
    refused = expect(await person.client.post(path, json=body), 429, code="quota_exceeded").json()
    assert refused["detail"] == stopped["reason"]
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(runs_per_day=4))
    rest = expect(await person.client.post(path, json=body), 202).json()
    assert [each["before"]["id"] for each in rest["regenerations"]] == [made["poster"]]
    assert (rest["left_out"], rest["next_cursor"], rest["reason"]) == (0, None, None)


async def test_quote_counts_the_text_that_is_written_again(person: Any, launched: Any, finished: Any) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, voice={"tone": ["Loud"]}), 200)
    await publish(person, brand)
    body = {"version": 2, "asset_ids": [made["card"]]}
    quote = (await person.client.post(f"/brands/{brand['id']}/impact/quote", json=body)).json()
    assert (quote["assets"], quote["steps"], quote["usd"]) == (1, 2, "0.03")
    await regenerated(person, brand, finished, made["card"])
    assert CALLS == ["slogan", "card"]


async def test_new_asset_replaces_the_earlier_one_until_that_is_undone(
    person: Any, launched: Any, finished: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    again = await regenerated(person, brand, finished, made["poster"])
    path = f"/brands/{brand['id']}/regenerations/decisions"

    async def decide(state: str) -> tuple[set[str], str | None, str | None]:
        expect(await person.client.post(path, json={"ids": [again["id"]], "state": state}), 200)
        library = (await person.client.get("/assets/library")).json()["items"]
        before, after = [
            (await person.client.get(f"/assets/{again[name]['id']}")).json() for name in ("before", "after")
        ]
        shown = {item["id"] for item in library} & {before["id"], after["id"]}
        return shown, before["replaced_by_id"], after["replaces_id"]

    old, new = made["poster"], again["after"]["id"]
    undecided = []
    for state, expected in (("replaced", ({new}, new, old)), ("ready", ({old, new}, None, None)),
                            ("kept", ({old, new}, None, None))):  # fmt: skip
        assert await decide(state) == expected
        undecided.append((await impact_of(person, brand))[0]["undecided"])
    assert undecided == [0, 1, 0]
    assert (await impact_of(person, brand))[1] == set(), "what was kept is decided"
    assert await decide("replaced") == ({new}, new, old)
    expect(await person.client.delete(f"/assets/{new}"), 204)
    assert (await person.client.get(f"/assets/{old}")).json()["replaced_by_id"] is None


async def test_regeneration_without_a_new_asset_is_not_decided(
    person: Any, launched: Any, finished: Any, app_state: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    again = await regenerated(person, brand, finished, made["poster"])
    async with app_state.database.writing() as session:
        await session.execute(update(RegenerationRow).values(state="failed", new_asset_id=None))
    path = f"/brands/{brand['id']}/regenerations"
    for state in ("replaced", "kept"):
        body = {"ids": [again["id"]], "state": state}
        expect(await person.client.post(f"{path}/decisions", json=body), 409, code="not_finished")
    [row] = (await person.client.get(path)).json()["items"]
    assert (row["state"], row["after"]) == ("failed", None)
    # A run has ended: its step made the same asset again, or fewer assets than before, or it is deleted.
    new_id = again["after"]["id"]
    for values, expected in (({"asset_id": new_id}, "kept"), ({"asset_id": made["poster"]}, "ready"),
                             ({"position": 1}, "failed")):  # fmt: skip
        values = {"state": "running", "new_asset_id": None, "position": 0, **values}
        async with app_state.database.writing() as session:
            await session.execute(update(RegenerationRow).values(**values))
        [row] = (await person.client.get(path)).json()["items"]
        assert (row["state"], row["after"] and row["after"]["id"]) == (
            expected, new_id if expected == "ready" else None,
        )  # fmt: skip
    unknown = {"ids": [again["id"], "nothing"], "state": "kept"}
    expect(await person.client.post(f"{path}/decisions", json=unknown), 409, code="not_finished")


async def test_drafts_other_users_and_unaffected_assets_are_refused(
    person: Any, new_person: Any, launched: Any
) -> None:
    brand, made = await launched(person)
    path = f"/brands/{brand['id']}/regenerations"
    body = {"version": 1, "asset_ids": [made["poster"]]}
    expect(await person.client.post(path, json=body), 409, code="nothing_to_regenerate")
    expect(await person.client.post(path, json={**body, "version": 2}), 404)
    unknown = {"ids": ["nothing"], "state": "kept"}
    expect(await person.client.post(f"{path}/decisions", json=unknown), 404)
    draft = await make(person)
    response = await person.client.post(f"/brands/{draft['id']}/regenerations", json=body)
    expect(response, 409, code="publish_first")
    other = await new_person("ines")
    for response in (
        await other.client.get(f"/brands/{brand['id']}/impact"),
        await other.client.get(f"/brands/{brand['id']}/impact/assets"),
        await other.client.post(f"/brands/{brand['id']}/impact/quote", json=body),
        await other.client.post(path, json=body),
    ):
        expect(response, 404)


async def test_assets_are_regenerated_in_batches_of_whole_runs_with_one_quote(
    person: Any, launched: Any, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    flow_id = (await impact_of(person, brand))[0]["groups"][0]["flow_id"]
    async with app.state.app_state.database.writing() as session:
        await store_copies(session, made["poster"], 1_001)
    body = {"version": 2, "flow_ids": [flow_id]}
    quote = (await person.client.post(f"/brands/{brand['id']}/impact/quote", json=body)).json()
    assert (quote["assets"], quote["steps"], quote["usd"]) == (1_002, 1_002, "40.08")
    monkeypatch.setattr(service, "MAX_BATCH_RUNS", 2)
    path = f"/brands/{brand['id']}/regenerations"
    refused = (await person.client.post(path, json={**body, "asset_ids": [made["poster"]]})).json()
    assert (refused["regenerations"], refused["left_out"]) == ([], 2), "the copies have no outputs"
    cursor = (await person.client.get(f"/assets/{made['poster']}")).json()["run_id"][:-1] + "~"
    last = (await person.client.post(path, json={**body, "cursor": cursor})).json()
    assert [each["before"]["id"] for each in last["regenerations"]] == [made["poster"]]
    assert (last["left_out"], last["next_cursor"]) == (0, None)
    assert refused["next_cursor"] is not None


async def test_regeneration_is_cancelled_and_its_assets_can_be_made_again(
    person: Any, launched: Any, finished: Any, app_state: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    path = f"/brands/{brand['id']}/regenerations"
    response = await person.client.post(path, json={"version": 2, "asset_ids": [made["poster"]]})
    expect(response, 202)
    async with app_state.pubsub.subscribe(cancel_requests.TOPIC) as requests:
        cancelled = await person.client.post(f"{path}/cancel")
        expect(cancelled, 200)
        assert len(requests.take() or ()) == cancelled.json()["runs"]
    run = await finished(person, {"id": response.json()["regenerations"][0]["run_id"]})
    [row] = (await person.client.get(path)).json()["items"]
    if cancelled.json()["runs"]:
        assert (run["status"], row["state"]) == ("cancelled", "failed")
        assert (await impact_of(person, brand))[1] == {made["poster"]}
    else:
        assert (run["status"], row["state"]) == ("finished", "ready"), "it ended before"
    assert (await person.client.post(f"{path}/cancel")).json() == {"runs": 0}


async def test_assets_from_before_reads_were_recorded_are_counted(
    person: Any, launched: Any, app: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    assert (await impact_of(person, brand))[0]["unknown"] == 0
    run_id = (await person.client.get(f"/assets/{made['poster']}")).json()["run_id"]
    async with app.state.app_state.database.writing() as session:
        run = await session.get(RunRow, run_id, options=[undefer(RunRow.brands)])
        run.brands = [
            {name: value for name, value in each.items() if name != "reads_recorded"} for each in run.brands
        ]
        await session.execute(delete(BrandReadRow))
    summary, affected = await impact_of(person, brand)
    assert (summary["unknown"], summary["assets"], affected) == (2, 0, set())


async def test_assets_are_regenerated_once_if_the_request_is_sent_twice_at_once(
    person: Any, launched: Any, finished: Any
) -> None:
    brand, made = await launched(person)
    expect(await save(person, brand, colors=COLORS), 200)
    await publish(person, brand)
    path, body = f"/brands/{brand['id']}/regenerations", {"version": 2, "asset_ids": [made["poster"]]}
    responses = await asyncio.gather(*(person.client.post(path, json=body) for _ in range(4)))
    [started] = [each for each in responses if each.status_code == 202]
    for response in responses:
        if response is not started:
            expect(response, 409, code="nothing_to_regenerate")
    await finished(person, {"id": started.json()["regenerations"][0]["run_id"]})
    assert CALLS == ["poster"]
    expect(await person.client.post(path, json=body), 409, code="nothing_to_regenerate")


@pytest.mark.thorough
async def test_impact_on_10_000_assets_takes_less_than_a_second(person: Any, launched: Any, app: Any) -> None:
    brand, made = await launched(person)
    async with app.state.app_state.database.writing() as session:
        await store_copies(session, made["poster"], 10_000)
    expect(await save(person, brand, colors=COLORS), 200)
    times = []
    for _ in range(3):
        start = time.process_time()
        summary = (await person.client.get(f"/brands/{brand['id']}/impact")).json()
        times.append(time.process_time() - start)
    assert (summary["assets"], summary["usd"]) == (10_001, "400.04")
    assert min(times) < 1
    page = (await person.client.get(f"/brands/{brand['id']}/impact/assets?limit=100")).json()
    assert len(page["items"]) == 100
    assert page["next_cursor"]
