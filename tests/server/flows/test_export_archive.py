"""The contents of an exported agent: its document, its assets, and missing parts."""

import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.server.flows.archives import export, import_file, showing, unpacked, upload
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png

from impasto_server.flows import export_archive
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


async def test_agent_without_assets_is_exported_as_json(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    response = await person.client.get(f"/flows/{made['id']}/export/file")
    assert response.headers["content-type"] == "application/json"
    assert response.headers["content-disposition"] == 'attachment; filename="agent.json"'
    assert response.json() == (await person.client.get(f"/flows/{made['id']}/export")).json()
    back = await import_file(person, response.content, "agent.json")
    expect(back, 201)
    assert (back.json()["files"], back.json()["missing"], back.headers["etag"]) == (0, [], '"1"')


async def test_zip_has_the_document_the_assets_and_a_manifest(
    person: Any, make_flow: Any, clock: Any
) -> None:
    clock.travel(minutes=10)
    first, second = await upload(person, 1, "Cup.png"), await upload(person, 2, "cup.png")
    made = await make_flow(person, showing(first, second, first))
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    size = len(png(1))
    assert contents == {
        "files": [
            {"name": name, "media_type": "image/png", "bytes": size} for name in ("Cup.png", "cup.png")
        ],
        "brands": [],
        "bytes": 2 * size,
        "missing": [],
    }
    response = await person.client.get(f"/flows/{made['id']}/export/file")
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["content-disposition"] == 'attachment; filename="agent.zip"'
    files = unpacked(response.content)
    assert list(files) == ["flow.json", "assets/Cup.png", "assets/cup (2).png", "manifest.json"]
    assert files["assets/cup (2).png"] == png(2)
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        document, image, *_, last = archive.infolist()
    packed = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    assert (document.compress_type, image.compress_type, last.compress_type) == packed
    created = datetime.fromisoformat(first["created_at"])
    assert abs(datetime(*image.date_time, tzinfo=UTC) - created) < timedelta(seconds=3)
    manifest = json.loads(files["manifest.json"])
    assert manifest["files"][0] == {
        "path": "assets/Cup.png",
        "asset_id": first["id"],
        "name": "Cup.png",
        "media_type": "image/png",
        "bytes": len(png(1)),
        "sha256": hashlib.sha256(png(1)).hexdigest(),
    }


async def test_assets_of_another_user_are_neither_exported_nor_referred_to(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    asset = await upload(person)
    made = await make_flow(person, showing(asset))
    document = (await person.client.get(f"/flows/{made['id']}/export")).json()
    other = await new_person("ines")
    back = await import_file(other, json.dumps(document).encode(), "agent.json")
    expect(back, 201)
    assert back.json()["missing"] == [{"kind": "file", "name": "cup.png", "nodes": ["Picture 0"]}]
    assert asset["id"] not in back.text
    stolen = await make_flow(other, showing(asset))
    response = await other.client.get(f"/flows/{stolen['id']}/export/file")
    assert response.headers["content-type"] == "application/json"


async def test_zip_is_an_export_of_which_a_user_has_one_at_a_time(
    person: Any, app_state: Any, make_flow: Any
) -> None:
    made = await make_flow(person, showing(await upload(person)))
    plain = await make_flow(person, flow("shout"))
    async with app_state.database.reading() as session:
        user = await session.get(User, await person.id())
    async with app_state.slots.hold(user, "exports"):
        refused = await person.client.get(f"/flows/{made['id']}/export/file")
        expect(refused, 429, code="exports_limit")
        expect(await person.client.get(f"/flows/{plain['id']}/export/file"), 200)
    for _ in range(2):
        await export(person, made)


async def test_file_that_is_deleted_during_the_export_is_named_as_missing(
    person: Any, app_state: Any, make_flow: Any
) -> None:
    kept, gone = await upload(person, 1, f"{'k' * 81}.{'p' * 12}"), await upload(person, 2, "gone.png")
    path = f"assets/{'k' * 80}.{'p' * 11}"  # the stem and the suffix are shortened
    made = await make_flow(person, showing(kept, gone))
    async with app_state.database.reading() as session:
        user = await session.get(User, await person.id())
        planned = await export_archive.plan(session, app_state, user, made["id"])
    assert (planned.is_zip, planned.missing) == (True, ())
    await app_state.storage.delete(content_key(gone["sha256"]))
    files = unpacked(b"".join([piece async for piece in planned.stream_zip(app_state)]))
    assert list(files) == ["flow.json", path, "manifest.json"]
    manifest = json.loads(files["manifest.json"])
    assert [file["path"] for file in manifest["files"]] == [path]
    assert manifest["missing"] == [{"kind": "file", "id": gone["id"], "name": "gone.png", "nodes": []}]


async def test_deleted_assets_are_named_before_the_export(person: Any, make_flow: Any) -> None:
    kept, deleted = await upload(person, 1, "kept.png"), await upload(person, 2, "gone.png")
    made = await make_flow(person, showing(kept, deleted))
    expect(await person.client.delete(f"/assets/{deleted['id']}"), 204)
    missing = [{"kind": "file", "name": "gone.png", "nodes": ["Picture 1"]}]
    contents = (await person.client.get(f"/flows/{made['id']}/export/contents")).json()
    assert contents["missing"] == missing
    exported = await export(person, made)
    manifest = json.loads(unpacked(exported)["manifest.json"])
    assert [part["name"] for part in manifest["missing"]] == ["gone.png"]
    back = await import_file(person, exported)
    assert back.json()["missing"] == missing
    assert back.json()["flow"]["flow"]["nodes"][1]["settings"] == {}
