"""Exported agents as zips: their assets, what is missing, and zips from strangers."""

import asyncio
import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.brands.imports import font_files
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png

from impasto_server.assets.garbage import sweep
from impasto_server.assets.models import AssetRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


async def _upload(person: Any, red: int = 4, name: str = "cup.png") -> dict[str, Any]:
    response = await person.client.post("/assets/", files={"file": (name, png(red), "image/png")})
    expect(response, 201)
    return dict(response.json())


def _image(asset: dict[str, Any]) -> dict[str, Any]:
    return {
        "$type": "Image",
        **{key: asset[key] for key in ("media_type", "bytes", "sha256", "name", "width", "height")},
        "asset_id": asset["id"],
    }


def _showing(*assets: dict[str, Any]) -> dict[str, Any]:
    return flow(
        *(
            {
                "id": f"n{index}",
                "type": "show",
                "title": f"Picture {index}",
                "settings": {"image": _image(asset)},
            }
            for index, asset in enumerate(assets)
        )
    )


async def _export(person: Any, made: dict[str, Any]) -> bytes:
    response = await person.client.get(f"/flows/{made['id']}/export/file")
    expect(response, 200)
    return bytes(response.content)


async def _import(person: Any, data: bytes, name: str = "agent.zip") -> Any:
    return await person.client.post("/flows/import/file", files={"file": (name, data)})


def _files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


async def test_agent_without_assets_is_exported_as_json(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    response = await person.client.get(f"/flows/{made['id']}/export/file")
    assert response.headers["content-type"] == "application/json"
    assert response.json() == (await person.client.get(f"/flows/{made['id']}/export")).json()
    back = await _import(person, response.content, "agent.json")
    expect(back, 201)
    assert (back.json()["files"], back.json()["missing"]) == (0, [])


async def test_zip_has_the_document_the_assets_and_a_manifest(person: Any, make_flow: Any) -> None:
    first, second = await _upload(person, 1, "Cup.png"), await _upload(person, 2, "cup.png")
    made = await make_flow(person, _showing(first, second, first))
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert [file["name"] for file in contents["files"]] == ["Cup.png", "cup.png"]
    assert (contents["bytes"], contents["missing"]) == (first["bytes"] + second["bytes"], [])
    files = _files(await _export(person, made))
    assert list(files) == ["flow.json", "assets/Cup.png", "assets/cup (2).png", "manifest.json"]
    assert files["assets/cup (2).png"] == png(2)
    manifest = json.loads(files["manifest.json"])
    assert manifest["files"][0] == {
        "path": "assets/Cup.png",
        "asset_id": first["id"],
        "name": "Cup.png",
        "media_type": "image/png",
        "bytes": len(png(1)),
        "sha256": hashlib.sha256(png(1)).hexdigest(),
    }


async def test_imported_assets_belong_to_the_importer(person: Any, new_person: Any, make_flow: Any) -> None:
    asset = await _upload(person)
    document = _showing(asset)
    document["nodes"][0]["pin"] = {
        "outputs": {"output": {"type": "Image", "depth": 0, "value": _image(asset)}}
    }
    made = await make_flow(person, document)
    other = await new_person("ines")
    back = await _import(other, await _export(person, made))
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
    again = await _import(other, await _export(person, made))
    assert again.json()["flow"]["flow"]["nodes"][0]["settings"]["image"]["asset_id"] == own


async def test_assets_of_another_user_are_neither_exported_nor_referred_to(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    asset = await _upload(person)
    made = await make_flow(person, _showing(asset))
    document = (await person.client.get(f"/flows/{made['id']}/export")).json()
    other = await new_person("ines")
    back = await _import(other, json.dumps(document).encode(), "agent.json")
    expect(back, 201)
    assert back.json()["missing"] == [{"kind": "file", "name": "cup.png", "nodes": ["Picture 0"]}]
    assert asset["id"] not in back.text
    stolen = await make_flow(other, _showing(asset))
    response = await other.client.get(f"/flows/{stolen['id']}/export/file")
    assert response.headers["content-type"] == "application/json"


async def test_zip_is_an_export_of_which_a_user_has_one_at_a_time(
    person: Any, app_state: Any, make_flow: Any
) -> None:
    made = await make_flow(person, _showing(await _upload(person)))
    plain = await make_flow(person, flow("shout"))
    async with app_state.database.reading() as session:
        user = await session.get(User, await person.id())
    async with app_state.slots.hold(user, "exports"):
        refused = await person.client.get(f"/flows/{made['id']}/export/file")
        expect(refused, 429, code="exports_limit")
        expect(await person.client.get(f"/flows/{plain['id']}/export/file"), 200)
    for _ in range(2):
        await _export(person, made)


async def test_deleted_assets_are_named_before_the_export(person: Any, make_flow: Any) -> None:
    kept, deleted = await _upload(person, 1, "kept.png"), await _upload(person, 2, "gone.png")
    made = await make_flow(person, _showing(kept, deleted))
    expect(await person.client.delete(f"/assets/{deleted['id']}"), 204)
    missing = [{"kind": "file", "name": "gone.png", "nodes": ["Picture 1"]}]
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert contents["missing"] == missing
    exported = await _export(person, made)
    manifest = json.loads(_files(exported)["manifest.json"])
    assert [part["name"] for part in manifest["missing"]] == ["gone.png"]
    back = await _import(person, exported)
    assert back.json()["missing"] == missing
    assert back.json()["flow"]["flow"]["nodes"][1]["settings"] == {}


async def test_a_mask_without_its_image_is_left_out(person: Any, new_person: Any, make_flow: Any) -> None:
    document = _showing(await _upload(person))
    settings = document["nodes"][0]["settings"]
    settings["mask"] = {"$type": "Mask", "image": settings["image"]}
    made = await make_flow(person, document)
    exported = (await person.client.get(f"/flows/{made['id']}/export")).json()
    other = await new_person("ines")
    back = await _import(other, json.dumps(exported).encode(), "agent.json")
    expect(back, 201)
    assert back.json()["flow"]["flow"]["nodes"][0]["settings"] == {}


async def test_imported_masks_stay_out_of_the_library(person: Any, new_person: Any, make_flow: Any) -> None:
    picture, mask, both = [await _upload(person, red, f"{red}.png") for red in (1, 2, 3)]
    document = _showing(picture, both)
    for node, asset in zip(document["nodes"], (mask, both), strict=True):
        node["settings"]["mask"] = {"$type": "Mask", "image": _image(asset)}
    made = await make_flow(person, document)
    other = await new_person("ines")
    back = await _import(other, await _export(person, made))
    expect(back, 201)
    assert (back.json()["files"], back.json()["missing"]) == (3, [])
    shown = (await other.client.get("/assets/library")).json()["items"]
    assert {item["name"] for item in shown} == {"1.png", "3.png"}


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


async def test_brands_are_carried_with_their_logos_and_fonts(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    logo = await _upload(person, 9, "logo.png")
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
    data = await _export(person, made)
    other = await new_person("ines")
    back = await _import(other, data)
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
    own_logo = (await other.client.get(f"/assets/{copy['content']['logo']['light']}")).json()
    assert own_logo["sha256"] == logo["sha256"]
    # Neither is there a second copy for an importer who has the brand already.
    for owner in (other, person):
        before = len((await owner.client.get("/brands/")).json()["items"])
        expect(await _import(owner, data), 201)
        assert len((await owner.client.get("/brands/")).json()["items"]) == before


async def test_a_brand_of_a_stranger_that_is_not_valid_is_refused(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = _files(await _export(person, await make_flow(person, _branded(await _brand(person)))))
    other = await new_person("ines")
    for change, sentence in (
        ({"content": {"name": ["x"]}}, "A brand in this zip is not valid: name."),
        ({"content": 5}, "The manifest of this zip is not valid"),
    ):
        manifest = json.loads(files["manifest.json"])
        manifest["brands"][0] |= change
        response = await _import(other, _zip(files | {"manifest.json": json.dumps(manifest).encode()}))
        expect(response, 422)
        assert sentence in response.json()["detail"]
    manifest["brands"] = [{"id": str(index), "name": "", "content": {}} for index in range(21)]
    response = await _import(other, _zip(files | {"manifest.json": json.dumps(manifest).encode()}))
    assert "has 21 brands; the limit is 20" in response.json()["detail"]
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
    back = await _import(other, await _export(person, made), "agent.json")
    assert ("brand", ["Voice"]) in [(part["kind"], part["nodes"]) for part in back.json()["missing"]]
    assert brand_id not in json.dumps(back.json()["flow"]["flow"])


async def _exported(person: Any, make_flow: Any) -> dict[str, bytes]:
    made = await make_flow(person, _showing(await _upload(person)))
    return _files(await _export(person, made))


def _with_manifest(files: dict[str, bytes], **changes: Any) -> dict[str, bytes]:
    manifest = json.loads(files["manifest.json"])
    manifest["files"][0] |= changes
    return files | {"manifest.json": json.dumps(manifest).encode()}


def _swapped(files: dict[str, bytes]) -> bytes:
    return _zip(files | {"assets/cup.png": png(9)})


def _of_another_type(files: dict[str, bytes]) -> bytes:
    words = b"these are words"
    digest = hashlib.sha256(words).hexdigest()
    return _zip(_with_manifest(files, bytes=len(words), sha256=digest) | {"assets/cup.png": words})


def _with_a_link(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO(_zip(files))
    with zipfile.ZipFile(buffer, "a") as archive:
        link = zipfile.ZipInfo("assets/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return buffer.getvalue()


def _encrypted(files: dict[str, bytes]) -> bytes:
    data = bytearray(_zip(files))
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


def _twice(files: dict[str, bytes]) -> bytes:
    return _zip(files | {"Flow.json": b"{}"})


def _bomb(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO(_zip({name: data for name, data in files.items() if name != "flow.json"}))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("flow.json", b" " * 2**23)
    return buffer.getvalue()


def _huge_index(files: dict[str, bytes]) -> bytes:
    return _zip(files | {f"{index}-{'x' * 200}": b"" for index in range(6000)})


def _ten_thousand(files: dict[str, bytes]) -> bytes:
    return _zip(files | {f"{index}": b"" for index in range(10_000)} | {"last": b""})


def _lying_about_sizes(files: dict[str, bytes]) -> bytes:
    """The index states the size of the manifest, the content is longer."""
    data = bytearray(_zip(_with_manifest(files, bytes=5)))
    at = data.index(b"assets/cup.png", data.index(b"PK\x01\x02")) - 46
    struct.pack_into("<I", data, at + 24, 5)
    return bytes(data)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_swapped, "is not the file that was exported"),
        (_of_another_type, "is refused"),
        (_with_a_link, "is a link"),
        (_encrypted, "is encrypted"),
        (_twice, "two files with the name"),
        (_bomb, "flow.json in this zip is larger than 4 MiB"),
        (_huge_index, "lists too many files"),
        (_ten_thousand, "has 10,004 files; the limit is 2,000"),
        (_lying_about_sizes, "damaged"),
        (lambda files: _zip(files | {"../out.png": b"x"}), "path outside"),
        (lambda files: _zip(files | {"/etc/out.png": b"x"}), "path outside"),
        (lambda files: _zip(files | {"c:\\out.png": b"x"}), "path outside"),
        (lambda files: _zip(_with_manifest(files, path="flow.json")), "not valid"),
        (lambda files: _zip(_with_manifest(files, path="assets/other.png")), "although its manifest lists"),
        (lambda files: _zip(_with_manifest(files, bytes=2**40)), "larger than 200 MiB together"),
        (lambda files: _zip(_with_manifest(files, bytes=-1)), "larger than"),
        (lambda files: _zip(_with_manifest(files, bytes="many")), "manifest of this zip is not valid"),
        (lambda files: _zip({"flow.json": files["flow.json"]}), "it has no manifest.json"),
        (lambda files: _zip({"a.txt": b"x"}), "it has no flow.json"),
        (lambda files: _zip(files | {"flow.json": b"[" * 100_000}), "damaged"),
        (lambda files: _zip(files)[:-40], "damaged"),
        (lambda _: b"PK\x03\x04" + b"\0" * 200, "damaged"),
        (lambda _: b"not a file of ours", "neither a zip nor JSON"),
    ],
)
async def test_unsafe_zip_is_refused_and_stores_nothing(
    person: Any,
    new_person: Any,
    make_flow: Any,
    change: Callable[[dict[str, bytes]], bytes],
    sentence: str,
) -> None:
    data = change(await _exported(person, make_flow))
    other = await new_person("ines")
    response = await _import(other, data)
    expect(response, 422)
    assert sentence in response.json()["detail"]
    assert (await other.client.get("/flows/?include_all=true&mine=true")).json() == []
    assert (await other.client.get("/assets/")).json() == []


async def test_assets_are_not_kept_if_the_agent_is_refused(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = await _exported(person, make_flow)
    document = json.loads(files["flow.json"]) | {"format": 99}
    other = await new_person("ines")
    expect(await _import(other, _zip(files | {"flow.json": json.dumps(document).encode()})), 422)
    assert (await other.client.get("/assets/")).json() == []


class StorageAtGate:
    """A storage of which the second `put_file` waits at a gate and fails once it has stored the file."""

    def __init__(self, storage: Any, gate: asyncio.Event) -> None:
        self._storage, self._gate, self._calls = storage, gate, 0
        self.arrived = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def put_file(self, path: Any, sha256: str) -> None:
        self._calls += 1
        if self._calls == 2:
            self.arrived.set()
            await self._gate.wait()
        await self._storage.put_file(path, sha256)
        if self._calls == 2:
            raise ConnectionError("the connection to the storage was lost")


async def test_a_failed_import_leaves_no_asset_and_no_object(
    person: Any, new_person: Any, make_flow: Any, app_state: Any
) -> None:
    pictures = [await _upload(person, red) for red in (77, 78)]
    data = await _export(person, await make_flow(person, _showing(*pictures)))
    keys = [row.object_key for row in await _rows(app_state)]
    for picture in pictures:
        expect(await person.client.delete(f"/assets/{picture['id']}"), 204)
    other, plain = await new_person("ines"), app_state.storage
    app_state.storage = StorageAtGate(plain, _open())
    try:
        assert (await _import(other, data)).status_code >= 500
    finally:
        app_state.storage = plain
    assert await _rows(app_state) == []
    await sweep(app_state)
    assert [await plain.exists(key) for key in keys] == [False, False]
    assert (await other.client.get("/flows/?include_all=true&mine=true")).json() == []


async def test_an_import_that_fails_does_not_delete_what_another_one_has_stored(
    person: Any, new_person: Any, make_flow: Any, app_state: Any
) -> None:
    pictures = [await _upload(person, red) for red in (4, 5)]
    data = await _export(person, await make_flow(person, _showing(*pictures)))
    other, plain, gate = await new_person("ines"), app_state.storage, asyncio.Event()
    app_state.storage = stopped = StorageAtGate(plain, gate)
    failing = asyncio.create_task(_import(other, data))
    await asyncio.wait_for(stopped.arrived.wait(), 30)
    app_state.storage = plain
    back = await _import(other, data)
    expect(back, 201)
    gate.set()
    assert (await asyncio.wait_for(failing, 30)).status_code >= 500
    await sweep(app_state)
    stored = (await other.client.get("/assets/")).json()
    contents = [await other.client.get(asset["url"].removeprefix("/api/v1")) for asset in stored]
    assert sorted(each.content for each in contents) == sorted([png(4), png(5)])


async def test_an_import_that_is_sent_again_creates_one_agent(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    data = await _export(person, await make_flow(person, _showing(await _upload(person))))
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


def _open() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate


async def _rows(app_state: Any) -> list[AssetRow]:
    async with app_state.database.reading() as session:
        return list(await session.scalars(select(AssetRow)))


async def test_files_that_the_manifest_does_not_list_are_ignored(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = await _exported(person, make_flow) | {"__MACOSX/._flow.json": b"x", "assets/.DS_Store": b"y"}
    other = await new_person("ines")
    back = await _import(other, _zip(files))
    expect(back, 201)
    assert back.json()["files"] == 1


def _referring(count: int, title: str = "Wall") -> dict[str, Any]:
    images = [{"$type": "Image", "asset_id": f"a{index}"} for index in range(count)]
    return flow({"id": "n", "type": "show", "title": title, "settings": {"image": images}})


async def _import_document(person: Any, document: dict[str, Any]) -> Any:
    return await _import(person, json.dumps(document).encode(), "agent.json")


async def test_a_document_of_an_agent_has_no_more_values_than_the_body_of_a_request(person: Any) -> None:
    document = json.dumps(flow() | {"extra": [[]] * 200_000}).encode()
    for data in (document, _zip({"flow.json": document, "manifest.json": _empty_manifest()})):
        response = await _import(person, data)
        expect(response, 413)
        assert response.json()["code"] == "too_many_values"


def _empty_manifest() -> bytes:
    return json.dumps({"kind": "impasto-agent", "format": 1, "files": []}).encode()


async def test_a_large_agent_is_imported_as_it_was_exported(person: Any, make_flow: Any) -> None:
    nodes = [
        {"id": f"n{index}", "type": "ask", "title": "t" * 120, "position": {"x": index, "y": 0}}
        for index in range(4900)
    ] + [{"id": f"m{index}", "type": "ask", "title": "t" * 9000} for index in range(100)]
    made = await make_flow(person, flow(*nodes))
    exported = (await person.client.get(f"/flows/{made['id']}/export/file")).content
    assert 1.5 * 2**20 < len(exported) < 2 * 2**20 < len(json.dumps(json.loads(exported), indent=2))
    back = await _import(person, exported, "agent.json")
    expect(back, 201)
    assert len(back.json()["flow"]["flow"]["nodes"]) == 5000


async def test_a_document_that_could_not_be_saved_is_refused(person: Any) -> None:
    document = json.dumps(flow({"id": "n", "type": "ask", "title": "t" * 2_200_000})).encode()
    for data in (document, _zip({"flow.json": document, "manifest.json": _empty_manifest()})):
        response = await _import(person, data)
        expect(response, 422)
        assert response.json()["detail"] == "This flow document is larger than 2 MiB."


async def test_an_agent_that_refers_to_thousands_of_files_is_refused(person: Any) -> None:
    response = await _import_document(person, _referring(2001))
    expect(response, 422)
    assert "refers to 2,001 files, brands and agents; the limit is 2,000" in response.json()["detail"]


async def test_long_titles_are_cut_where_missing_parts_are_named(person: Any) -> None:
    response = await _import_document(person, _referring(2, "t" * 5000))
    expect(response, 201)
    assert [part["nodes"] for part in response.json()["missing"]] == [["t" * 120], ["t" * 120]]


async def test_a_missing_part_is_named_once_with_each_of_its_nodes(person: Any) -> None:
    used = {"settings": {"image": {"$type": "Image", "asset_id": "gone", "name": "cup.png"}}, "type": "show"}
    titles = ("A", "B", "A")
    nodes = [{"id": f"n{index}", "title": title, **used} for index, title in enumerate(titles)]
    response = await _import_document(person, flow(*nodes))
    assert response.json()["missing"] == [{"kind": "file", "name": "cup.png", "nodes": ["A", "B"]}]


@pytest.mark.parametrize(
    "odd",
    [
        {"$type": "Image", "asset_id": "gone"},
        {"note": {"$type": "Brand", "saved": ["gone"]}},
        {"note": {"$type": ["Image"], "asset_id": {"id": "gone"}}},
    ],
)
async def test_odd_values_of_a_stranger_are_no_server_error(person: Any, odd: dict[str, Any]) -> None:
    response = await _import_document(person, flow() | odd)
    expect(response, 201)
    assert response.json()["missing"] == []


async def test_a_name_and_a_description_that_are_no_text_are_not_shown(person: Any) -> None:
    response = await _import_document(person, flow() | {"name": {"en": "Cup"}, "description": ["x"]})
    expect(response, 201)
    made = response.json()["flow"]
    assert (made["name"], made["description"]) == ("Imported agent", "")
