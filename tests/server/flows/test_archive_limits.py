"""Names in the zip of an agent, and what an import leaves out of a document or refuses."""

import json
from typing import Any

import orjson
import pytest
from tests.server.flows.archives import (
    export,
    image_value,
    import_document,
    import_file,
    packed,
    referring,
    showing,
    unpacked,
    upload,
)
from tests.server.responses import expect
from tests.server.sample_nodes import flow

pytestmark = pytest.mark.anyio


async def test_each_file_of_a_zip_has_a_short_name_of_its_own(person: Any, make_flow: Any) -> None:
    names = ["a.png", "A.PNG", "a.png", f"{'x' * 90}.png", f"{'x' * 85}.png", "b.abcdefghijklm"]
    assets = [await upload(person, number, name) for number, name in enumerate(names)]
    files = unpacked(await export(person, await make_flow(person, showing(*assets))))
    assert list(files)[1:-1] == [
        "assets/a.png",
        "assets/A (2).PNG",
        "assets/a (3).png",
        f"assets/{'x' * 80}.png",
        f"assets/{'x' * 80} (2).png",
        "assets/b.abcdefghijk",
    ]


async def test_document_is_indented_unless_it_is_large(person: Any, make_flow: Any) -> None:
    for size, is_indented in ((10, True), (1_000_000, True), (1_048_576, False)):
        document = {**flow("ask"), "notes": [{"text": "x" * size}]}
        made = await make_flow(person, document)
        data = await export(person, made)
        assert data.startswith(b"{\n") is is_indented, size
        assert orjson.loads(data)["notes"] == document["notes"]


async def test_import_leaves_out_what_the_importer_does_not_have(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    own = await upload(person)
    hers = (await make_flow(await new_person("ines"), flow("ask")))["id"]
    mine = (await make_flow(person, flow("ask")))["id"]
    gone = {"$type": "Image", "asset_id": "gone", "name": "n" * 3}
    brand = {"$type": "Brand", "saved": "b1"}

    def pinned(kind: str, value: Any) -> dict[str, Any]:
        return {"outputs": {"output": {"type": kind, "depth": 0, "value": value}}}

    document = flow(
        {"id": "a", "type": "show", "settings": {"image": gone, "more": [gone, image_value(own), 1]}},
        {
            "id": "b",
            "type": "show",
            "settings": {"image": image_value(own), "brand": brand},
            "pin": pinned("Image", gone),
        },
        {"id": "c", "type": "agent", "title": "Inner", "settings": {"flow": hers}},
        {"id": "d", "type": "agent", "settings": {"flow": mine}},
        {
            "id": "e",
            "type": "show",
            "settings": {"mask": {"$type": "Mask", "image": gone}},
            "pin": pinned("Text", "x"),
        },
    )
    response = expect(await import_document(person, document), 201).json()
    assert response["missing"] == [
        {"kind": "file", "name": "nnn", "nodes": ["a", "b", "e"]},
        {"kind": "brand", "name": "", "nodes": ["b"]},
        {"kind": "agent", "name": "", "nodes": ["Inner"]},
    ]
    nodes = {node["id"]: node for node in response["flow"]["flow"]["nodes"]}
    kept = nodes["a"]["settings"]["more"][0]
    assert nodes["a"]["settings"] == {"more": [kept, 1]}
    assert (kept["asset_id"], kept["sha256"]) == (own["id"], own["sha256"])
    assert nodes["b"]["settings"] == {"image": kept}
    assert "pin" not in nodes["b"]
    assert nodes["c"]["settings"] == {"flow": hers}, "an agent may become visible"
    assert (nodes["e"]["settings"], nodes["e"]["pin"]) == ({}, pinned("Text", "x"))
    assert response["brands"] == response["files"] == 0


async def test_reference_to_an_own_file_says_what_the_file_is(person: Any) -> None:
    own = await upload(person)
    forged = {"$type": "Image", "asset_id": own["id"], "name": "other.png", "width": 99999, "surprise": 1}
    as_file = {"$type": "File", "asset_id": own["id"], "width": 1}
    response = await import_document(
        person, flow({"id": "a", "type": "show", "settings": {"x": forged, "y": as_file}})
    )
    settings = expect(response, 201).json()["flow"]["flow"]["nodes"][0]["settings"]
    assert (settings["x"]["name"], settings["x"]["width"]) == ("cup.png", own["width"])
    assert "surprise" not in settings["x"]
    keys = {"$type", "asset_id", "media_type", "bytes", "sha256", "name"}
    assert (settings["y"]["$type"], settings["y"].keys()) == ("File", keys)


async def test_agent_refers_to_at_most_2000_parts(person: Any) -> None:
    expect(await import_document(person, referring(2000)), 201)
    refused = expect(await import_document(person, referring(2001)), 422).json()
    assert "2,001 files, brands and agents; the limit is 2,000" in refused["detail"]


async def test_names_of_missing_parts_are_those_of_the_zip(person: Any) -> None:
    document = referring(2)
    missing = [{"kind": "file", "id": "a0", "name": "Cup\u202e" + "x" * 300, "nodes": []}]
    manifest = {"kind": "impasto-agent", "format": 1, "files": [], "missing": missing}
    files = {"flow.json": json.dumps(document).encode(), "manifest.json": json.dumps(manifest).encode()}
    response = expect(await import_file(person, packed(files)), 201).json()
    assert [part["name"] for part in response["missing"]] == ["Cup" + "x" * 197, "file"]


async def test_file_that_is_neither_a_zip_nor_json_is_refused(person: Any) -> None:
    for data, words in (
        (b"{", "neither a zip nor JSON"),
        (b"[]", "not a flow document"),
        (b"{}", "lists of nodes"),
    ):
        assert words in expect(await import_file(person, data), 422).json()["detail"]
