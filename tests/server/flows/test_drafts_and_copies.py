"""Drafts of an agent, its states, and copies of it."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

pytestmark = pytest.mark.anyio


async def save(
    person: Any, made: dict[str, Any], document: dict[str, Any], revision: Any, status: int = 200
) -> Any:
    headers = {"If-Match": f'"{revision}"'}
    response = await person.client.put(f"/flows/{made['id']}/draft", json=document, headers=headers)
    return expect(response, status)


async def detail(person: Any, flow_id: str) -> dict[str, Any]:
    return dict(expect(await person.client.get(f"/flows/{flow_id}"), 200).json())


async def test_revision_and_time_change_with_the_document_alone(
    person: Any, make_flow: Any, clock: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    assert (made["revision"], made["kinds"]) == (1, ["text"])
    clock.travel(seconds=60)
    same = (await save(person, made, made["flow"], 1)).json()
    assert (same["revision"], same["saved_at"], same["problems"]) == (1, made["updated_at"], [])
    changed = (await save(person, made, chain("paint"), 1)).json()
    assert changed["revision"] == 2
    assert changed["saved_at"] > made["updated_at"]
    assert (await detail(person, made["id"]))["kinds"] == ["image"]
    await save(person, made, chain("shout"), 1, 412)
    incomplete = (await save(person, made, flow("unknown"), 2)).json()
    assert [problem["node"] for problem in incomplete["problems"]] == ["unknown"]
    shown = await detail(person, made["id"])
    assert (shown["kinds"], shown["takes"]) == (["image"], []), "those of the last that could run"


async def test_copy_has_a_name_of_its_own_and_the_marks_of_its_owner(
    person: Any, new_person: Any, publish: Any
) -> None:
    name = "x" * 120
    about = {"description": "For print", "category": "ads", "watermark": True, "mark_exports": True}
    made = await publish(person, chain("shout"), name=name, visibility="public", **about)
    for who, is_marked in ((person, True), (await new_person("ines"), False)):
        copy = expect(await who.client.post(f"/flows/{made['id']}/duplicate"), 201).json()
        assert copy["name"] == "x" * 113 + " (copy)"
        assert (copy["description"], copy["category"]) == ("For print", "ads")
        state = [copy[key] for key in ("visibility", "status", "version", "revision")]
        assert state == ["private", "draft", None, 1]
        assert (copy["watermark"], copy["mark_exports"]) == (is_marked, is_marked)
        assert copy["flow"]["nodes"] == made["flow"]["nodes"]
        exported = (await who.client.get(f"/flows/{copy['id']}/export")).json()
        assert exported["copied_from"] == [made["id"], copy["id"]]


async def test_only_published_agents_are_deprecated_and_only_deprecated_ones_published_again(
    person: Any, make_flow: Any, publish: Any, clock: Any
) -> None:
    draft, made = await make_flow(person), await publish(person)
    expect(await person.client.post(f"/flows/{draft['id']}/deprecate"), 409)
    clock.travel(seconds=60)
    for action, status in (("deprecate", "deprecated"), ("restore-status", "published")):
        changed = expect(await person.client.post(f"/flows/{made['id']}/{action}"), 200).json()
        assert changed["status"] == status
        assert changed["updated_at"] > made["updated_at"]
        expect(await person.client.post(f"/flows/{made['id']}/{action}"), 409)


async def test_newest_version_of_an_agent_that_becomes_public_is_for_every_user(
    person: Any, new_person: Any, publish: Any
) -> None:
    made = await publish(person, chain("shout"))
    await save(person, made, chain("paint"), made["revision"])
    url = f"/flows/{made['id']}"
    expect(await person.client.post(f"{url}/publish"), 200)
    expect(await person.client.patch(url, json={"visibility": "public"}), 200)
    other = await new_person("ines")
    for version, status in ((2, 200), (1, 404)):
        expect(await other.client.post(f"{url}/estimate", json={"version": version}), status)


@pytest.mark.parametrize(("method", "path"), [("PUT", "draft"), ("POST", "publish")])
async def test_agent_that_is_saved_while_it_is_checked_stays_as_it_was_saved(
    person: Any, make_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    made, check = await make_flow(person), app_state.compiler.check
    saved = chain("shout", name="Saved at the same time")

    async def check_late(*given: Any) -> Any:
        monkeypatch.setattr(app_state.compiler, "check", check)
        await save(person, made, saved, 1)
        return await check(*given)

    monkeypatch.setattr(app_state.compiler, "check", check_late)
    given = {"json": chain("paint"), "headers": {"If-Match": '"1"'}} if method == "PUT" else {}
    answer = await person.client.request(method, f"/flows/{made['id']}/{path}", **given)
    expect(answer, 412, code="stale_revision")
    found = (await person.client.get(f"/flows/{made['id']}")).json()
    assert (found["flow"], found["version"]) == (saved, None)
