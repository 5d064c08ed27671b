"""Drafts and versions of a brand: what each step changes, and what it refuses."""

from typing import Any

import orjson
import pytest
from tests.server.brands.test_brands import make, publish, save
from tests.server.flows.archives import upload
from tests.server.limits.test_stored_documents import stored_bytes
from tests.server.responses import expect

from impasto_server.brands import references

pytestmark = pytest.mark.anyio
EXAMPLE = "/brands/northbound-coffee"


async def test_revision_changes_with_the_content_alone(person: Any, clock: Any) -> None:
    brand = await make(person)
    size = len(orjson.dumps(brand["content"]))
    assert await stored_bytes(person) == size
    assert (brand["revision"], brand["created_at"]) == (1, brand["updated_at"])
    clock.travel(seconds=60)
    same = expect(await save(person, brand), 200)
    assert (same.json()["revision"], same.json()["saved_at"], same.headers["etag"]) == (
        1,
        brand["updated_at"],
        '"1"',
    )
    changed = expect(await save(person, brand, name="Fjord"), 200)
    assert (changed.json()["revision"], changed.headers["etag"]) == (2, '"2"')
    size += len("Fjord") - len("Fjell Skincare")
    assert await stored_bytes(person) == size
    assert changed.json()["saved_at"] > brand["updated_at"]
    assert changed.json()["changes"] == [], "nothing is published"
    clock.travel(seconds=60)
    published = await publish(person, brand)
    assert await stored_bytes(person) == 2 * size, "the draft and the version"
    read = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert (read["revision"], read["version"], read["is_default"]) == (2, 1, True)
    assert read["updated_at"] > changed.json()["saved_at"]
    assert published["created_at"] > changed.json()["saved_at"]
    assert [pair["ratio"] for pair in changed.json()["contrast"]] == [7.9]


async def test_versions_have_notes_summaries_and_pages(person: Any, new_person: Any, app_state: Any) -> None:
    brand = await make(person)
    stale = {"If-Match": '"7"'}
    refused = await person.client.post(f"/brands/{brand['id']}/publish", headers=stale)
    expect(refused, 412, code="stale_revision")
    first = await publish(person, brand, "  First  ")
    assert (first["number"], first["note"], first["summary"]) == (1, "First", "")
    for number in (2, 3):
        saved = await save(person, brand, legal_line=f"Line {number}")
        brand["revision"] = saved.json()["revision"]
        headers = {"If-Match": f'"{brand["revision"]}"'}
        expect(await person.client.post(f"/brands/{brand['id']}/publish", headers=headers), 200)
    path = f"/brands/{brand['id']}/versions"
    page = (await person.client.get(path, params={"limit": 2})).json()
    rest = (await person.client.get(path, params={"cursor": page["next_cursor"]})).json()
    listed = [*page["items"], *rest["items"]]
    assert [(each["number"], each["note"], each["summary"]) for each in listed] == [
        (3, "", "Legal line changed from 'Line 2' to 'Line 3'."),
        (2, "", "Legal line changed from 'Fjell Skincare AS, Bergen.' to 'Line 2'."),
        (1, "First", ""),
    ]
    assert rest["next_cursor"] is None
    second = (await person.client.get(f"{path}/2")).json()
    assert (second["number"], second["content"]["legal_line"]) == (2, "Line 2")
    assert "content" not in page["items"][0]
    expect(await person.client.get(f"{path}/4"), 404)
    wanted = [brand["id"], f"{brand['id']}@2", "northbound-coffee", "northbound-coffee@1", "gone", "gone@1"]
    mara, ines = await person.id(), await (await new_person("ines")).id()
    async with app_state.database.reading() as session:
        assert await references.names_of(session, mara, wanted) == {
            brand["id"]: "Fjell Skincare",
            f"{brand['id']}@2": "Fjell Skincare (version 2)",
            "gone": "",
            "gone@1": "",
        }
        assert await references.names_of(session, ines, wanted[:1]) == {brand["id"]: ""}
        found = await references.resolve(session, mara, [f"{brand['id']}@2", *wanted])
        assert [(used.version, used.name) for used in found.used.values()] == [
            (2, "Fjell Skincare"), (3, "Fjell Skincare"), (1, "Northbound Coffee"), (1, "Northbound Coffee"),
        ]  # fmt: skip
        assert found.unknown == ["gone", "gone@1"]
        contents = [await references.own_content(session, mara, each) for each in wanted]
        assert [content and content.legal_line for content in contents] == [
            "Line 3", "Line 2", None, None, None, None,
        ]  # fmt: skip


async def test_version_that_does_not_exist_is_compared_with_nothing(person: Any) -> None:
    brand = await make(person)
    await publish(person, brand)
    path = f"/brands/{brand['id']}/versions"
    for reference in ("0", "2", "x", "1234567890", "٣", "-1", "1.0"):
        expect(await person.client.get(f"{path}/1/diff/{reference}"), 404)
        expect(await person.client.get(f"{path}/{reference}/diff/1"), 404)
    expect(await person.client.get(f"{path}/1/diff/{'x' * 20}"), 404)
    expect(await person.client.get(f"{path}/1/diff/{'x' * 21}"), 422)
    for number, status in ((0, 422), (999_999_999, 404), (1_000_000_000, 422)):
        expect(await person.client.get(f"{path}/{number}"), status)
        expect(await person.client.post(f"{path}/{number}/restore"), status)
    for pair in ("1/diff/draft", "draft/diff/1", "1/diff/1", "draft/diff/draft"):
        assert (await person.client.get(f"{path}/{pair}")).json() == {"changes": []}


async def test_draft_is_discarded_only_if_something_is_published(person: Any) -> None:
    brand = await make(person)
    path = f"/brands/{brand['id']}/draft"
    expect(await person.client.delete(path), 409, code="brand_not_published")
    await publish(person, brand)
    unchanged = expect(await person.client.delete(path), 200).json()
    assert (unchanged["revision"], unchanged["changes"]) == (1, [])
    expect(await save(person, brand, name="Fjord"), 200)
    listed = (await person.client.get("/brands/")).json()["items"][0]
    assert (listed["changes"], listed["version"], listed["content"]["name"]) == (1, 1, "Fjord")
    discarded = expect(await person.client.delete(path), 200).json()
    assert (discarded["revision"], discarded["changes"]) == (3, [])
    read = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert (read["content"]["name"], read["published"]["name"], read["draft_changes"]) == (
        "Fjell Skincare",
        "Fjell Skincare",
        [],
    )


async def test_copy_has_a_name_of_its_own_and_no_versions(person: Any) -> None:
    for name, copied in (("Fjell", "Fjell (copy)"), ("x" * 80, "x" * 73 + " (copy)")):
        brand = await make(person, name=name)
        await publish(person, brand)
        expect(await save(person, brand, legal_line="Draft"), 200)
        copy = expect(await person.client.post(f"/brands/{brand['id']}/duplicate"), 201).json()
        assert (copy["content"]["name"], copy["content"]["legal_line"]) == (copied, "Draft")
        found = (copy["version"], copy["revision"], copy["is_default"], copy["published"])
        assert found == (None, 1, False, None)


async def test_example_has_one_version(person: Any) -> None:
    example = (await person.client.get(EXAMPLE)).json()
    assert (example["version"], example["revision"], example["changes"], example["agents"]) == (1, 1, 0, 0)
    assert (example["is_default"], example["logo_missing"], example["font_urls"]) == (False, [], {})
    page = (await person.client.get(f"{EXAMPLE}/versions")).json()
    about = {"number": 1, "note": "", "summary": "", "created_at": example["created_at"]}
    assert page == {"items": [about], "next_cursor": None}
    version = (await person.client.get(f"{EXAMPLE}/versions/1")).json()
    assert version["content"] == example["content"] == example["published"]
    expect(await person.client.get(f"{EXAMPLE}/versions/2"), 404)
    assert (await person.client.get(f"{EXAMPLE}/versions/1/diff/draft")).json() == {"changes": []}
    expect(await person.client.get(f"{EXAMPLE}/versions/2/diff/draft"), 404)


async def test_first_of_each_users_published_brands_is_the_default(person: Any, new_person: Any) -> None:
    ines = await new_person("ines")
    for each in (person, ines):
        brands = [await make(each, name=name) for name in ("One", "Two")]
        for brand in brands:
            await publish(each, brand)
    for each in (person, ines):
        items = (await each.client.get("/brands/")).json()["items"]
        assert [item["is_default"] for item in items] == [False, True, False]
        one = next(item for item in items if item["is_default"])
        expect(await each.client.delete(f"/brands/{one['id']}"), 204)
        items = (await each.client.get("/brands/")).json()["items"]
        assert [item["is_default"] for item in items] == [False, False]


async def test_logos_that_were_deleted_from_the_library_are_named(person: Any) -> None:
    light, dark = [(await upload(person, color))["id"] for color in (1, 2)]
    brands = {
        (used["light"], used["dark"]): await make(person, logo=used)
        for used in (
            {"light": light, "dark": dark},
            {"light": None, "dark": dark},
            {"light": None, "dark": None},
        )
    }

    async def shown() -> list[tuple[Any, Any, list[str]]]:
        found = [(await person.client.get(f"/brands/{brand['id']}")).json() for brand in brands.values()]
        logos = [[each[name] and each[name]["id"] for name in ("logo", "logo_dark")] for each in found]
        return [(*pair, each["logo_missing"]) for pair, each in zip(logos, found, strict=True)]

    assert await shown() == [(light, dark, []), (dark, dark, []), (None, None, [])]
    expect(await person.client.delete(f"/assets/{dark}"), 204)
    assert await shown() == [(light, None, ["dark"]), (None, None, ["dark"]), (None, None, [])]
    expect(await person.client.delete(f"/assets/{light}"), 204)
    assert (await shown())[0] == (None, None, ["light", "dark"])
