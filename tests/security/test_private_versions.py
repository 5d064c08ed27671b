"""Versions that were published in private stay private, and an owner can take a version back."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

pytestmark = pytest.mark.anyio


async def publish_next(person: Any, made: dict[str, Any], kind: str = "spell") -> int:
    saved = await person.client.put(f"/flows/{made['id']}/draft", json=chain(kind), headers={"If-Match": "*"})
    expect(saved, 200)
    return int(expect(await person.client.post(f"/flows/{made['id']}/publish"), 200).json()["number"])


async def share(person: Any, made: dict[str, Any], visibility: str = "public") -> None:
    expect(await person.client.patch(f"/flows/{made['id']}", json={"visibility": visibility}), 200)


async def refs(person: Any, made: dict[str, Any]) -> list[str]:
    return [one["ref"] for one in (await person.client.get(f"/flows/{made['id']}/versions")).json()["items"]]


async def withdraw(person: Any, made: dict[str, Any], ref: object, status: int = 200) -> Any:
    return expect(await person.client.post(f"/flows/{made['id']}/versions/{ref}/withdraw"), status).json()


async def launch(person: Any, made: dict[str, Any], version: int | None, status: int) -> Any:
    body = {"inputs": {"ask": "hello"}, "version": version}
    return expect(await person.client.post(f"/flows/{made['id']}/runs", json=body), status).json()


async def test_versions_published_in_private_stay_private(person: Any, new_person: Any, publish: Any) -> None:
    made, other = await publish(person), await new_person("ines")
    await publish_next(person, made)
    await share(person, made)
    assert await refs(other, made) == ["2"], "the version that is current when the agent becomes public"
    path = f"/flows/{made['id']}/versions"
    expect(await other.client.get(f"{path}/1"), 404)
    expect(await other.client.get(f"{path}/1/diff/2"), 404)
    await launch(other, made, 1, 404)
    estimate = {"inputs": {}, "version": 1}
    expect(await other.client.post(f"/flows/{made['id']}/estimate", json=estimate), 404)
    await launch(other, made, 2, 202)

    await share(person, made, "private")
    await publish_next(person, made, "shout")
    await share(person, made, "private")
    await publish_next(person, made)
    await share(person, made)
    assert await refs(other, made) == ["4", "2"]
    assert [ref for ref in await refs(person, made) if not ref.startswith("r")] == ["4", "3", "2", "1"]


async def test_withdrawn_version_is_replaced_by_the_newest_remaining_one(
    person: Any, new_person: Any, publish: Any
) -> None:
    made, other = await publish(person, visibility="public"), await new_person("ines")
    await publish_next(person, made)
    withdrawn = await withdraw(person, made, 2)
    assert withdrawn["withdrawn_at"] is not None
    assert await withdraw(person, made, 2) == withdrawn
    assert await refs(other, made) == ["1"]
    seen = (await other.client.get(f"/flows/{made['id']}")).json()
    assert (seen["version"], seen["flow"]) == (1, chain("shout"))
    expect(await other.client.get(f"/flows/{made['id']}/versions/2"), 404)
    await launch(other, made, 2, 404)
    assert (await launch(other, made, None, 202))["version"] == 1
    assert (await launch(person, made, 2, 409))["code"] == "version_withdrawn"

    restored = await person.client.post(f"/flows/{made['id']}/versions/2/restore")
    expect(restored, 200)
    assert expect(await person.client.post(f"/flows/{made['id']}/publish"), 200).json()["number"] == 3
    assert await refs(other, made) == ["3", "1"]


async def test_withdrawing_the_last_public_version_takes_the_agent_back(
    person: Any, new_person: Any, publish: Any
) -> None:
    made, other = await publish(person), await new_person("ines")
    await publish_next(person, made)
    await share(person, made)
    run = await launch(other, made, None, 202)
    await withdraw(person, made, 2)
    expect(await other.client.get(f"/flows/{made['id']}"), 404)
    expect(await other.client.get(f"/runs/{run['id']}"), 200, reason="a run that was started goes on")
    assert made["id"] not in [one["id"] for one in (await other.client.get("/flows/")).json()]
    own = (await person.client.get(f"/flows/{made['id']}")).json()
    assert (own["status"], own["version"], own["visibility"]) == ("draft", None, "public")


async def test_agents_published_with_a_withdrawn_version_keep_their_copy(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    inner, other = await publish(person, visibility="public"), await new_person("ines")
    step = {"id": "inner", "type": "agent", "settings": {"flow": inner["id"]}}
    outer = await publish(other, flow("ask", step, edges=["ask.output -> inner.ask"]))
    await withdraw(person, inner, 1)
    expect(await other.client.get(f"/flows/{inner['id']}"), 404)
    run = await finished(other, await run_flow(other, outer["id"], version=1))
    assert (run["status"], run["results"][0]["value"]) == ("finished", "HELLO!")
    response = await other.client.post(f"/flows/{outer['id']}/publish")
    expect(response, 422, code="flow_invalid", reason="a new version needs a version that exists")


async def test_only_the_owner_withdraws_and_only_published_versions(
    person: Any, new_person: Any, publish: Any
) -> None:
    made, other = await publish(person, visibility="public"), await new_person("ines")
    await withdraw(other, made, 1, 403)
    await publish_next(person, made)
    for ref in ("r2", "7", "draft", "x"):
        await withdraw(person, made, ref, 404)
    await share(person, made, "private")
    await withdraw(other, made, 1, 404)
