"""Collections, favourites and tags of assets: through the API, on both databases."""

import io
import zipfile
from datetime import datetime
from typing import Any

import orjson
import pytest
from tests.server.query_plans import plan_of
from tests.server.responses import expect, simultaneous_statuses
from tests.server.sample_nodes import png

from impasto_server.assets import repository
from impasto_server.assets.models import AssetRow
from impasto_server.collections import service

pytestmark = pytest.mark.anyio


async def upload(person: Any, name: str) -> str:
    shade = sum(name.encode()) % 250
    response = await person.client.post("/assets/", files={"file": (name, png(shade), "image/png")})
    return str(response.json()["id"])


async def create(person: Any, name: str, *asset_ids: str) -> dict[str, Any]:
    response = await person.client.post("/collections/", json={"name": name, "asset_ids": asset_ids})
    expect(response, 201)
    return dict(response.json())


async def edit(person: Any, *asset_ids: str, **changes: Any) -> Any:
    return await person.client.patch("/assets/", json={"asset_ids": asset_ids, **changes})


async def names(person: Any, **query: Any) -> list[str]:
    response = await person.client.get("/assets/library", params=query)
    expect(response, 200)
    return [item["name"] for item in response.json()["items"]]


async def test_collection_lists_its_assets_and_survives_their_deletion(person: Any) -> None:
    one, two, three = [await upload(person, f"{name}.png") for name in ("one", "two", "three")]
    made = await create(person, "  Summer\t launch ", one)
    assert made == {
        "id": made["id"], "name": "Summer launch", "assets": 1,
        "created_at": made["created_at"], "updated_at": made["created_at"],
    }  # fmt: skip
    path = f"/collections/{made['id']}"
    for _ in range(2):  # a request that arrives twice changes nothing more
        changed = await person.client.patch(path, json={"add_asset_ids": [two, three, two]})
        assert changed.json()["assets"] == 3
    changed = await person.client.patch(path, json={"name": "Autumn", "remove_asset_ids": [one]})
    assert (changed.json()["name"], changed.json()["assets"]) == ("Autumn", 2)
    assert await names(person, collection_id=made["id"]) == ["three.png", "two.png"]
    assert await names(person, collection_id=made["id"], q="two") == ["two.png"]
    expect(await person.client.delete(f"/assets/{two}"), 204)
    assert (await person.client.get(path)).json()["assets"] == 1
    expect(await person.client.delete(path), 204)
    gone = expect(await person.client.get(path), 404, code="not_found")
    assert gone.json()["detail"] == f"There is no collection {made['id']}."
    assert await names(person) == ["three.png", "one.png"]


async def test_change_is_dated_and_part_of_the_export(person: Any, clock: Any) -> None:
    one, two = await upload(person, "one.png"), await upload(person, "two.png")
    made = await create(person, "Summer", one, two)
    assert made["created_at"] == made["updated_at"]
    clock.travel(minutes=5)
    changed = (await person.client.patch(f"/collections/{made['id']}", json={"name": "Autumn"})).json()
    assert (changed["created_at"], changed["updated_at"] > made["updated_at"]) == (made["created_at"], True)
    archive = zipfile.ZipFile(io.BytesIO((await person.client.get("/users/me/export")).content))
    (exported,) = orjson.loads(archive.read("collections.json"))
    at = {name: datetime.fromisoformat(exported.pop(name)) for name in ("created_at", "updated_at")}
    assert exported == {"id": made["id"], "name": "Autumn", "asset_ids": [two, one]}
    assert at == {name: datetime.fromisoformat(changed[name]) for name in at}


async def test_collections_are_paged_newest_first(person: Any) -> None:
    one = await upload(person, "one.png")
    for number in range(5):
        await create(person, f"Set {number}", *[one][: number % 2])
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await person.client.get("/collections/", params=query)).json()
        seen += [f"{item['name']}: {item['assets']}" for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == ["Set 4: 0", "Set 3: 1", "Set 2: 0", "Set 1: 1", "Set 0: 0"]


async def test_collection_names_are_unique_per_user_in_any_spelling(person: Any, new_person: Any) -> None:
    first = await create(person, "Été")
    again = await person.client.post("/collections/", json={"name": "E\u0301TE\u0301"})
    expect(again, 409, code="collection_exists")
    sentence = "You have a collection named 'E\u0301TE\u0301'. Choose another name."
    assert again.json()["detail"] == sentence
    other = await create(person, "Winter")
    renamed = await person.client.patch(f"/collections/{other['id']}", json={"name": "été"})
    expect(renamed, 409, code="collection_exists")
    expect(await person.client.patch(f"/collections/{first['id']}", json={"name": "ÉTÉ"}), 200)
    ines = await new_person("ines")
    await create(ines, "Été")
    for method, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
        expect(await ines.client.request(method, f"/collections/{first['id']}", json=body), 404)
    expect(await person.client.get(f"/collections/{first['id']}"), 200)


async def test_collection_has_assets_of_its_owner_only(person: Any, new_person: Any) -> None:
    mine, hers = await upload(person, "mine.png"), await upload(await new_person("ines"), "hers.png")
    refused = await person.client.post("/collections/", json={"name": "Both", "asset_ids": [mine, hers]})
    expect(refused, 404, code="not_found")
    made = await create(person, "Mine")
    path = f"/collections/{made['id']}"
    changes = {"name": "Both", "add_asset_ids": [mine, hers]}
    expect(await person.client.patch(path, json=changes), 404, code="not_found")
    assert (await person.client.get("/collections/")).json()["items"] == [made]


async def test_limits_of_collections_are_reported(person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_COLLECTIONS", 1)
    monkeypatch.setattr(service, "MAX_ASSETS", 1)
    one, two = await upload(person, "one.png"), await upload(person, "two.png")
    made = await create(person, "Full", one)
    more = await person.client.patch(f"/collections/{made['id']}", json={"add_asset_ids": [two]})
    expect(more, 409, code="collection_full")
    assert more.json()["detail"] == "'Full' would have more than 10,000 assets. Start another collection."
    same = await person.client.patch(f"/collections/{made['id']}", json={"add_asset_ids": [one]})
    assert (same.status_code, same.json()["assets"]) == (200, 1)
    assert (await person.client.get(f"/collections/{made['id']}")).json()["assets"] == 1
    second = await person.client.post("/collections/", json={"name": "Second"})
    expect(second, 409, code="too_many_collections")
    assert second.json()["detail"] == "You have 500 collections. Delete one that you no longer need."
    monkeypatch.setattr(service, "MAX_ASSETS", 0)
    renamed = await person.client.patch(f"/collections/{made['id']}", json={"name": "Fuller"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Fuller")


async def test_invalid_collection_is_reported(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [
        {"name": ""},
        {"name": " \t"},
        {"name": "x" * 81},
        {"name": 5},
        {"name": "x", "owner_id": "me"},
        {"name": "x", "asset_ids": ["a"] * 501},
    ]
    for body in cases:
        with subtests.test(body=body):
            expect(await person.client.post("/collections/", json=body), 422)
    expect(await person.client.post("/collections/", json={"name": "x", "asset_ids": ["a"] * 500}), 404)
    path = f"/collections/{(await create(person, 'x' * 80))['id']}"
    for change in ({"name": "x" * 81}, {"add_asset_ids": ["a"] * 501}, {"remove_asset_ids": ["a"] * 501}):
        expect(await person.client.patch(path, json=change), 422)


async def test_favourites_and_tags_filter_the_library(person: Any) -> None:
    one, two, three = [await upload(person, f"{name}.png") for name in ("one", "two", "three")]
    expect(
        await edit(person, one, two, favourite=True, add_tags=["Spring  Sale", "spring sale", "hero"]), 200
    )
    changed = (await edit(person, two, three, favourite=False, add_tags=["Hero"])).json()
    assert [item["tags"] for item in changed] == [["Spring Sale", "hero"], ["Hero"]]
    assert await names(person, favourite=True) == ["one.png"]
    assert await names(person, tag="HERO") == ["three.png", "two.png", "one.png"]
    assert await names(person, q="spring") == ["two.png", "one.png"]
    listed = (await person.client.get("/assets/tags", params={"limit": 1})).json()
    assert listed["items"] == [{"name": "Hero", "assets": 3}]
    rest = (await person.client.get("/assets/tags", params={"cursor": listed["next_cursor"]})).json()
    assert rest == {"items": [{"name": "Spring Sale", "assets": 2}], "next_cursor": None}
    await edit(person, one, two, remove_tags=["SPRING SALE"])
    await person.client.delete(f"/assets/{three}")
    listed = (await person.client.get("/assets/tags")).json()
    assert listed["items"] == [{"name": "hero", "assets": 2}]
    assert await names(person, q="spring") == []


async def test_edit_changes_all_assets_or_none(person: Any) -> None:
    one, two = await upload(person, "one.png"), await upload(person, "two.png")
    expect(await edit(person, one, "unknown", favourite=True), 404, code="not_found")
    await edit(person, two, add_tags=[f"tag {number}" for number in range(20)])
    expect(await edit(person, one, two, add_tags=["one more"]), 409, code="too_many_tags")
    assert await names(person, favourite=True) == await names(person, tag="one more") == []


async def test_invalid_edit_is_reported(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [
        {"add_tags": [""]},
        {"add_tags": ["x" * 41]},
        {"favourite": "yes"},
        {"owner_id": "me"},
    ]
    for changes in cases:
        with subtests.test(changes=changes):
            expect(await edit(person, await upload(person, "one.png"), **changes), 422)


async def test_tag_may_be_of_any_script(person: Any) -> None:
    one = await upload(person, "one.png")
    for tag in ("\ufdfa" * 40, "夏", "☀️", "100%", "a,b"):
        expect(await edit(person, one, add_tags=[tag]), 200)
        assert await names(person, tag=tag) == ["one.png"]


async def test_favourites_use_an_index(app_state: Any) -> None:
    query = repository.library_query("user-1", repository.LibraryFilter(favourite=True))
    plan = await plan_of(app_state.database, query.order_by(AssetRow.id.desc()).limit(51))
    assert "ix_assets_owner_favourite" in plan


class TestPostgresql:
    """PostgreSQL executes the transactions of several requests at a time."""

    @pytest.fixture
    def database_url(self, migrated_postgresql: str) -> str:
        return migrated_postgresql

    async def test_limit_and_names_of_collections_hold_for_simultaneous_requests(
        self, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(service, "MAX_COLLECTIONS", 1)
        bodies = ({"name": f"{number}"} for number in range(4))
        requests = (person.client.post("/collections/", json=body) for body in bodies)
        assert await simultaneous_statuses(requests) == [201, 409, 409, 409]
        monkeypatch.setattr(service, "MAX_COLLECTIONS", 9)
        paths = [f"/collections/{(await create(person, name))['id']}" for name in "abc"]
        requests = (person.client.patch(path, json={"name": "Same"}) for path in paths)
        assert await simultaneous_statuses(requests) == [200, 409, 409]
