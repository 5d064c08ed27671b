"""The zip of an exported agent: what is read of it, and what is refused, at each limit."""

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from impasto.document.archive import (
    ArchivedBrand,
    ArchivedFile,
    MissingPart,
    dump_manifest,
    is_archive,
    open_archive,
    shown,
)
from impasto.errors import ArchiveInvalid

CUP = b"a cup"
DAMAGED = "This zip is damaged, or is no agent that was exported from Impasto."
NO_AGENT = "This zip is no agent that was exported from Impasto."
CHANGED = "assets/cup.png in this zip is not the file that was exported."


def stated(number: int = 0, data: bytes = CUP, **changes: Any) -> dict[str, Any]:
    """What a manifest states of a file."""
    name = "cup.png" if number == 0 else f"cup{number}.png"
    facts = {"path": f"assets/{name}", "asset_id": f"a{number}", "name": name, "media_type": "image/png"}
    return facts | {"bytes": len(data), "sha256": sha256(data).hexdigest()} | changes


def manifest(*files: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({"kind": "impasto-agent", "format": 1, "files": files} | changes).encode()


def zipped(
    folder: Path,
    files: dict[str, bytes] | None = None,
    said: bytes | None = None,
    document: bytes = b"{}",
    method: int = zipfile.ZIP_STORED,
) -> Path:
    """Write a zip with a document, a manifest and files, by default with the cup."""
    files = {"assets/cup.png": CUP} if files is None else files
    path = folder / "agent.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("flow.json", document)
        archive.writestr("manifest.json", manifest(stated()) if said is None else said)
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def refusal(path: Path, max_bytes: int = 100) -> str:
    """Why a zip is refused; empty if it is opened."""
    try:
        with open_archive(path, max_bytes):
            return ""
    except ArchiveInvalid as error:
        return str(error)


def test_exported_agent_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = ArchivedFile("assets/cup.png", "a0", "cup.png", "image/png", len(CUP), sha256(CUP).hexdigest())
    missing, brand = MissingPart("agent", "f1", "Inner", ["Title"]), ArchivedBrand("b1", "Acme", {"ink": 1})
    path = zipped(tmp_path, said=dump_manifest([file], [missing], [brand]), document=b'{"nodes": []}')
    with open_archive(path, len(CUP)) as archive:
        assert (archive.document_json, archive.document()) == (b'{"nodes": []}', {"nodes": []})
        assert (archive.manifest.kind, archive.manifest.format) == ("impasto-agent", 1)
        assert archive.manifest.files == [file]
        assert (archive.manifest.missing, archive.manifest.brands) == ([missing], [brand])
        archive.extract(file, tmp_path / "out.png")
    assert (tmp_path / "out.png").read_bytes() == CUP


def test_manifest_is_indented_json() -> None:
    assert dump_manifest([], []) == (
        b'{\n  "kind": "impasto-agent",\n  "format": 1,\n  "files": [],\n  "missing": [],\n  "brands": []\n}'
    )


def test_manifest_without_missing_parts_and_brands_has_none(tmp_path: Path) -> None:
    with open_archive(zipped(tmp_path), 100) as archive:
        assert (archive.manifest.missing, archive.manifest.brands) == ([], [])


@pytest.mark.parametrize(
    ("data", "is_zip"),
    [(b"PK\x03\x04 and more", True), (b"PK\x05\x06", True), (b"PK\x01\x02", False), (b"PK", False)],
    ids=["files", "empty", "index", "short"],
)
def test_zip_is_known_by_how_it_begins(tmp_path: Path, data: bytes, is_zip: bool) -> None:
    (tmp_path / "file").write_bytes(data)
    assert is_archive(tmp_path / "file") is is_zip


def test_name_is_shown_without_signs_that_no_reader_sees() -> None:
    assert shown("a\u202eb\nc d") == "a?b?c d"
    assert shown("x" * 101) == "x" * 100


def test_zip_has_at_most_2000_entries(tmp_path: Path) -> None:
    others = {f"other/{number}": b"" for number in range(1997)}
    assert refusal(zipped(tmp_path, {"assets/cup.png": CUP} | others)) == ""
    others["other/last"] = b""
    assert refusal(zipped(tmp_path, {"assets/cup.png": CUP} | others)) == (
        "This zip has 2,001 files; the limit is 2,000."
    )


def test_agent_has_at_most_500_files_of_a_size_together(tmp_path: Path) -> None:
    def path_of(number: int) -> Path:
        found = [stated(each, b"1") for each in range(number)]
        return zipped(tmp_path, {file["path"]: b"1" for file in found}, manifest(*found))

    assert refusal(path_of(500), 500) == ""
    assert refusal(path_of(501), 501) == "This agent has 501 files; the limit is 500."
    assert refusal(path_of(3), 2) == "The files of this agent are larger than 0 MiB together."
    assert refusal(zipped(tmp_path, {"assets/cup.png": b""}, manifest(stated(data=b"")))) == ""
    negative = manifest(stated(bytes=-1))
    assert refusal(zipped(tmp_path, said=negative), 1_600_000_000) == (
        "The files of this agent are larger than 1,526 MiB together."
    )


@pytest.mark.parametrize("name", ["flow.json", "manifest.json"])
def test_document_and_manifest_have_at_most_4_mib(tmp_path: Path, name: str) -> None:
    for size, why in ((2**22, ""), (2**22 + 1, f"{name} in this zip is larger than 4 MiB.")):
        parts = {"said" if name == "manifest.json" else "document": manifest().ljust(size)}
        path = zipped(tmp_path, {}, **({"said": manifest()} | parts), method=zipfile.ZIP_DEFLATED)
        assert refusal(path) == why


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"[]", DAMAGED),
        (b"{", DAMAGED),
        (manifest(kind="other"), NO_AGENT),
        (manifest(format=2), "This agent was exported by a newer Impasto. Update this one first."),
        (b'{"format": 1, "files": []}', NO_AGENT),
        (
            b'{"kind": "impasto-agent", "format": 1}',
            "The manifest of this zip is not valid: Object missing required field `files`.",
        ),
        (
            manifest(stated(), stated(1, asset_id="a0")),
            "The manifest of this zip lists a file twice.",
        ),
        (
            manifest(stated(), stated(1, path="assets/cup.png")),
            "The manifest of this zip lists a file twice.",
        ),
        (manifest(stated(path="flow.json")), "The manifest of this zip is not valid: flow.json."),
        (manifest(stated(sha256="0" * 63)), "The manifest of this zip is not valid: assets/cup.png."),
        (manifest(stated(sha256="0" * 65)), "The manifest of this zip is not valid: assets/cup.png."),
        (manifest(stated(1)), "assets/cup1.png is not in this zip, although its manifest lists it."),
        (manifest(stated(bytes=4)), CHANGED),
        (manifest(stated(bytes=6)), CHANGED),
    ],
    ids=[
        "a list",
        "no json",
        "other kind",
        "newer",
        "no kind",
        "no files",
        "equal ids",
        "equal paths",
        "other folder",
        "short digest",
        "long digest",
        "no such entry",
        "shorter",
        "longer",
    ],
)
def test_manifest_that_does_not_fit_the_zip_is_refused(tmp_path: Path, said: bytes, why: str) -> None:
    assert refusal(zipped(tmp_path, said=said)) == why


def test_numbers_of_a_document_are_read_as_they_are_written(tmp_path: Path) -> None:
    with open_archive(zipped(tmp_path, document=b'{"a": [1180591620717411303424, 0.5]}'), 100) as archive:
        assert archive.document() == {"a": [2**70, 0.5]}


@pytest.mark.parametrize("document", [b"[]", b"{", b"null"])
def test_document_that_is_no_object_is_refused_once_it_is_read(tmp_path: Path, document: bytes) -> None:
    with open_archive(zipped(tmp_path, document=document), 100) as archive:
        assert archive.document_json == document
        with pytest.raises(ArchiveInvalid) as refused:
            archive.document()
    assert str(refused.value) == DAMAGED


@pytest.mark.parametrize(
    "name", ["/out", "..", "a/../out", "a\\..\\out", "\\out", "c:out", "c:\\out"], ids=str
)
def test_entry_with_a_path_outside_of_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path, {"assets/cup.png": CUP, name: b""})
    assert refusal(path) == f"{name} in this zip has a path outside of it."


@pytest.mark.parametrize("name", ["a..b", "a/c:out", "folder/", "a\\b"], ids=str)
def test_entry_with_an_odd_name_inside_of_the_zip_is_left_alone(tmp_path: Path, name: str) -> None:
    assert refusal(zipped(tmp_path, {"assets/cup.png": CUP, name: b""})) == ""


def test_entry_whose_name_has_a_zero_byte_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"assets/cup.png": CUP, "other#.png": b""})
    path.write_bytes(path.read_bytes().replace(b"other#", b"other\0"))
    assert refusal(path) == "other in this zip has a path outside of it."


def test_two_entries_with_one_name_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"assets/cup.png": CUP, "other/STRASSE": b"", "other/straße": b""})
    assert refusal(path) == "This zip has two files with the name other/straße."


def test_link_and_unknown_compression_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("other")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc")
    assert refusal(path) == "other in this zip is a link, not a file."
    assert refusal(zipped(tmp_path, method=zipfile.ZIP_BZIP2)) == (
        "flow.json in this zip is compressed in a way that is not supported."
    )


def test_encrypted_entry_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path)
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert refusal(path) == "assets/cup.png in this zip is encrypted. Export the agent again."


@pytest.mark.parametrize("missing", ["flow.json", "manifest.json"])
def test_zip_without_a_document_or_a_manifest_is_no_agent(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "agent.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (("flow.json", b"{}"), ("manifest.json", manifest())):
            if name != missing:
                archive.writestr(name, data)
    assert refusal(path) == f"This zip is no exported agent: it has no {missing}."


def test_index_of_a_zip_has_at_most_1_mib(tmp_path: Path) -> None:
    def path_of(size: int) -> Path:
        """A zip whose index has this many bytes: 46 for each entry, its name and its comment."""
        buffer, path = io.BytesIO(), tmp_path / "agent.zip"
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("flow.json", b"{}")
            archive.writestr("manifest.json", manifest())
            size -= 2 * 46 + len("flow.json" + "manifest.json")
            while size > 0:
                more = min(size, 60_000) if size > 60_100 or size <= 60_000 else 30_000
                entry = zipfile.ZipInfo(f"{len(archive.infolist()):04}")
                entry.comment = b"x" * (more - 46 - 4)
                archive.writestr(entry, b"")
                size -= more
        path.write_bytes(buffer.getvalue())
        return path

    assert refusal(path_of(2**20)) == ""
    assert refusal(path_of(2**20 + 1)) == "This zip lists too many files."


@pytest.mark.parametrize("data", [b"a cap", b"a cup!"], ids=["other content", "longer"])
def test_file_with_other_content_than_its_manifest_states_is_refused(tmp_path: Path, data: bytes) -> None:
    facts = stated(data=data, sha256=sha256(CUP).hexdigest())
    path = zipped(tmp_path, {"assets/cup.png": data}, manifest(facts))
    with open_archive(path, 100) as archive, pytest.raises(ArchiveInvalid) as refused:
        archive.extract(archive.manifest.files[0], tmp_path / "out.png")
    assert str(refused.value) == CHANGED


def test_file_of_many_pieces_is_extracted_whole(tmp_path: Path) -> None:
    data = bytes(range(256)) * 10_000
    path = zipped(
        tmp_path, {"assets/cup.png": data}, manifest(stated(data=data)), method=zipfile.ZIP_DEFLATED
    )
    with open_archive(path, len(data)) as archive:
        archive.extract(archive.manifest.files[0], tmp_path / "out.png")
    assert (tmp_path / "out.png").read_bytes() == data


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + b"\0" * 200], ids=["empty", "zeros"])
def test_file_that_is_no_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "agent.zip"
    path.write_bytes(data)
    assert refusal(path) == DAMAGED
