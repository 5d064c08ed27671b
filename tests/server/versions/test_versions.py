"""History: saves, published versions, differences, restoring."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto_server.versions.diff import diff_documents

pytestmark = pytest.mark.anyio


async def save(person: Any, made: dict[str, Any], document: dict[str, Any], **query: Any) -> dict[str, Any]:
    response = await person.client.put(
        f"/flows/{made['id']}/draft", json=document, headers={"If-Match": "*"}, params=query
    )
    expect(response, 200)
    return dict(response.json())


async def history(person: Any, made: dict[str, Any]) -> list[str]:
    return [
        item["ref"] for item in (await person.client.get(f"/flows/{made['id']}/versions")).json()["items"]
    ]


async def test_autosaves_are_merged_and_kept_saves_are_not(person: Any, make_flow: Any, clock: Any) -> None:
    made = await make_flow(person)
    for marks in "abc":
        await save(person, made, chain("shout", name=marks))
    assert await history(person, made) == ["r4"]
    await save(person, made, chain("shout", name="kept"), keep=True)
    await save(person, made, chain("shout", name="after"))
    assert await history(person, made) == ["r6", "r5", "r4"]
    clock.travel(minutes=6)
    await save(person, made, chain("shout", name="later"))
    assert await history(person, made) == ["r7", "r6", "r5", "r4"]


async def test_saving_unchanged_document_adds_no_revision(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    saved = await save(person, made, made["flow"])
    assert saved["revision"] == made["revision"]
    assert await history(person, made) == []


async def test_published_versions_are_numbered_separately_from_saves(person: Any, publish: Any) -> None:
    made = await publish(person)
    await save(person, made, chain("spell"))
    await person.client.post(f"/flows/{made['id']}/publish")
    entries = (await person.client.get(f"/flows/{made['id']}/versions")).json()["items"]
    author = {"id": await person.id(), "username": "mara"}
    usual = {"author": author, "public": False, "withdrawn_at": None}
    times = [item.pop("created_at") for item in entries]
    assert times == sorted(times, reverse=True)
    published = {"ref": "1", "number": 1, "kind": "published", "note": "first", "revision": 1, **usual}
    assert entries == [
        {"ref": "2", "number": 2, "kind": "published", "note": "", "revision": 2, **usual},
        {"ref": "r2", "number": None, "kind": "save", "note": "", "revision": 2, **usual},
        published,
    ]
    first = (await person.client.get(f"/flows/{made['id']}/versions/1")).json()
    assert first == {**published, "created_at": times[-1], "flow": chain("shout")}


async def test_published_version_is_withdrawn_by_its_owner(
    person: Any, new_person: Any, publish: Any
) -> None:
    made, other = await publish(person, visibility="public"), await new_person("ines")
    path = f"/flows/{made['id']}/versions"
    await save(person, made, chain("spell"))
    for client, ref, status in (
        (other.client, "1", 403),
        (person.client, "r2", 404),
        (person.client, "1", 200),
    ):
        answer = await client.post(f"{path}/{ref}/withdraw")
        expect(answer, status)
    withdrawn = answer.json()
    assert (withdrawn["ref"], withdrawn["public"], withdrawn["withdrawn_at"] is None) == ("1", True, False)
    assert withdrawn["author"] == {"id": await person.id(), "username": "mara"}
    read = (await person.client.get(f"/flows/{made['id']}")).json()
    assert (read["status"], read["version"]) == ("draft", None)
    assert await history(person, made) == ["r2", "1"]
    expect(await other.client.get(path), 404)
    launched = await person.client.post(f"/flows/{made['id']}/runs", json={"inputs": {}, "version": 1})
    assert expect(launched, 409, code="version_withdrawn").json()["detail"] == (
        "Version 1 was withdrawn. Restore it as the draft and publish that to run it again."
    )


async def test_entries_name_their_author(person: Any, new_person: Any, publish: Any) -> None:
    other = await new_person("ines")
    made = await publish(person, visibility="public")
    author = {"id": await person.id(), "username": "mara"}
    (entry,) = (await other.client.get(f"/flows/{made['id']}/versions")).json()["items"]
    assert entry["author"] == author
    assert (await other.client.get(f"/flows/{made['id']}/versions/1")).json()["author"] == author


async def test_other_users_see_published_versions_only(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, visibility="public")
    await save(person, made, chain("spell"))
    other = await new_person("ines")
    assert await history(other, made) == ["1"]
    expect(await other.client.get(f"/flows/{made['id']}/versions/r2"), 404)
    expect(await other.client.get(f"/flows/{made['id']}/versions/1/diff/draft"), 404)


async def test_restoring_makes_new_revision(person: Any, publish: Any) -> None:
    made = await publish(person)
    await save(person, made, chain("spell"))
    restored = await person.client.post(f"/flows/{made['id']}/versions/1/restore")
    expect(restored, 200)
    read = (await person.client.get(f"/flows/{made['id']}")).json()
    assert read["flow"] == chain("shout")
    assert read["revision"] == restored.json()["revision"] == 3
    assert await history(person, made) == ["r3", "r2", "1"]


async def test_restoring_stale_revision_is_rejected(person: Any, publish: Any) -> None:
    made = await publish(person)
    await save(person, made, chain("spell"))
    response = await person.client.post(
        f"/flows/{made['id']}/versions/1/restore", headers={"If-Match": '"1"'}
    )
    expect(response, 412)
    assert (await person.client.get(f"/flows/{made['id']}")).json()["flow"] == chain("spell")


async def test_unknown_entry_is_not_found(person: Any, publish: Any, subtests: pytest.Subtests) -> None:
    made = await publish(person)
    cases = ["0", "7", "r0", "r99", "nonsense", "-1", "1e3", "9" * 9, "1" * 10, "x" * 20]
    for ref in cases:
        with subtests.test(ref=ref):
            refused = expect(await person.client.get(f"/flows/{made['id']}/versions/{ref}"), 404)
            assert refused.json()["detail"] == f"There is no version {ref}."
    expect(await person.client.get(f"/flows/{made['id']}/versions/{'x' * 21}"), 422)


async def test_diff_of_two_versions(person: Any, publish: Any) -> None:
    made = await publish(person)
    changed = chain("shout")
    changed["nodes"][1]["settings"] = {"mark": "?"}  # type: ignore[index]
    await save(person, made, changed)
    response = (await person.client.get(f"/flows/{made['id']}/versions/1/diff/draft")).json()
    change = {"path": "mark", "before": None, "after": "?"}
    assert response["nodes"]["changed"] == [
        {"id": "shout", "settings": [change], "type": None, "title": None}
    ]
    assert response["edges"] == {"added": [], "removed": []}


def test_diff_lists_nodes_edges_and_nested_settings() -> None:
    before = flow(
        {"id": "a", "type": "ask", "title": "One", "settings": {"x": {"y": [1, 2], "z": 1}}}, "shout"
    )
    after = flow(
        {"id": "a", "type": "count", "title": "Two", "settings": {"x": {"y": [1, 3], "z": 1}}}, "spell"
    )
    before["edges"] = [{"from": "a.output", "to": "shout.text"}]
    after["edges"] = [{"from": "a.output", "to": "spell.text"}]
    found = diff_documents(before, after).model_dump()
    assert found["nodes"]["added"] == ["spell"]
    assert found["nodes"]["removed"] == ["shout"]
    assert found["nodes"]["changed"] == [
        {
            "id": "a",
            "settings": [{"path": "x.y", "before": [1, 2], "after": [1, 3]}],
            "type": {"before": "ask", "after": "count"},
            "title": {"before": "One", "after": "Two"},
        }
    ]
    assert found["edges"]["added"] == [{"from": "a.output", "to": "spell.text"}]
    assert found["edges"]["removed"] == [{"from": "a.output", "to": "shout.text"}]


def test_differences_name_variables_and_what_they_set() -> None:
    tone, size = (
        {"name": "tone", "type": "Text", "value": "dry"},
        {"name": "n", "type": "Integer", "value": 1},
    )
    before = flow({"id": "a", "type": "ask"}) | {"variables": [tone, size]}
    after = flow({"id": "a", "type": "ask", "variables": {"text": "tone"}}) | {
        "variables": [{**tone, "value": "warm"}, {**size, "name": "count"}]
    }
    found = diff_documents(before, after).model_dump()
    assert found["variables"] == {
        "added": ["count"],
        "removed": ["n"],
        "changed": [{"name": "tone", "before": tone, "after": {**tone, "value": "warm"}}],
    }
    assert found["nodes"]["changed"][0]["settings"] == [
        {"path": "variables", "before": None, "after": {"text": "tone"}}
    ]
    assert diff_documents({"variables": 3}, {"variables": [1]}).variables.added == []


def test_moving_node_is_not_a_difference() -> None:
    before = flow({"id": "a", "type": "ask", "position": {"x": 0, "y": 0}})
    after = flow({"id": "a", "type": "ask", "position": {"x": 9, "y": 9}})
    assert diff_documents(before, after).nodes.changed == []


def test_changes_below_a_long_name_are_one_change() -> None:
    def named(name: str, value: int) -> dict[str, Any]:
        inner = {str(number): value for number in range(50)}
        return flow({"id": "a", "type": "ask", "settings": {"data": {name: inner}}})

    def changes(name: str) -> list[str]:
        (node,) = diff_documents(named(name, 1), named(name, 2)).nodes.changed
        return [each.path for each in node.settings]

    assert changes("short") == [f"data.short.{number}" for number in range(50)]
    longest = "data." + "n" * 295
    assert changes("n" * 295) == [f"{longest}.{number}" for number in range(50)]
    assert changes("n" * 296) == [f"{longest}n"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"type": "ask"}, {"type": "count"}, {"type": {"before": "ask", "after": "count"}}),
        ({"title": "One"}, {}, {"title": {"before": "One", "after": None}}),
        ({"settings": {"x": 1}}, {}, {"settings": [{"path": "x", "before": 1, "after": None}]}),
        (
            {"settings": None},
            {"settings": {"x": 1}},
            {"settings": [{"path": "x", "before": None, "after": 1}]},
        ),
        ({"exposed": ["x"]}, {}, {"settings": [{"path": "exposed", "before": ["x"], "after": None}]}),
        ({}, {"result": True}, {"settings": [{"path": "result", "before": None, "after": True}]}),
    ],
    ids=["type", "title", "removed setting", "first setting", "exposed", "result"],
)
def test_each_part_of_a_node_is_a_difference_by_itself(
    before: dict[str, Any], after: dict[str, Any], expected: dict[str, Any]
) -> None:
    same = {"id": "b", "settings": {"x": 1}}
    found = diff_documents({"nodes": [{"id": "a", **before}, same]}, {"nodes": [{"id": "a", **after}, same]})
    usual = {"id": "a", "settings": [], "type": None, "title": None}
    assert found.model_dump()["nodes"] == {"added": [], "removed": [], "changed": [usual | expected]}


def test_differences_of_nodes_are_settings_type_title_and_what_they_expose() -> None:
    before = {
        "nodes": [{"id": "a", "settings": {"gone": 1, "x": {"y": 1}, "same": 0}, "pin": 1, "mode": "on"}, 7]
    }
    after = {"nodes": [{"id": "a", "settings": {"x": 2, "same": 0, "new": None}, "mode": "off", "title": 3}]}
    (change,) = diff_documents(before, after).model_dump()["nodes"]["changed"]
    assert change == {
        "id": "a",
        "settings": [
            {"path": "gone", "before": 1, "after": None},
            {"path": "x", "before": {"y": 1}, "after": 2},
            {"path": "new", "before": None, "after": None},
            {"path": "mode", "before": "on", "after": "off"},
            {"path": "pin", "before": 1, "after": None},
        ],
        "type": None,
        "title": {"before": None, "after": "3"},
    }


@pytest.mark.parametrize("before", [{}, {"nodes": None, "edges": None, "variables": None}])
def test_document_without_parts_differs_by_all_of_them(before: dict[str, Any]) -> None:
    edge = {"from": "a.output", "to": "b.text"}
    after = {"nodes": [{"id": "a"}], "edges": [edge, "words"], "variables": [{"name": "v"}, 7]}
    found, reverse = diff_documents(before, after).model_dump(), diff_documents(after, before).model_dump()
    assert found == {
        "nodes": {"added": ["a"], "removed": [], "changed": []},
        "edges": {"added": [edge], "removed": []},
        "variables": {"added": ["v"], "removed": [], "changed": []},
    }
    assert (reverse["nodes"]["removed"], reverse["edges"]["removed"]) == (["a"], [edge])
    assert reverse["variables"] == {"added": [], "removed": ["v"], "changed": []}


async def test_same_revision_is_merged_into_a_save_that_is_kept(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    await save(person, made, chain("spell"))
    await save(person, made, chain("spell"), keep=True)
    await save(person, made, chain("shout", name="after"))
    assert await history(person, made) == ["r3", "r2"]


async def test_history_is_listed_in_pages(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    for name in "abc":
        await save(person, made, chain("shout", name=name), keep=True)
    path = f"/flows/{made['id']}/versions"
    first = (await person.client.get(path, params={"limit": 2})).json()
    assert [item["ref"] for item in first["items"]] == ["r4", "r3"]
    second = (await person.client.get(path, params={"limit": 2, "cursor": first["next_cursor"]})).json()
    assert ([item["ref"] for item in second["items"]], second["next_cursor"]) == (["r2"], None)
    whole = (await person.client.get(path, params={"limit": 3})).json()
    assert (len(whole["items"]), whole["next_cursor"]) == (3, None)
