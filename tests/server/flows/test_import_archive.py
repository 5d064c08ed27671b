"""The result of an import: the agent, its own assets, and the missing parts."""

import json
from typing import Any

import pytest
from tests.server.flows.archives import (
    export,
    exported,
    image_value,
    import_document,
    import_file,
    packed,
    referring,
    showing,
    upload,
)
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png

pytestmark = pytest.mark.anyio


async def test_imported_assets_belong_to_the_importer(person: Any, new_person: Any, make_flow: Any) -> None:
    asset = await upload(person)
    document = showing(asset)
    document["nodes"][0]["pin"] = {
        "outputs": {"output": {"type": "Image", "depth": 0, "value": image_value(asset)}}
    }
    made = await make_flow(person, document)
    other = await new_person("ines")
    back = await import_file(other, await export(person, made))
    expect(back, 201)
    assert (back.json()["files"], back.json()["missing"]) == (1, [])
    node = back.json()["flow"]["flow"]["nodes"][0]
    own = node["settings"]["image"]["asset_id"]
    assert own != asset["id"]
    assert node["pin"]["outputs"]["output"]["value"]["asset_id"] == own
    stored = (await other.client.get(f"/assets/{own}")).json()
    assert (stored["sha256"], stored["name"], stored["source"]) == (asset["sha256"], "cup.png", "upload")
    content = await other.client.get(stored["url"].removeprefix("/api/v1"))
    assert content.content == png(4)
    again = await import_file(other, await export(person, made))
    assert again.json()["flow"]["flow"]["nodes"][0]["settings"]["image"]["asset_id"] == own


async def test_a_mask_without_its_image_is_left_out(person: Any, new_person: Any, make_flow: Any) -> None:
    document = showing(await upload(person))
    settings = document["nodes"][0]["settings"]
    settings["mask"] = {"$type": "Mask", "image": settings["image"]}
    made = await make_flow(person, document)
    exported = (await person.client.get(f"/flows/{made['id']}/export")).json()
    other = await new_person("ines")
    back = await import_file(other, json.dumps(exported).encode(), "agent.json")
    expect(back, 201)
    assert back.json()["flow"]["flow"]["nodes"][0]["settings"] == {}


async def test_imported_masks_stay_out_of_the_library(person: Any, new_person: Any, make_flow: Any) -> None:
    picture, mask, both = [await upload(person, red, f"{red}.png") for red in (1, 2, 3)]
    document = showing(picture, both)
    for node, asset in zip(document["nodes"], (mask, both), strict=True):
        node["settings"]["mask"] = {"$type": "Mask", "image": image_value(asset)}
    made = await make_flow(person, document)
    other = await new_person("ines")
    back = await import_file(other, await export(person, made))
    expect(back, 201)
    assert (back.json()["files"], back.json()["missing"]) == (3, [])
    shown = (await other.client.get("/assets/library")).json()["items"]
    assert {item["name"] for item in shown} == {"1.png", "3.png"}


async def test_file_that_is_a_mask_and_an_image_is_in_the_library(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = await exported(person, make_flow)
    document, manifest = (json.loads(files[name]) for name in ("flow.json", "manifest.json"))
    settings = document["nodes"][0]["settings"]
    settings["mask"] = {"$type": "Mask", "image": {**settings["image"], "asset_id": "mask"}}
    (image,) = manifest["files"]
    mask = {**image, "asset_id": "mask", "path": "assets/mask.png"}
    files |= {"flow.json": json.dumps(document).encode(), "assets/mask.png": files["assets/cup.png"]}
    for name, listed in (("ines", [image, mask]), ("noor", [mask, image])):
        other = await new_person(name)
        manifest["files"] = listed
        back = await import_file(other, packed(files | {"manifest.json": json.dumps(manifest).encode()}))
        settings = expect(back, 201).json()["flow"]["flow"]["nodes"][0]["settings"]
        assert settings["mask"]["image"]["asset_id"] == settings["image"]["asset_id"]
        shown = (await other.client.get("/assets/library")).json()["items"]
        assert [item["id"] for item in shown] == [settings["image"]["asset_id"]]


async def test_files_that_the_manifest_does_not_list_are_ignored(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = await exported(person, make_flow) | {"__MACOSX/._flow.json": b"x", "assets/.DS_Store": b"y"}
    other = await new_person("ines")
    back = await import_file(other, packed(files))
    expect(back, 201)
    assert back.json()["files"] == 1


async def test_a_large_agent_is_imported_as_it_was_exported(person: Any, make_flow: Any) -> None:
    nodes = [
        {"id": f"n{index}", "type": "ask", "title": "t" * 120, "position": {"x": index, "y": 0}}
        for index in range(4900)
    ] + [{"id": f"m{index}", "type": "ask", "title": "t" * 9000} for index in range(100)]
    made = await make_flow(person, flow(*nodes))
    exported = (await person.client.get(f"/flows/{made['id']}/export/file")).content
    assert 1.5 * 2**20 < len(exported) < 2 * 2**20 < len(json.dumps(json.loads(exported), indent=2))
    back = await import_file(person, exported, "agent.json")
    expect(back, 201)
    assert len(back.json()["flow"]["flow"]["nodes"]) == 5000


async def test_an_import_that_is_sent_again_creates_one_agent(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    data = await export(person, await make_flow(person, showing(await upload(person))))
    other = await new_person("ines")
    # As browsers do: the boundary between the parts of a form differs, its length does not.
    sent = [
        await other.client.post(
            "/flows/import/file",
            content=_form(data, boundary),
            headers={
                "Idempotency-Key": "import-1",
                "Content-Type": f"multipart/form-data; boundary={boundary}",
            },
        )
        for boundary in ("one", "two")
    ]
    assert [response.status_code for response in sent] == [201, 201]
    assert sent[0].json()["flow"]["id"] == sent[1].json()["flow"]["id"]
    assert len((await other.client.get("/flows/?include_all=true&mine=true")).json()) == 1


def _form(data: bytes, boundary: str) -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="agent.zip"\r\n\r\n'
    return head.encode() + data + f"\r\n--{boundary}--\r\n".encode()


async def test_long_titles_are_cut_where_missing_parts_are_named(person: Any) -> None:
    response = await import_document(person, referring(2, "t" * 5000))
    expect(response, 201)
    assert [part["nodes"] for part in response.json()["missing"]] == [["t" * 120], ["t" * 120]]


async def test_a_missing_part_is_named_once_with_each_of_its_nodes(person: Any) -> None:
    used = {"settings": {"image": {"$type": "Image", "asset_id": "gone", "name": "cup.png"}}, "type": "show"}
    titles = ("A", "B", "A")
    nodes = [{"id": f"n{index}", "title": title, **used} for index, title in enumerate(titles)]
    response = await import_document(person, flow(*nodes))
    assert response.json()["missing"] == [{"kind": "file", "name": "cup.png", "nodes": ["A", "B"]}]
