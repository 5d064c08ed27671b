"""Agents with assets, their exported files, and zips made for an import."""

import io
import json
import zipfile
from typing import Any

from tests.server.responses import expect
from tests.server.sample_nodes import flow, png


async def upload(person: Any, red: int = 4, name: str = "cup.png") -> dict[str, Any]:
    response = await person.client.post("/assets/", files={"file": (name, png(red), "image/png")})
    expect(response, 201)
    return dict(response.json())


def image_value(asset: dict[str, Any]) -> dict[str, Any]:
    return {
        "$type": "Image",
        **{key: asset[key] for key in ("media_type", "bytes", "sha256", "name", "width", "height")},
        "asset_id": asset["id"],
    }


def showing(*assets: dict[str, Any]) -> dict[str, Any]:
    return flow(
        *(
            {
                "id": f"n{index}",
                "type": "show",
                "title": f"Picture {index}",
                "settings": {"image": image_value(asset)},
            }
            for index, asset in enumerate(assets)
        )
    )


async def export(person: Any, made: dict[str, Any]) -> bytes:
    response = await person.client.get(f"/flows/{made['id']}/export/file")
    expect(response, 200)
    return bytes(response.content)


async def import_file(person: Any, data: bytes, name: str = "agent.zip") -> Any:
    return await person.client.post("/flows/import/file", files={"file": (name, data)})


async def import_document(person: Any, document: dict[str, Any]) -> Any:
    return await import_file(person, json.dumps(document).encode(), "agent.json")


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


async def exported(person: Any, make_flow: Any) -> dict[str, bytes]:
    made = await make_flow(person, showing(await upload(person)))
    return unpacked(await export(person, made))


def empty_manifest() -> bytes:
    return json.dumps({"kind": "impasto-agent", "format": 1, "files": []}).encode()


def referring(count: int, title: str = "Wall") -> dict[str, Any]:
    """Return a flow whose node refers to images that do not exist."""
    images = [{"$type": "Image", "asset_id": f"a{index}"} for index in range(count)]
    return flow({"id": "n", "type": "show", "title": title, "settings": {"image": images}})
