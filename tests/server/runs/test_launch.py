"""Launches: their validation, and the runs they return."""

import asyncio
from typing import Any

import pytest
from tests.server import sample_nodes
from tests.server.query_plans import plan_of
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow, gate, png

from impasto import Configuration
from impasto_server.runs import repository
from impasto_server.runs.backends import fair_queue

pytestmark = pytest.mark.anyio


async def test_launched_run_finishes(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    accepted = await run_flow(person, made["id"])
    assert accepted["number"] == 1
    assert accepted["version"] == "draft"
    assert accepted["can_resume"] is False
    assert [item["value"] for item in accepted["results"]] == [None]
    run = await finished(person, accepted)
    assert run["status"] == "finished"
    assert [(step["id"], step["status"]) for step in run["steps"]] == [
        ("ask", "finished"),
        ("shout", "finished"),
        ("paint", "finished"),
    ]
    assert run["steps"][1]["outputs"] == {"output": "HELLO!"}
    assert run["results"][0]["value"]["$type"] == "Image"
    assert run["cover_asset_id"] == run["results"][0]["value"]["asset_id"]
    assert run["cost_usd"] == "0.0125"
    assert run["steps"][2]["cost_usd"] == "0.0125"
    assert run["flow"] == made["flow"]
    assert run["can_cancel"] is False
    assert run["seconds"] >= 0
    assert run["last_seq"] > 6


async def test_launched_run_is_claimed_without_a_look_whether_any_waits(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def has_waiting(database: Any) -> bool:
        return False

    monkeypatch.setattr(fair_queue, "has_waiting", has_waiting)
    made = await make_flow(person)
    assert (await finished(person, await run_flow(person, made["id"])))["status"] == "finished"


async def test_runs_of_agent_are_numbered_per_user(
    person: Any, new_person: Any, publish: Any, run_flow: Any
) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    numbers = [(await run_flow(who, made["id"], version=None))["number"] for who in (person, person, other)]
    assert numbers == [1, 2, 1]


async def test_the_next_number_is_read_from_an_index(app_state: Any) -> None:
    """Otherwise each launch of an agent looks at all of its earlier runs."""
    database = app_state.database
    if database.engine.dialect.name != "sqlite":
        return
    plan = await plan_of(database, repository.LAST_NUMBER.params(user_id="user", flow_id="flow"))
    assert "COVERING INDEX ix_runs_numbered (owner_id=? AND flow_id=?)" in plan


async def test_other_users_run_published_version(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, visibility="public")
    headers = {"If-Match": "*"}
    await person.client.put(f"/flows/{made['id']}/draft", json=chain("spell"), headers=headers)
    other = await new_person("ines")
    run = await finished(other, await run_flow(other, made["id"], version=None))
    assert (run["version"], run["results"][0]["value"]) == (1, "HELLO!")
    refused = await run_flow(other, made["id"], version="draft", status=403)
    assert refused["code"] == "not_owner"
    await run_flow(other, made["id"], version=2, status=404)
    await run_flow(other, made["id"], version=10**20, status=404)


async def test_unpublished_agent_runs_as_draft_only(person: Any, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person)
    assert (await run_flow(person, made["id"], version=None, status=409))["code"] == "not_published"


async def test_deprecated_agent_runs_for_owner_only(
    person: Any, new_person: Any, publish: Any, run_flow: Any
) -> None:
    made = await publish(person, visibility="public")
    await person.client.post(f"/flows/{made['id']}/deprecate")
    await run_flow(person, made["id"], version=None)
    await run_flow(await new_person("ines"), made["id"], version=None, status=404)


async def test_invalid_flow_is_not_launched(person: Any, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    refused = await run_flow(person, made["id"], status=422)
    assert refused["code"] == "flow_invalid"
    assert refused["problems"][0]["code"] == "required_input"


async def test_inputs_are_validated_against_form(
    person: Any, make_flow: Any, run_flow: Any, subtests: pytest.Subtests
) -> None:
    made = await make_flow(person)
    cases: list[tuple[Any, str]] = [
        ({}, "inputs.ask"),
        ({"ask": 5}, "inputs.ask"),
        ({"ask": "x" * 2001}, "inputs.ask"),
        ({"ask": "x", "stranger": 1}, "inputs.stranger"),
        ({"ask": {"$type": "Image", "asset_id": "unknown"}}, "inputs.ask"),
    ]
    for inputs, path in cases:
        with subtests.test(path=path):
            refused = await run_flow(person, made["id"], inputs=inputs, status=422)
            assert refused["code"] == "inputs_invalid"
            assert refused["errors"][0]["path"] == path
            assert refused["errors"][0]["message"]


async def test_invalid_body_is_rejected(person: Any, make_flow: Any, subtests: pytest.Subtests) -> None:
    made = await make_flow(person)
    cases: list[Any] = [
        {"inputs": []},
        {"version": "newest"},
        {"version": 0},
        {"version": True},
        {"reuse": "all"},
        {"budget_usd": "-1"},
        {"budget_usd": "NaN"},
        {"budget_usd": 1.5},
        {"targets": "shout"},
        {"stranger": 1},
    ]
    for body in cases:
        with subtests.test(body=body):
            response = await person.client.post(
                f"/flows/{made['id']}/runs", json={"inputs": {"ask": "x"}, **body}
            )
            expect(response, 422)
            assert response.json()["errors"]


async def test_unknown_fresh_node_is_reported(person: Any, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person)
    refused = await run_flow(person, made["id"], fresh=["nowhere"], status=422)
    assert (refused["code"], refused["errors"][0]["path"]) == ("inputs_invalid", "fresh")


async def test_asset_reference_in_inputs_is_completed(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, flow("show"))
    files = {"file": ("cup.png", png(9), "image/png")}
    asset = (await person.client.post("/assets/", files=files)).json()
    inputs = {"show": {"$type": "Image", "asset_id": asset["id"]}}
    run = await finished(person, await run_flow(person, made["id"], inputs=inputs))
    assert run["results"][0]["value"] == f"8x6 {asset['id']}"
    assert run["inputs"]["show"]["sha256"] == asset["sha256"]
    other = await new_person("ines")
    mine = await make_flow(other, flow("show"))
    refused = await run_flow(other, mine["id"], inputs=inputs, status=422)
    assert refused["errors"][0]["code"] == "unknown_asset"


async def test_targets_limit_executed_steps(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    document = flow("ask", "shout", "paint", edges=["ask.output -> shout.text", "ask.output -> paint.text"])
    made = await make_flow(person, document)
    run = await finished(person, await run_flow(person, made["id"], targets=["shout"]))
    assert {step["id"] for step in run["steps"]} == {"ask", "shout"}
    assert sample_nodes.CALLS["paint"] == 0


async def test_unchanged_steps_are_reused(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    await finished(person, await run_flow(person, made["id"], reuse="changed"))
    again = await finished(person, await run_flow(person, made["id"], reuse="changed"))
    assert [step["cached"] for step in again["steps"]][1:] == [True, True]
    assert again["cost_usd"] == "0"
    assert (sample_nodes.CALLS["shout"], sample_nodes.CALLS["paint"]) == (1, 1)
    await finished(person, await run_flow(person, made["id"], reuse="pure"))
    assert (sample_nodes.CALLS["shout"], sample_nodes.CALLS["paint"]) == (1, 2)
    await finished(person, await run_flow(person, made["id"], reuse="changed", fresh=["shout"]))
    assert sample_nodes.CALLS["shout"] == 2


async def test_single_list_item_is_executed_again(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, flow("lines", "paint", edges=["lines.output -> paint.text"]))
    about = {"inputs": {"lines": ["sun", "summer", "sea"]}, "reuse": "changed"}
    first = await finished(person, await run_flow(person, made["id"], **about))
    again = await finished(person, await run_flow(person, made["id"], fresh=["paint#1"], **about))
    assert sample_nodes.CALLS["paint"] == 4
    before, after = (run["steps"][1]["outputs"]["output"] for run in (first, again))
    assert (after[0], after[2]) == (before[0], before[2])
    refused = await run_flow(person, made["id"], fresh=["paint#"], status=422, **about)
    assert refused["errors"][0]["path"] == "fresh"


async def test_results_of_other_users_are_not_reused(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    await finished(person, await run_flow(person, made["id"], version=1, reuse="changed"))
    await finished(other, await run_flow(other, made["id"], version=1, reuse="changed"))
    assert sample_nodes.CALLS["shout"] == 2


async def test_deleted_results_are_not_reused(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    first = await finished(person, await run_flow(person, made["id"], reuse="changed"))
    asset_id = first["results"][0]["value"]["asset_id"]
    expect(await person.client.delete(f"/assets/{asset_id}"), 204)
    second = await finished(person, await run_flow(person, made["id"], reuse="changed"))
    assert second["status"] == "finished"
    assert second["results"][0]["value"]["asset_id"] != asset_id
    assert sample_nodes.CALLS["paint"] == 2


async def test_budget_prevents_steps_that_would_exceed_it(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    run = await finished(person, await run_flow(person, made["id"], budget_usd="0.001"))
    assert (run["status"], run["error"]["code"]) == ("failed", "budget_exceeded")
    assert sample_nodes.CALLS["paint"] == 0


async def test_concurrent_launches_with_one_key_make_one_run(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    responses = await asyncio.gather(
        *(
            person.client.post(f"/flows/{made['id']}/runs", json=body, headers={"Idempotency-Key": "once"})
            for _ in range(5)
        )
    )
    accepted = {response.json()["id"] for response in responses if response.status_code == 202}
    assert len(accepted) == 1
    assert {response.status_code for response in responses} <= {202, 409}, [
        response.text for response in responses
    ]
    assert len((await person.client.get("/runs/")).json()["items"]) == 1
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


async def test_private_beta_node_requires_access(
    person: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("secret"))
    refused = await run_flow(person, made["id"], status=403)
    assert refused["code"] == "private_beta"
    assert refused["book_a_call_url"] == "https://calls.example/book"
    await _grant_beta(app_state, person, "secret")
    await run_flow(person, made["id"])


async def test_private_beta_agent_requires_access(
    person: Any, new_person: Any, publish: Any, run_flow: Any, app_state: Any
) -> None:
    from impasto_server.flows import service

    made = await publish(person, visibility="public")
    async with app_state.database.writing() as session:
        await service.set_beta(session, made["id"], beta=True)
    other = await new_person("ines")
    assert (await other.client.get(f"/flows/{made['id']}")).json()["beta"] is True
    assert (await run_flow(other, made["id"], version=1, status=403))["code"] == "private_beta"
    assert (await other.client.get("/users/me")).json()["quota"]["used"] == 0
    await _grant_beta(app_state, other, made["id"])
    await run_flow(other, made["id"], version=1)
    await run_flow(person, made["id"], version=1)


async def test_a_step_gets_the_servers_configuration(
    person: Any, settings: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    settings._configuration = Configuration({}, {"PAINT_API_KEY": "a line of .env"})
    made = await make_flow(person, chain("operators_variable"))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["results"][0]["value"] == "a line of .env"


async def test_provider_key_reaches_steps_and_no_response(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    await person.client.put("/credentials/openai", json={"key": "sk-user-1234"})
    made = await make_flow(person, chain("keyed"))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["results"][0]["value"] == "hello sk-user-1234"  # the node returned it
    listed = (await person.client.get("/credentials/")).text
    assert "sk-user" not in listed


async def test_runs_are_listed_newest_first_and_filtered(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person)
    stuck = await make_flow(person, chain("wait"))
    for _ in range(3):
        await finished(person, await run_flow(person, made["id"]))
    waiting = await run_flow(person, stuck["id"])
    page = (await person.client.get("/runs/?limit=3")).json()
    assert [item["number"] for item in page["items"]] == [1, 3, 2]
    rest = (await person.client.get("/runs/", params={"cursor": page["next_cursor"]})).json()
    assert ([item["number"] for item in rest["items"]], rest["next_cursor"]) == ([1], None)
    of_one = (await person.client.get("/runs/", params={"flow_id": made["id"]})).json()
    assert len(of_one["items"]) == 3
    live = (await person.client.get("/runs/?status=running&status=queued")).json()
    assert [item["id"] for item in live["items"]] == [waiting["id"]]
    other = await new_person("ines")
    assert (await other.client.get("/runs/")).json()["items"] == []
    gate("gate").set()
    await finished(person, waiting)


async def test_run_of_other_user_is_not_found(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, subtests: pytest.Subtests
) -> None:
    made = await make_flow(person)
    run = await run_flow(person, made["id"])
    other = await new_person("ines")
    cases = [("GET", ""), ("GET", "/events"), ("POST", "/cancel"), ("POST", "/resume")]
    for method, path in cases:
        with subtests.test(method=method, path=path):
            response = await other.client.request(method, f"/runs/{run['id']}{path}")
            expect(response, 404, code="not_found")


async def _grant_beta(app_state: Any, person: Any, name: str) -> None:
    from impasto_server.users.models import User

    async with app_state.database.writing() as session:
        user = await session.get(User, await person.id())
        user.betas = [*user.betas, name]


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"book_a_call_url": "https://calls.example/book"}
