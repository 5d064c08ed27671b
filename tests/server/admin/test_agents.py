"""Admins unpublish agents and feature them on Home."""

from datetime import datetime
from typing import Any

import pytest
from tests.server.conftest import Recorded
from tests.server.responses import expect

pytestmark = pytest.mark.anyio


async def home(person: Any) -> list[str]:
    return [flow["name"] for flow in (await person.client.get("/flows/")).json()]


async def test_featured_agents_come_first_on_home_the_newest_first(
    admin: Any, person: Any, new_person: Any, publish: Any
) -> None:
    noor = await new_person("noor")
    made = {name: await publish(person, name=name, visibility="public") for name in ("One", "Two", "Three")}
    assert await home(noor) == ["Three", "Two", "One"]
    for name in ("One", "Two"):
        featured = await admin.client.put(f"/admin/flows/{made[name]['id']}/feature")
        assert expect(featured, 200).json()["featured_at"] is not None
    assert await home(noor) == ["Two", "One", "Three"]
    flows = (await noor.client.get("/flows/")).json()
    assert [flow["featured"] for flow in flows] == [True, True, False]
    expect(await admin.client.delete(f"/admin/flows/{made['Two']['id']}/feature"), 200)
    assert await home(noor) == ["One", "Three", "Two"]


async def with_status(admin: Any, *statuses: str) -> list[list[str]]:
    found = [await admin.client.get("/admin/flows", params={"status": status}) for status in statuses]
    return [[flow["name"] for flow in expect(answer, 200).json()["items"]] for answer in found]


async def test_unpublished_agent_is_visible_to_its_owner_alone(
    admin: Any, person: Any, new_person: Any, publish: Any, run_flow: Any
) -> None:
    noor = await new_person("noor")
    made = await publish(person, name="Poster", visibility="public")
    await admin.client.put(f"/admin/flows/{made['id']}/feature")
    path = f"/admin/flows/{made['id']}"
    assert await with_status(admin, "featured", "published", "withheld") == [["Poster"], ["Poster"], []]
    gone = expect(await admin.client.post(f"{path}/unpublish", json={"reason": " Copyright "}), 200).json()
    assert await with_status(admin, "featured", "published", "withheld") == [[], [], ["Poster"]]
    assert gone["withheld_at"] is not None
    assert gone["featured_at"] is None
    assert await home(noor) == []
    for request in ("", "/export", "/versions"):
        expect(await noor.client.get(f"/flows/{made['id']}{request}"), 404)
    await run_flow(noor, made["id"], version=1, status=404)
    own = (await person.client.get(f"/flows/{made['id']}")).json()
    assert own["withheld"] is True
    assert own["withheld_reason"] == "Copyright"
    listed = (await person.client.get("/flows/?include_all=true")).json()
    assert [flow["withheld_reason"] for flow in listed] == ["Copyright"]
    await run_flow(person, made["id"])

    # The owner cannot undo it by publishing or changing the visibility again.
    expect(await person.client.post(f"/flows/{made['id']}/publish", json={"note": "again"}), 200)
    await person.client.patch(f"/flows/{made['id']}", json={"visibility": "private"})
    await person.client.patch(f"/flows/{made['id']}", json={"visibility": "public"})
    assert await home(noor) == []
    expect(await admin.client.put(f"{path}/feature"), 409, code="agent_not_public")

    expect(await admin.client.post(f"{path}/republish", json={"reason": "Settled"}), 200)
    assert await home(noor) == ["Poster"]
    assert (await person.client.get(f"/flows/{made['id']}")).json()["withheld_reason"] is None


async def test_unpublished_agent_cannot_be_copied(
    admin: Any, person: Any, new_person: Any, publish: Any
) -> None:
    noor = await new_person("noor")
    made = await publish(person, visibility="public")
    expect(await admin.client.post(f"/admin/flows/{made['id']}/unpublish", json={"reason": "x"}), 200)
    expect(await noor.client.post("/flows/", json={"name": "Copy", "from_template": made["id"]}), 404)
    expect(await noor.client.post(f"/flows/{made['id']}/duplicate"), 404)


async def test_private_agents_and_drafts_are_not_listed(
    admin: Any, person: Any, make_flow: Any, publish: Any, app_state: Any
) -> None:
    private = await publish(person, name="Private")
    draft = await make_flow(person, name="Draft", visibility="public")
    public = await publish(person, name="100% Public", visibility="public")
    listed = expect(await admin.client.get("/admin/flows"), 200).json()["items"]
    assert [flow["name"] for flow in listed] == ["100% Public"]
    assert datetime.fromisoformat(listed[0].pop("updated_at")) <= app_state.clock()
    assert listed == [
        {
            "id": public["id"], "name": "100% Public", "description": "", "category": public["category"],
            "visibility": "public", "status": "published", "avatar_url": public["avatar_url"],
            "owner": {"id": await person.id(), "username": "mara"}, "version": 1,
            "featured_at": None, "withheld_at": None,
        }
    ]  # fmt: skip
    for text, count in (("public", 1), ("100%", 1), ("0_P", 0), (private["id"], 0)):
        found = (await admin.client.get("/admin/flows", params={"q": text})).json()["items"]
        assert len(found) == count
    for flow in (private, draft):
        expect(await admin.client.put(f"/admin/flows/{flow['id']}/feature"), 404)
        expect(await admin.client.post(f"/admin/flows/{flow['id']}/unpublish", json={"reason": "x"}), 404)


async def test_decisions_on_an_agent_are_in_the_audit_log(
    admin: Any, person: Any, publish: Any, recorded: Recorded
) -> None:
    made = await publish(person, name="Poster", visibility="public")
    path = f"/admin/flows/{made['id']}"
    expect(await admin.client.put(f"{path}/feature"), 200)
    expect(await admin.client.delete(f"{path}/feature"), 200)
    expect(await admin.client.post(f"{path}/unpublish", json={"reason": "Copyright"}), 200)
    expect(await admin.client.post(f"{path}/republish", json={"reason": "Settled"}), 200)
    entries = await recorded("agent")
    assert [(entry.action, entry.details) for entry in entries] == [
        ("agent.feature", {"name": "Poster"}),
        ("agent.unfeature", {"name": "Poster"}),
        ("agent.unpublish", {"name": "Poster", "reason": "Copyright"}),
        ("agent.republish", {"name": "Poster", "reason": "Settled"}),
    ]
    root_id = await admin.id()
    assert {(entry.actor_id, entry.target_kind, entry.target_id) for entry in entries} == {
        (root_id, "agent", made["id"])
    }
