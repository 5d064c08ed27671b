"""Agents that run other agents at one version."""

from typing import Any

import pytest
from sqlalchemy import select
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto_server.versions.models import VersionRow

pytestmark = pytest.mark.anyio


def around(inner: dict[str, Any], version: int | None = 1, name: str = "inner") -> dict[str, Any]:
    """An agent whose one step is another agent at a version."""
    settings: dict[str, Any] = {"flow": inner["id"]}
    if version is not None:
        settings["version"] = version
    edges = ["ask.output -> inner.ask"] if name == "inner" else []
    return flow("ask", {"id": name, "type": "agent", "settings": settings}, edges=edges)


def marked(mark: str) -> dict[str, Any]:
    document = chain("shout")
    document["nodes"][1]["settings"] = {"mark": mark}  # type: ignore[index]
    return document


async def publish_again(person: Any, agent: dict[str, Any], document: dict[str, Any]) -> None:
    path = f"/flows/{agent['id']}"
    revision = (await person.client.get(path)).json()["revision"]
    await person.client.put(f"{path}/draft", json=document, headers={"If-Match": f'"{revision}"'})
    expect(await person.client.post(f"{path}/publish"), 200)


def shown(run: dict[str, Any]) -> list[Any]:
    return [item["value"] for item in run["results"]]


async def problems(person: Any, agent: dict[str, Any]) -> list[str]:
    return [one["message"] for one in (await person.client.get(f"/flows/{agent['id']}")).json()["problems"]]


@pytest.fixture
async def noor(new_person: Any) -> Any:
    return await new_person("noor")


async def test_a_draft_runs_the_version_that_its_node_holds(
    person: Any, make_flow: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    inner = await publish(person, marked("!"))
    held = await make_flow(person, around(inner, 1))
    follows = await make_flow(person, around(inner, None))
    await publish_again(person, inner, marked("?"))
    runs = []
    for one in (held, follows):
        runs += [await finished(person, await run_flow(person, one["id"], version="draft"))]
    assert [shown(run) for run in runs] == [["HELLO!"], ["HELLO?"]]


async def test_a_held_version_runs_the_agents_that_it_was_published_with(
    person: Any, noor: Any, make_flow: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    innermost = await make_flow(person, marked("!"))
    inner = await publish(person, around(innermost, None), visibility="public")
    path = f"/flows/{innermost['id']}/draft"
    await person.client.put(path, json=marked("?"), headers={"If-Match": '"1"'})
    document = around(inner, 1)
    document["edges"] = [{"from": "ask.output", "to": "inner.ask"}]
    outer = await publish(noor, document, visibility="public")
    assert await problems(noor, outer) == []
    for user, version in ((noor, None), (noor, 1), (person, 1)):
        run = await finished(user, await run_flow(user, outer["id"], version=version))
        assert shown(run) == ["HELLO!"]


async def test_a_document_cannot_name_what_was_published_inside_another_agent(
    person: Any, noor: Any, make_flow: Any, publish: Any
) -> None:
    innermost = await make_flow(person, marked("!"))
    inner = await publish(person, around(innermost, None), visibility="public")
    stolen = {"id": f"{inner['id']}@1/{innermost['id']}"}
    document = around(stolen, None)
    document["nodes"].append(  # type: ignore[attr-defined]
        {"id": "legitimate", "type": "agent", "settings": {"flow": inner["id"], "version": 1}}
    )
    outer = await make_flow(noor, document)
    assert any("There is no flow" in message for message in await problems(noor, outer))


async def test_a_version_that_is_gone_is_a_problem_that_says_so(
    person: Any, noor: Any, make_flow: Any, publish: Any
) -> None:
    inner = await publish(person, marked("!"), visibility="public")
    await publish_again(person, inner, marked("?"))
    outer = await make_flow(noor, around(inner, 1))
    assert await problems(noor, outer) == []
    expect(await person.client.post(f"/flows/{inner['id']}/versions/1/withdraw"), 200)
    assert "Version 1" in (await problems(noor, outer))[0]
    assert "is not available" in (await problems(noor, outer))[0]
    missing = await make_flow(noor, around(inner, 9))
    assert "Version 9" in (await problems(noor, missing))[0]


async def test_agents_of_a_held_version_count_for_the_limits(
    person: Any, make_flow: Any, publish: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    innermost = await make_flow(person, marked("!"))
    inner = await publish(person, around(innermost, None))
    outer = await make_flow(person, around(inner, 1))
    async with app_state.database.reading() as session:
        size = await session.scalar(select(VersionRow.bytes).where(VersionRow.flow_id == inner["id"]))

    async def refused(name: str, maximum: int) -> list[str]:
        # As after a restart with another setting, which the frozen settings do not allow.
        with monkeypatch.context() as patch:
            patch.setitem(app_state.settings.__dict__, name, maximum)
            return await problems(person, outer)

    assert await refused("max_flow_agents", 2) == []
    assert await refused("max_flow_agents", 1) == [
        "This flow runs 2 other agents; the limit is 1. Run fewer of them as nodes."
    ]
    assert await refused("max_flow_bytes", size) == []
    assert await refused("max_flow_bytes", size - 1) == [
        f"The agents that this flow runs have {size:,} bytes or more together; the limit is {size - 1:,}. "
        "Run fewer or smaller ones as nodes."
    ]


async def test_ports_of_a_version_stay_when_a_newer_one_has_others(
    person: Any, noor: Any, publish: Any
) -> None:
    first = marked("!")
    first["nodes"][1]["exposed"] = {"mark": {"label": "Sign"}}  # type: ignore[index]
    inner = await publish(person, first, visibility="public")
    await publish_again(person, inner, marked("?"))
    path = f"/flows/{inner['id']}/versions"
    old, new = [(await noor.client.get(f"{path}/{ref}/ports")).json() for ref in ("1", "2")]
    assert [one["title"] for name, one in old["inputs"]["properties"].items() if "." in name] == ["Sign"]
    assert not any("." in name for name in new["inputs"]["properties"])
    assert old["results"] == new["results"]
    expect(await noor.client.get(f"{path}/r1/ports"), 404)


async def test_version_without_its_agents_runs_their_newest_ones(
    person: Any, make_flow: Any, publish: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    inner = await publish(person, marked("!"))
    middle = await publish(person, around(inner, None))
    async with app_state.database.writing() as session:
        query = select(VersionRow).where(VersionRow.flow_id == middle["id"])
        for row in await session.scalars(query):
            row.subflows = None  # as those of an older release
    outer = await make_flow(person, around(middle, 1))
    await publish_again(person, inner, marked("?"))
    run = await finished(person, await run_flow(person, outer["id"]))
    assert (run["status"], shown(run)) == ("finished", ["HELLO?"])
