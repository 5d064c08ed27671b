"""The asset library: by id, filters, pages, search, deletion."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.server.query_plans import plan_of
from tests.server.responses import expect
from tests.server.sample_nodes import chain, png

from impasto_server.assets import repository
from impasto_server.assets.models import AssetRow
from impasto_server.assets.upload import safe_file_name

pytestmark = pytest.mark.anyio


async def upload(person: Any, data: bytes, name: str) -> dict[str, Any]:
    return dict((await person.client.post("/assets/", files={"file": (name, data, "x/y")})).json())


async def names(person: Any, **query: Any) -> list[str]:
    response = await person.client.get("/assets/library", params=query)
    expect(response, 200)
    return [item["name"] for item in response.json()["items"]]


async def test_assets_are_listed_by_id_without_unknown_ones(person: Any, new_person: Any) -> None:
    other = await new_person("ines")
    hers = await upload(other, png(1), "hers.png")
    ids = [(await upload(person, png(shade), f"{shade}.png"))["id"] for shade in (1, 2, 3)]
    asked = [ids[2], "unknown", hers["id"], ids[0], ids[2]]
    listed = (await person.client.get("/assets/", params={"asset_ids": asked})).json()
    assert [item["id"] for item in listed] == [ids[2], ids[0]]
    for count, status in ((500, 200), (501, 422)):
        expect(await person.client.get("/assets/", params={"asset_ids": ["x"] * count}), status)


async def test_newest_assets_are_listed_by_default(person: Any) -> None:
    for shade in (1, 2):
        await upload(person, png(shade), f"{shade}.png")
    assert [item["name"] for item in (await person.client.get("/assets/")).json()] == ["2.png", "1.png"]


async def test_upload_that_belongs_to_an_image_is_no_entry_of_the_library(person: Any) -> None:
    sent = await person.client.post(
        "/assets/", params={"intermediate": True}, files={"file": ("mask.png", png(9), "image/png")}
    )
    expect(sent, 201)
    assert sent.json()["intermediate"]
    await upload(person, png(5), "cup.png")
    assert await names(person) == ["cup.png"]
    assert await names(person, source="upload") == ["cup.png"]
    assert await names(person, intermediate=True) == ["cup.png", "mask.png"]


async def test_library_filters(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"), name="Kiln posters")
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "A blue jug 100%"}))
    await upload(person, b"words", "notes.txt")
    await upload(person, png(5), "cup.png")
    await upload(await new_person("ines"), png(5), "hers.png")
    assert await names(person) == ["cup.png", "notes.txt", "painting.png"]
    assert await names(person, kind="image") == ["cup.png", "painting.png"]
    assert await names(person, source="upload") == ["cup.png", "notes.txt"]
    assert (
        await names(person, flow_id=made["id"]) == await names(person, run_id=run["id"]) == ["painting.png"]
    )
    assert await names(person, q="JUG blue") == ["painting.png"]
    assert await names(person, q="kiln") == ["painting.png"]
    assert await names(person, q="100%") == ["painting.png"]
    assert await names(person, q="10_%") == ["painting.png"]  # the start of 100
    assert await names(person, q="10_% jug") == []
    assert await names(person, q="%_!") == []
    assert await names(person, q="notes cup") == []
    now = datetime.now(UTC)
    assert await names(person, since=(now + timedelta(hours=1)).isoformat()) == []
    assert await names(person, q="x" * 200) == await names(person, tag="x" * 40) == []
    longest = await person.client.get("/assets/library", params={"collection_id": "x" * 36})
    expect(longest, 404)
    assert len(await names(person, until=(now + timedelta(hours=1)).isoformat())) == 3


async def test_invalid_filter_is_reported(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [
        {"kind": "poem"},
        {"source": "x"},
        {"cursor": "!"},
        {"limit": 101},
        {"since": "x"},
        {"since": "0001-01-01T00:00:00+14:00"},
        {"until": "0001-01-01T00:00:00+14:00"},
        {"q": "x" * 201},
        {"tag": "x" * 41},
        {"collection_id": "x" * 37},
    ]
    for query in cases:
        with subtests.test(query=query):
            response = await person.client.get("/assets/library", params=query)
            expect(response, 422)
            assert response.json()["errors"][0]["path"] == next(iter(query))


async def test_pages_are_contiguous(person: Any) -> None:
    for shade in range(7):
        await upload(person, png(shade), f"{shade}.png")
    seen, cursor = [], None
    while True:
        query = {"limit": 3, **({"cursor": cursor} if cursor else {})}
        page = (await person.client.get("/assets/library", params=query)).json()
        seen += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [f"{shade}.png" for shade in reversed(range(7))]


async def test_deleting_asset_deletes_file(person: Any, client: Any, app_state: Any) -> None:
    asset = await upload(person, png(5), "cup.png")
    expect(await person.client.delete(f"/assets/{asset['id']}"), 204)
    expect(await person.client.get(f"/assets/{asset['id']}"), 404)
    expect(await client.get(asset["url"].removeprefix("/api/v1")), 404)
    key = f"{asset['sha256'][:2]}/{asset['sha256'][2:4]}/{asset['sha256']}"
    assert not await app_state.storage.exists(key)


async def test_file_shared_with_another_asset_is_kept(person: Any, new_person: Any) -> None:
    other = await new_person("ines")
    hers, mine = await upload(other, png(5), "hers.png"), await upload(person, png(5), "mine.png")
    assert hers["sha256"] == mine["sha256"]
    await person.client.delete(f"/assets/{mine['id']}")
    assert (await other.client.get(f"/assets/{hers['id']}/content")).content == png(5)


async def test_asset_of_other_user_is_not_found(
    person: Any, new_person: Any, subtests: pytest.Subtests
) -> None:
    asset = await upload(await new_person("ines"), png(5), "hers.png")
    cases = [("GET", ""), ("DELETE", ""), ("GET", "/content"), ("GET", "/thumbnail")]
    for method, path in cases:
        with subtests.test(method=method, path=path):
            response = await person.client.request(method, f"/assets/{asset['id']}{path}")
            expect(response, 404, code="not_found")


async def test_each_filter_uses_an_index(app_state: Any, subtests: pytest.Subtests) -> None:
    """Without an index, a page of a rare kind scans the library: 0.5 s for 100,000 assets."""
    for name, value in {"kind": "video", "source": "upload", "flow_id": "x"}.items():
        with subtests.test(name=name):
            query = repository.library_query("user-1", repository.LibraryFilter(**{name: value}))
            plan = await plan_of(app_state.database, query.order_by(AssetRow.id.desc()).limit(51))
            assert f"ix_assets_owner_{name}" in plan
            assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Été à Paris.png", "ÉTÉ"),
        ("E\u0301te\u0301.png", "été"),
        ("Чашка.png", "чашка"),
        ("Straße.png", "STRASSE"),
        ("ＡＢＣ.png", "abc"),
        ("咖啡罐.png", "啡罐"),
        ("☕🏽.png", "☕"),
    ],
)
async def test_search_ignores_case_and_spelling_in_any_alphabet(person: Any, name: str, typed: str) -> None:
    await upload(person, png(1), name)
    await upload(person, png(2), "other.png")
    assert await names(person, q=typed) == [safe_file_name(name)]
