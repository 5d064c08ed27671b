"""Brands: creating, changing, publishing, comparing and deleting them."""

import io
import zipfile
from datetime import datetime
from typing import Any

import orjson
import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png

pytestmark = pytest.mark.anyio

FJELL: dict[str, Any] = {
    "name": " Fjell  Skincare ",
    "colors": [
        {"hex": "#18465C", "role": "primary"},
        {"hex": "#e9e4d8", "role": "background"},
    ],
    "fonts": [{"family": "Hanken Grotesk", "role": "headline"}],
    "voice": {"tone": ["Calm", "Exact", "calm"], "banned_words": ["miracle"]},
    "legal_line": "Fjell Skincare AS, Bergen.",
}


async def make(person: Any, **changes: Any) -> dict[str, Any]:
    response = await person.client.post("/brands/", json=FJELL | changes)
    expect(response, 201)
    return dict(response.json())


async def save(person: Any, brand: dict[str, Any], **changes: Any) -> Any:
    content = {**brand["content"], **changes}
    headers = {"If-Match": f'"{brand["revision"]}"'}
    return await person.client.put(f"/brands/{brand['id']}/draft", json=content, headers=headers)


async def publish(person: Any, brand: dict[str, Any], note: str = "") -> dict[str, Any]:
    response = await person.client.post(f"/brands/{brand['id']}/publish", json={"note": note})
    expect(response, 200)
    return dict(response.json())


async def test_new_brand_is_a_tidied_draft_with_contrast_figures(person: Any) -> None:
    brand = await make(person)
    assert brand["content"]["name"] == "Fjell Skincare"
    assert brand["content"]["colors"][0]["hex"] == "#18465c"
    assert brand["content"]["voice"]["tone"] == ["Calm", "Exact"]
    pair = {"foreground": "#e9e4d8", "background": "#18465c", "ratio": 7.9, "use": "all_text"}
    assert brand["created_at"] == brand["updated_at"]
    assert {name: brand[name] for name in brand.keys() - {"id", "content", "created_at", "updated_at"}} == {
        "example": False, "is_default": False, "version": None, "revision": 1, "changes": 0, "logo": None,
        "agents": 0, "published": None, "draft_changes": [], "contrast": [pair], "logo_dark": None,
        "font_urls": {}, "logo_missing": [],
    }  # fmt: skip
    read = await person.client.get(f"/brands/{brand['id']}")
    assert (read.json(), read.headers["etag"]) == (brand, '"1"')
    listed, example = (await person.client.get("/brands/")).json()["items"]
    assert listed == {name: brand[name] for name in listed}
    shown = (await person.client.get(f"/brands/{example['id']}")).json()
    assert example == {name: shown[name] for name in listed}


async def test_invalid_brand_is_refused(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [
        {"name": "  "},
        {"name": "x" * 81},
        {"colors": [{"hex": "red"}]},
        {"colors": [{"hex": "#12345"}]},
        {"logo": {"light": "0198c0de-0000-7000-8000-000000000000"}},
        {"logo": {"clear_space": -1}},
        {"voice": {"tone": [7]}},
        {"unheard_of": 1},
    ]
    for wrong in cases:
        with subtests.test(wrong=wrong):
            expect(await person.client.post("/brands/", json=FJELL | wrong), 422)


async def test_draft_is_published_compared_restored_and_discarded(person: Any) -> None:
    brand = await make(person)
    assert (await publish(person, brand, "First"))["number"] == 1
    again = await person.client.post(f"/brands/{brand['id']}/publish")
    expect(again, 409, code="nothing_to_publish")
    assert again.json()["detail"] == "The draft is the same as version 1."

    colors = [{"hex": "#1f4a38", "role": "primary"}, brand["content"]["colors"][1]]
    voice = {**brand["content"]["voice"], "banned_words": ["miracle", "flawless"]}
    saved = await save(person, brand, colors=colors, voice=voice)
    expect(saved, 200)
    sentences = [change["sentence"] for change in saved.json()["changes"]]
    assert sentences == [
        "Primary colour changed from #18465c to #1f4a38.",
        "Banned word 'flawless' added.",
    ]
    expect(await save(person, brand, name="Other"), 412, code="stale_revision")
    second = await publish(person, brand)
    assert second["summary"] == "Primary colour changed from #18465c to #1f4a38, and 1 more change."

    page = (await person.client.get(f"/brands/{brand['id']}/versions")).json()
    assert [entry["number"] for entry in page["items"]] == [2, 1]
    diff = (await person.client.get(f"/brands/{brand['id']}/versions/1/diff/2")).json()
    assert [change["field"] for change in diff["changes"]] == ["colors.primary", "voice.banned_words"]

    expect(await person.client.post(f"/brands/{brand['id']}/versions/1/restore"), 200)
    read = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert read["content"]["colors"][0]["hex"] == "#18465c"
    assert (read["version"], read["changes"]) == (2, 2)
    discarded = await person.client.delete(f"/brands/{brand['id']}/draft")
    assert discarded.json()["changes"] == []
    expect(await person.client.get(f"/brands/{brand['id']}/versions/3/diff/draft"), 404)


async def test_first_published_brand_is_the_default(person: Any) -> None:
    first, second = await make(person), await make(person, name="Second")
    refused = await person.client.put(f"/brands/{second['id']}/default")
    expect(refused, 409, code="brand_not_published")
    assert refused.json()["detail"] == "The brand 'Second' has no published version yet. Publish it first."
    await publish(person, first)
    await publish(person, second)

    async def default() -> list[str]:
        items = (await person.client.get("/brands/")).json()["items"]
        return [item["content"]["name"] for item in items if item["is_default"]]

    assert await default() == ["Fjell Skincare"]
    expect(await person.client.put(f"/brands/{second['id']}/default"), 204)
    assert await default() == ["Second"]
    expect(await person.client.delete(f"/brands/{second['id']}/default"), 204)
    expect(await save(person, first, legal_line="Other."), 200)
    await publish(person, first)
    assert await default() == [], "a new version of a brand makes no other choice"
    await publish(person, await make(person, name="Third"))
    assert await default() == ["Third"]


async def test_example_can_be_read_and_duplicated_but_not_changed(person: Any) -> None:
    [example] = (await person.client.get("/brands/")).json()["items"]
    assert (example["example"], example["content"]["name"]) == (True, "Northbound Coffee")
    path = f"/brands/{example['id']}"
    for method, rest in (("DELETE", ""), ("POST", "/publish"), ("PUT", "/default"), ("DELETE", "/draft")):
        refused = expect(await person.client.request(method, path + rest), 403, code="example_brand").json()
        assert refused["detail"] == "This brand is an example. Duplicate it to get your own copy."
    expect(await person.client.get(f"{path}/versions/1"), 200)
    copy = await person.client.post(f"{path}/duplicate")
    expect(copy, 201)
    assert copy.json()["content"]["name"] == "Northbound Coffee (copy)"
    assert copy.json()["example"] is False


async def test_brands_of_others_do_not_exist(person: Any, new_person: Any) -> None:
    brand = await make(person)
    await publish(person, brand)
    other = await new_person("ines")
    path = f"/brands/{brand['id']}"
    requests = [
        ("GET", ""),
        ("DELETE", ""),
        ("DELETE", "/draft"),
        ("POST", "/publish"),
        ("POST", "/duplicate"),
        ("PUT", "/default"),
        ("DELETE", "/default"),
        ("GET", "/versions"),
        ("GET", "/versions/1"),
        ("POST", "/versions/1/restore"),
        ("GET", "/versions/1/diff/draft"),
    ]
    for method, rest in requests:
        expect(await other.client.request(method, path + rest), 404, reason=f"{method} {rest}")
    expect(await save(other, brand), 404)
    gone = expect(await other.client.get(f"/brands/{'x' * 101}"), 404).json()
    assert gone["detail"] == f"There is no brand {'x' * 100}."


async def test_list_has_pages_and_counts_agents(person: Any, make_flow: Any) -> None:
    brands = [await make(person, name=f"Brand {number}") for number in range(3)]
    node = {"id": "x", "type": "brand_system", "settings": {"brand": {"saved": brands[0]["id"]}}}
    await make_flow(person, flow(node, "shout"))
    first = (await person.client.get("/brands/?limit=2")).json()
    rest = (await person.client.get("/brands/", params={"cursor": first["next_cursor"]})).json()
    names = [item["content"]["name"] for item in first["items"] + rest["items"]]
    assert names == ["Brand 2", "Brand 1", "Brand 0", "Northbound Coffee"]
    assert [item["agents"] for item in rest["items"]] == [1, 0]


async def test_logo_is_an_image_of_the_owner(person: Any, new_person: Any) -> None:
    async def upload(who: Any, name: str, data: bytes, media_type: str) -> str:
        response = await who.client.post("/assets/", files={"file": (name, data, media_type)})
        expect(response, 201)
        return str(response.json()["id"])

    logo = await upload(person, "logo.png", png(200), "image/png")
    note = await upload(person, "note.txt", b"not a logo", "text/plain")
    foreign = await upload(await new_person("ines"), "logo.png", png(9), "image/png")
    for wrong in (note, foreign):
        refused = await person.client.post("/brands/", json=FJELL | {"logo": {"light": wrong}})
        expect(refused, 422, code="logo_invalid")
    brand = await make(person, logo={"light": logo})
    assert brand["logo"]["id"] == logo
    for ground, wrong in (("light", note), ("dark", foreign)):
        refused = await save(person, brand, logo={**brand["content"]["logo"], ground: wrong})
        sentence = "A logo must be an image in your library: PNG, JPEG or WebP."
        assert expect(refused, 422).json()["errors"] == [
            {"path": f"logo.{ground}", "code": "logo_invalid", "message": sentence}
        ]
    expect(await person.client.delete(f"/assets/{logo}"), 204)
    read = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert (read["logo"], read["logo_missing"]) == (None, ["light"])
    expect(await save(person, read, legal_line="Other."), 200)
    copy = expect(await person.client.post(f"/brands/{brand['id']}/duplicate"), 201).json()
    assert (copy["content"]["logo"]["light"], copy["logo_missing"]) == (logo, ["light"])


async def test_brands_are_exported_and_deleted_with_their_owner(person: Any, new_person: Any) -> None:
    brand = await make(person)
    await publish(person, brand, "First")
    await make(await new_person("ines"), name="Hers")
    archive = zipfile.ZipFile(io.BytesIO((await person.client.get("/users/me/export")).content))
    [name] = [name for name in archive.namelist() if name.startswith("brands/")]
    exported = orjson.loads(archive.read(name))
    read = (await person.client.get(f"/brands/{brand['id']}")).json()
    (version,) = (await person.client.get(f"/brands/{brand['id']}/versions")).json()["items"]

    def moment(text: str) -> datetime:
        return datetime.fromisoformat(text)

    times = {key: moment(exported.pop(key)) for key in ("created_at", "updated_at")}
    assert times == {key: moment(read[key]) for key in times}
    assert moment(exported["versions"][0].pop("created_at")) == moment(version["created_at"])
    assert exported == {
        "id": brand["id"],
        "draft": read["content"],
        "is_default": True,
        "versions": [{"number": 1, "note": "First", "summary": "", "content": read["content"]}],
    }
    gone = await person.client.request("DELETE", "/users/me", json={"password": "Thick-paint-7"})
    expect(gone, 204)


async def test_deleted_brand_is_gone(person: Any) -> None:
    brand = await make(person)
    await publish(person, brand)
    expect(await person.client.delete(f"/brands/{brand['id']}"), 204)
    expect(await person.client.get(f"/brands/{brand['id']}"), 404)
    expect(await person.client.delete(f"/brands/{brand['id']}"), 404)


class TestLimits:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"limit_brands": 1, "limit_versions": 1}

    async def test_brands_and_their_versions_are_limited(self, person: Any) -> None:
        brand = await make(person)
        refused = await person.client.post("/brands/", json=FJELL)
        expect(refused, 429, code="brands_limit")
        assert refused.json()["detail"].startswith("You have 1 of 1 brands.")
        await publish(person, brand)
        expect(await save(person, brand, name="Other"), 200)
        refused = await person.client.post(f"/brands/{brand['id']}/publish")
        expect(refused, 429, code="versions_limit")
        assert refused.json()["detail"].startswith("This brand has 1 of 1 ")
        usage = (await person.client.get("/users/me/usage")).json()["items"]
        assert {item["name"]: item["used"] for item in usage}["brands"] == 1
