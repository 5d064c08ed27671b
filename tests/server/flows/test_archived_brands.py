"""Brands in exported agents: their logos and fonts, and what an importer gets."""

import hashlib
import json
from typing import Any

import pytest
from tests.server.brands.imports import font_files
from tests.server.flows.archives import export, import_file, packed, unpacked, upload
from tests.server.responses import expect
from tests.server.sample_nodes import flow

pytestmark = pytest.mark.anyio


def _branded(*references: str) -> dict[str, Any]:
    return flow(
        *(
            {
                "id": f"b{index}",
                "type": "brand_system",
                "title": "Voice",
                "settings": {"brand": {"$type": "Brand", "saved": reference}},
            }
            for index, reference in enumerate(references)
        )
    )


async def _brand(person: Any, **content: Any) -> str:
    made = await person.client.post("/brands/", json={"name": "Lumo", **content})
    expect(made, 201)
    brand_id = str(made.json()["id"])
    expect(await person.client.post(f"/brands/{brand_id}/publish", json={"note": ""}), 200, 201)
    return brand_id


def with_font(data: bytes, font: bytes) -> bytes:
    """Return a zip with another font, as a stranger may make it: the library has sanitized ones."""
    files = unpacked(data)
    manifest = json.loads(files["manifest.json"])
    (listed,) = [file for file in manifest["files"] if file["media_type"] == "font/ttf"]
    listed |= {"bytes": len(font), "sha256": hashlib.sha256(font).hexdigest()}
    return packed(files | {listed["path"]: font, "manifest.json": json.dumps(manifest).encode()})


def without_files(data: bytes) -> bytes:
    """Return a zip without the files that its manifest lists."""
    files = unpacked(data)
    manifest = json.loads(files["manifest.json"])
    kept = {name: files[name] for name in files if name not in {file["path"] for file in manifest["files"]}}
    return packed(kept | {"manifest.json": json.dumps({**manifest, "files": []}).encode()})


async def test_brands_are_carried_with_their_logos_and_fonts(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    logo = await upload(person, 9, "logo.png")
    font = font_files.font("Fjell Sans", 300)
    sent = await person.client.post("/brands/fonts", files={"file": ("fjell.ttf", font, "font/ttf")})
    expect(sent, 201)
    brand_id = await _brand(
        person,
        logo={"light": logo["id"]},
        legal_line="Drink responsibly.",
        font_files=[sent.json()["file"]],
    )
    made = await make_flow(person, _branded(brand_id, f"{brand_id}@1"))
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert contents["brands"] == ["Lumo", "Lumo"]
    assert [file["media_type"] for file in contents["files"]] == ["image/png", "font/ttf"]
    data = with_font(await export(person, made), font_files.font("Fjell Sans", 300, width=800))
    other = await new_person("ines")
    back = await import_file(other, data)
    expect(back, 201)
    assert (back.json()["brands"], back.json()["missing"]) == (2, [])
    first, second = (node["settings"]["brand"]["saved"] for node in back.json()["flow"]["flow"]["nodes"])
    assert second == f"{first}@1"
    assert brand_id not in back.text
    copy = (await other.client.get(f"/brands/{first}")).json()
    assert (copy["version"], copy["content"]["legal_line"]) == (1, "Drink responsibly.")
    (own_font,) = copy["content"]["font_files"]
    assert (own_font["family"], own_font["weight"]) == ("Fjell Sans", 300)
    assert own_font["asset_id"] not in (sent.json()["file"]["asset_id"], "")
    stored = (await other.client.get(f"/assets/{own_font['asset_id']}")).json()
    content = (await other.client.get(f"/assets/{own_font['asset_id']}/content")).content
    assert (len(content), hashlib.sha256(content).hexdigest()) == (stored["bytes"], stored["sha256"])
    own_logo = (await other.client.get(f"/assets/{copy['content']['logo']['light']}")).json()
    assert own_logo["sha256"] == logo["sha256"]
    noor = await new_person("noor")
    back = expect(await import_file(noor, without_files(data)), 201).json()
    assert (back["brands"], back["files"]) == (2, 0)
    saved = back["flow"]["flow"]["nodes"][0]["settings"]["brand"]["saved"]
    content = (await noor.client.get(f"/brands/{saved}")).json()["content"]
    assert (content["logo"]["light"], content["font_files"]) == (None, [])
    # Neither is there a second copy for an importer who has the brand already.
    for owner in (other, person):
        before = len((await owner.client.get("/brands/")).json()["items"])
        expect(await import_file(owner, data), 201)
        assert len((await owner.client.get("/brands/")).json()["items"]) == before
    expect(await person.client.delete(f"/assets/{logo['id']}"), 204)
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert contents["missing"] == [{"kind": "file", "name": "", "nodes": ["Voice"]}]


async def test_a_brand_of_a_stranger_that_is_not_valid_is_refused(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = unpacked(await export(person, await make_flow(person, _branded(await _brand(person)))))
    other = await new_person("ines")
    for change, sentence in (
        ({"content": {"name": ["x"]}}, "A brand in this zip is not valid: name."),
        ({"content": 5}, "The manifest of this zip is not valid"),
    ):
        manifest = json.loads(files["manifest.json"])
        manifest["brands"][0] |= change
        response = await import_file(other, packed(files | {"manifest.json": json.dumps(manifest).encode()}))
        expect(response, 422)
        assert sentence in response.json()["detail"]
    manifest["brands"] = [{"id": str(index), "name": "", "content": {}} for index in range(21)]
    response = await import_file(other, packed(files | {"manifest.json": json.dumps(manifest).encode()}))
    assert "has 21 brands; the limit is 20" in response.json()["detail"]
    del manifest["brands"][20]
    response = await import_file(other, packed(files | {"manifest.json": json.dumps(manifest).encode()}))
    assert expect(response, 201).json()["brands"] == 0, "its document refers to none of them"
    items = (await other.client.get("/brands/")).json()["items"]
    assert [item["example"] for item in items] == [True]


async def test_brands_and_agents_are_named_as_missing(person: Any, new_person: Any, make_flow: Any) -> None:
    inner = await make_flow(person, flow("shout"), name="Inner")
    brand_id = str((await person.client.post("/brands/", json={"name": "Lumo"})).json()["id"])
    document = _branded(brand_id)
    document["nodes"].append({"id": "a", "type": "agent", "title": "Sub", "settings": {"flow": inner["id"]}})
    made = await make_flow(person, document)
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert contents["missing"] == [
        {"kind": "brand", "name": "Lumo", "nodes": ["Voice"]},
        {"kind": "agent", "name": "Inner", "nodes": ["Sub"]},
    ]
    other = await new_person("ines")
    back = await import_file(other, await export(person, made), "agent.json")
    assert ("brand", ["Voice"]) in [(part["kind"], part["nodes"]) for part in back.json()["missing"]]
    assert brand_id not in json.dumps(back.json()["flow"]["flow"])
