"""Agents that run other agents as nodes."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto_server.flows import repository

pytestmark = pytest.mark.anyio


def around(inner: dict[str, Any]) -> dict[str, Any]:
    """An agent whose one step is another agent."""
    return flow(
        "ask",
        {"id": "inner", "type": "agent", "settings": {"flow": inner["id"]}},
        edges=["ask.output -> inner.ask"],
    )


def shown(run: dict[str, Any]) -> list[Any]:
    return [item["value"] for item in run["results"]]


@pytest.fixture
async def noor(new_person: Any) -> Any:
    return await new_person("noor")


async def test_other_users_run_public_agent_with_private_subflow(
    person: Any, noor: Any, make_flow: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    inner = await make_flow(person, chain("shout"))
    outer = await publish(person, around(inner), visibility="public")
    seen = (await noor.client.get(f"/flows/{outer['id']}")).json()
    assert (seen["problems"], [item["type"] for item in seen["results"]]) == ([], ["Text"])
    path = f"/flows/{outer['id']}/estimate"
    estimated = await noor.client.post(path, json={"inputs": {"ask": "x"}})
    assert estimated.json()["usd"] is not None
    run = await finished(noor, await run_flow(noor, outer["id"], version=None))
    assert (run["status"], shown(run)) == ("finished", ["HELLO!"])
    expect(await noor.client.get(f"/flows/{inner['id']}"), 404, reason="the inner one stays private")


async def test_published_version_pins_its_subflows(
    person: Any, noor: Any, make_flow: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    inner = await publish(person, chain("shout"))
    outer = await publish(person, around(inner), visibility="public")
    changed = chain("shout")
    changed["nodes"][1]["settings"] = {"mark": "?"}  # type: ignore[index]
    path = f"/flows/{inner['id']}"
    await person.client.put(f"{path}/draft", json=changed, headers={"If-Match": '"1"'})
    await person.client.post(f"{path}/publish")
    before = await finished(noor, await run_flow(noor, outer["id"], version=1))
    assert shown(before) == ["HELLO!"]

    await person.client.post(f"/flows/{outer['id']}/publish")
    after = await finished(noor, await run_flow(noor, outer["id"], version=None))
    assert shown(after) == ["HELLO?"]
    await person.client.delete(path)
    for user in (noor, person):
        still = await finished(user, await run_flow(user, outer["id"], version=2))
        assert shown(still) == ["HELLO?"]


async def test_agent_that_runs_itself_is_not_published(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout"))
    circle = around(made)
    await person.client.put(f"/flows/{made['id']}/draft", json=circle, headers={"If-Match": '"1"'})
    response = await person.client.post(f"/flows/{made['id']}/publish")
    expect(response, 422, code="flow_invalid")


async def test_check_finds_an_agent_that_runs_itself_before_it_is_saved(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout"))
    circle = around(made)
    checked = (await person.client.post(f"/flows/check?flow_id={made['id']}", json=circle)).json()
    assert "self_containing" in [item["code"] for item in checked["problems"]]


async def test_private_agent_of_other_user_cannot_be_subflow(person: Any, noor: Any, make_flow: Any) -> None:
    secret = await make_flow(noor, chain("shout"))
    made = await make_flow(person, around(secret))
    response = await person.client.post(f"/flows/{made['id']}/publish")
    expect(response, 422, code="flow_invalid")


async def test_agent_that_runs_too_many_agents_can_still_be_opened(
    person: Any, make_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = await make_flow(person, chain("shout"))
    middle = await make_flow(person, around(inner))
    outer = await make_flow(person, around(middle))

    async def problems() -> list[tuple[str, str]]:
        opened = expect(await person.client.get(f"/flows/{outer['id']}"), 200).json()
        assert opened["flow"]["nodes"]
        return [(problem["code"], problem["message"]) for problem in opened["problems"]]

    # As after a restart with another setting, which the frozen settings do not allow.
    monkeypatch.setitem(app_state.settings.__dict__, "max_flow_agents", 2)
    assert await problems() == []
    monkeypatch.setitem(app_state.settings.__dict__, "max_flow_agents", 1)
    agents = "This flow runs 2 other agents; the limit is 1. Run fewer of them as nodes."
    assert await problems() == [("too_large", agents)]
    for revision, code in (("7", "stale_revision"), ("1", "flow_refused")):
        given = {"json": around(middle), "headers": {"If-Match": f'"{revision}"'}}
        refused = await person.client.put(f"/flows/{outer['id']}/draft", **given)
        assert refused.json()["code"] == code, refused.text
    monkeypatch.setitem(app_state.settings.__dict__, "max_flow_agents", 2)
    async with app_state.database.reading() as session:
        rows = await repository.without_drafts(session, [inner["id"], middle["id"]])
        size = sum([await repository.document_bytes(session, row) or 0 for row in rows])
    monkeypatch.setitem(app_state.settings.__dict__, "max_flow_bytes", size)
    assert await problems() == []
    monkeypatch.setitem(app_state.settings.__dict__, "max_flow_bytes", size - 1)
    ((code, message),) = await problems()
    assert (code, f"have {size:,} bytes or more together; the limit is {size - 1:,}." in message) == (
        "too_large",
        True,
    )


async def test_agent_that_is_deleted_while_it_is_loaded_is_missing(
    person: Any, make_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = await make_flow(person, chain("shout"))
    outer = await make_flow(person, around(inner))

    async def problems() -> list[str]:
        opened = expect(await person.client.get(f"/flows/{outer['id']}"), 200).json()
        return [problem["message"] for problem in opened["problems"]]

    async def none(*_: Any) -> None:
        """As if the agent had been deleted after it was found."""

    with monkeypatch.context() as patch:
        patch.setattr(repository, "document_bytes", none)
        found = await problems()
    expect(await person.client.delete(f"/flows/{inner['id']}"), 204)
    assert found == await problems() != []


async def test_agent_with_too_many_nodes_can_still_be_opened(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, made["id"])
        row.draft = flow(*({"id": f"n{number}", "type": "ask"} for number in range(5001)))
    opened = expect(await person.client.get(f"/flows/{made['id']}"), 200).json()
    assert [problem["code"] for problem in opened["problems"]] == ["too_large"]
    assert "5,000" in opened["problems"][0]["message"]
    assert len(opened["flow"]["nodes"]) == 5001
