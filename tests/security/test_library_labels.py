"""Collections, favourites and tags of another user: not found, in every verb, and in lists."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hers(new_person: Any) -> Any:
    """Another user with a tagged favourite in a collection: her client and the ids."""
    ines = await new_person("ines")
    sent = await ines.client.post("/assets/", files={"file": ("hers.png", png(5), "image/png")})
    asset_id = sent.json()["id"]
    changes = {"asset_ids": [asset_id], "favourite": True, "add_tags": ["secret"]}
    expect(await ines.client.patch("/assets/", json=changes), 200)
    body = {"name": "Secret", "asset_ids": [asset_id]}
    made = (await ines.client.post("/collections/", json=body)).json()
    return ines, asset_id, made["id"]


async def test_collection_of_other_user_is_not_found(person: Any, hers: Any) -> None:
    ines, _, collection_id = hers
    path = f"/collections/{collection_id}"
    for method, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
        expect(await person.client.request(method, path, json=body), 404, code="not_found")
    library = await person.client.get("/assets/library", params={"collection_id": collection_id})
    expect(library, 404, code="not_found")
    assert (await person.client.get("/collections/")).json()["items"] == []
    assert (await ines.client.get(path)).json()["assets"] == 1


async def test_asset_of_other_user_cannot_be_edited_or_collected(person: Any, hers: Any) -> None:
    ines, asset_id, _ = hers
    changes = {"asset_ids": [asset_id], "favourite": False, "remove_tags": ["secret"]}
    expect(await person.client.patch("/assets/", json=changes), 404, code="not_found")
    body = {"name": "Mine", "asset_ids": [asset_id]}
    expect(await person.client.post("/collections/", json=body), 404, code="not_found")
    mine = (await person.client.post("/collections/", json={"name": "Mine"})).json()
    added = await person.client.patch(f"/collections/{mine['id']}", json={"add_asset_ids": [asset_id]})
    expect(added, 404, code="not_found")
    kept = (await ines.client.get(f"/assets/{asset_id}")).json()
    assert (kept["favourite"], kept["tags"]) == (True, ["secret"])


async def test_tags_and_favourites_of_other_users_are_not_listed(person: Any, hers: Any) -> None:
    assert (await person.client.get("/assets/tags")).json()["items"] == []
    for query in ({"favourite": True}, {"tag": "secret"}):
        assert (await person.client.get("/assets/library", params=query)).json()["items"] == []
