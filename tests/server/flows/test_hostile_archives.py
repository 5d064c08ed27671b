"""Zips and documents from strangers: unsafe, too large, or of odd values."""

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.flows.archives import (
    empty_manifest,
    exported,
    import_document,
    import_file,
    packed,
    referring,
)
from tests.server.responses import expect
from tests.server.sample_nodes import flow, png

pytestmark = pytest.mark.anyio


def _with_manifest(files: dict[str, bytes], **changes: Any) -> dict[str, bytes]:
    manifest = json.loads(files["manifest.json"])
    manifest["files"][0] |= changes
    return files | {"manifest.json": json.dumps(manifest).encode()}


def _swapped(files: dict[str, bytes]) -> bytes:
    return packed(files | {"assets/cup.png": png(9)})


def _of_another_type(files: dict[str, bytes]) -> bytes:
    words = b"these are words"
    digest = hashlib.sha256(words).hexdigest()
    return packed(_with_manifest(files, bytes=len(words), sha256=digest) | {"assets/cup.png": words})


def _with_a_link(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO(packed(files))
    with zipfile.ZipFile(buffer, "a") as archive:
        link = zipfile.ZipInfo("assets/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return buffer.getvalue()


def _encrypted(files: dict[str, bytes]) -> bytes:
    data = bytearray(packed(files))
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


def _twice(files: dict[str, bytes]) -> bytes:
    return packed(files | {"Flow.json": b"{}"})


def _bomb(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO(packed({name: data for name, data in files.items() if name != "flow.json"}))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("flow.json", b" " * 2**23)
    return buffer.getvalue()


def _huge_index(files: dict[str, bytes]) -> bytes:
    return packed(files | {f"{index}-{'x' * 200}": b"" for index in range(6000)})


def _ten_thousand(files: dict[str, bytes]) -> bytes:
    return packed(files | {f"{index}": b"" for index in range(10_000)} | {"last": b""})


def _lying_about_sizes(files: dict[str, bytes]) -> bytes:
    """The index states the size of the manifest, the content is longer."""
    data = bytearray(packed(_with_manifest(files, bytes=5)))
    at = data.index(b"assets/cup.png", data.index(b"PK\x01\x02")) - 46
    struct.pack_into("<I", data, at + 24, 5)
    return bytes(data)


UNSAFE: tuple[tuple[Callable[[dict[str, bytes]], bytes], str], ...] = (
    (_swapped, "is not the file that was exported"),
    (_of_another_type, "is refused"),
    (
        lambda files: packed(_with_manifest(files, media_type=f"video/{'x' * 55}")),
        f"cup.png in this zip is image/png, not video/{'x' * 54}.",  # its first 60 characters
    ),
    (_with_a_link, "is a link"),
    (_encrypted, "is encrypted"),
    (_twice, "two files with the name"),
    (_bomb, "flow.json in this zip is larger than 4 MiB"),
    (_huge_index, "lists too many files"),
    (_ten_thousand, "has 10,004 files; the limit is 2,000"),
    (_lying_about_sizes, "damaged"),
    (lambda files: packed(files | {"../out.png": b"x"}), "path outside"),
    (lambda files: packed(files | {"/etc/out.png": b"x"}), "path outside"),
    (lambda files: packed(files | {"c:\\out.png": b"x"}), "path outside"),
    (lambda files: packed(_with_manifest(files, path="flow.json")), "not valid"),
    (lambda files: packed(_with_manifest(files, path="assets/other.png")), "although its manifest lists"),
    (lambda files: packed(_with_manifest(files, bytes=2**40)), "larger than 200 MiB together"),
    (lambda files: packed(_with_manifest(files, bytes=-1)), "larger than"),
    (lambda files: packed(_with_manifest(files, bytes="many")), "manifest of this zip is not valid"),
    (lambda files: packed({"flow.json": files["flow.json"]}), "it has no manifest.json"),
    (lambda files: packed({"a.txt": b"x"}), "it has no flow.json"),
    (lambda files: packed(files | {"flow.json": b"[" * 100_000}), "damaged"),
    (lambda files: packed(files)[:-40], "damaged"),
    (lambda _: b"PK\x03\x04" + b"\0" * 200, "damaged"),
    (lambda _: b"not a file of ours", "neither a zip nor JSON"),
)


async def test_unsafe_zip_is_refused_and_stores_nothing(person: Any, new_person: Any, make_flow: Any) -> None:
    files = await exported(person, make_flow)
    other = await new_person("ines")
    for change, sentence in UNSAFE:
        response = await import_file(other, change(files))
        expect(response, 422, reason=sentence)
        assert sentence in response.json()["detail"]
    assert (await other.client.get("/flows/?include_all=true&mine=true")).json() == []
    assert (await other.client.get("/assets/")).json() == []


async def test_a_document_of_an_agent_has_no_more_values_than_the_body_of_a_request(person: Any) -> None:
    document = json.dumps(flow() | {"extra": [[]] * 200_000}).encode()
    for data in (document, packed({"flow.json": document, "manifest.json": empty_manifest()})):
        response = await import_file(person, data)
        expect(response, 413)
        assert response.json()["code"] == "too_many_values"
    for values, status in ((149_999, 422), (150_000, 413)):
        expect(await import_file(person, b"[" + b",".join([b"0"] * values) + b"]"), status)


async def test_a_document_that_could_not_be_saved_is_refused(person: Any) -> None:
    document = json.dumps(flow({"id": "n", "type": "ask", "title": "t" * 2_200_000})).encode()
    for data in (document, packed({"flow.json": document, "manifest.json": empty_manifest()})):
        response = await import_file(person, data)
        expect(response, 422)
        assert response.json()["detail"] == "This flow document is larger than 2 MiB."
    for size, sentence in ((2**22, "lists of nodes and edges"), (2**22 + 1, "larger than 4 MiB.")):
        response = await import_file(person, b"{}".ljust(size))
        assert sentence in expect(response, 422).json()["detail"]


async def test_an_agent_that_refers_to_thousands_of_files_is_refused(person: Any) -> None:
    response = await import_document(person, referring(2001))
    expect(response, 422)
    assert "refers to 2,001 files, brands and agents; the limit is 2,000" in response.json()["detail"]


async def test_odd_values_of_a_stranger_are_no_server_error(person: Any) -> None:
    odd: dict[str, Any]
    for odd in (
        {"$type": "Image", "asset_id": "gone"},
        {"note": {"$type": "Brand", "saved": ["gone"]}},
        {"note": {"$type": ["Image"], "asset_id": {"id": "gone"}}},
    ):
        response = await import_document(person, flow() | odd)
        expect(response, 201, reason=str(odd))
        assert response.json()["missing"] == []


async def test_a_name_and_a_description_that_are_no_text_are_not_shown(person: Any) -> None:
    response = await import_document(person, flow() | {"name": {"en": "Cup"}, "description": ["x"]})
    expect(response, 201)
    made = response.json()["flow"]
    assert (made["name"], made["description"]) == ("Imported agent", "")
