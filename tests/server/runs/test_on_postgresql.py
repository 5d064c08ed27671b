"""Runs on PostgreSQL: concurrency and values that depend on the database."""

import asyncio
from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, chain

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(migrated_postgresql: str) -> str:
    return migrated_postgresql


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"daily_quota": 6, "database_pool": 5}


async def test_runs_assets_and_drafts_work_on_postgresql(
    person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, chain("spell", "paint"), visibility="public", name="Nul \0 here")
    assert made["name"] == "Nul  here"
    for path in ("/flows/a%00b", "/assets/library?q=%00", "/runs/?flow_id=%00"):
        expect(await person.client.get(path), 404)
    words = "nul \x00 and ☕"
    body = {"version": 1, "inputs": {"ask": words}, "reuse": "changed"}
    run = await finished(person, await run_flow(person, made["id"], **body))
    assert run["status"] == "finished", run["error"]
    assert run["inputs"]["ask"] == words
    again = await finished(person, await run_flow(person, made["id"], **body))
    assert again["results"][0]["value"]["asset_id"] == run["results"][0]["value"]["asset_id"]
    assert CALLS["paint"] == 1
    asset = (await person.client.get(f"/assets/{run['cover_asset_id']}")).json()
    assert (asset["cost_usd"], asset["version"]) == ("0.0125", 1)
    assert (await person.client.get("/assets/library?q=☕")).json()["items"][0]["id"] == asset["id"]
    assert (await person.client.get("/runs/")).json()["items"][0]["number"] == 2
    saved = await person.client.put(
        f"/flows/{made['id']}/draft", json=chain("shout"), headers={"If-Match": '"1"'}
    )
    expect(saved, 200)
    assert len((await person.client.get(f"/flows/{made['id']}/versions")).json()["items"]) == 2
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    assert (await person.client.get(f"/runs/{run['id']}")).json()["flow_id"] is None


async def test_concurrent_launches_never_exceed_quota(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    responses = await asyncio.gather(
        *(person.client.post(f"/flows/{made['id']}/runs", json=body) for _ in range(12))
    )
    assert sorted(response.status_code for response in responses) == [202] * 6 + [429] * 6, [
        response.text for response in responses
    ]
    numbers = sorted(item["number"] for item in (await person.client.get("/runs/")).json()["items"])
    assert numbers == [1, 2, 3, 4, 5, 6]


async def test_concurrent_launches_with_one_key_make_one_run(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    headers = {"Idempotency-Key": "once"}
    responses = await asyncio.gather(
        *(person.client.post(f"/flows/{made['id']}/runs", json=body, headers=headers) for _ in range(4))
    )
    assert {response.status_code for response in responses} <= {202, 409}, [
        response.text for response in responses
    ]
    assert len((await person.client.get("/runs/")).json()["items"]) == 1
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1
