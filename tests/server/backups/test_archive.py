"""The file of a backup: its members, its manifest, and how damage is noticed."""

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from impasto_server.backups import archive
from impasto_server.backups.errors import ArchiveInvalid, BackupError

pytestmark = pytest.mark.anyio
HEAD = orjson.dumps({"format": 1})
LARGE = bytes(range(256)) * 3000


async def pieces(*found: bytes) -> AsyncIterator[bytes]:
    for piece in found:
        yield piece


async def made(path: Path) -> Path:
    """Return an archive with a head, a member from memory and one from a stream."""
    with archive.writing(path, 1_800_000_000.9) as writer:
        writer.add_bytes("backup.json", HEAD)
        writer.add_bytes("tables/a", b"row\n")
        await writer.add_stream("files/b", len(LARGE), pieces(LARGE[:1000], LARGE[1000:]))
    return path


def line(name: str, data: bytes) -> bytes:
    return (
        orjson.dumps({"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}) + b"\n"
    )


def packed(path: Path, *members: tuple[str, bytes]) -> Path:
    """Write an archive with these members, as they are."""
    with tarfile.open(path, "w") as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def read(path: Path) -> dict[str, bytes]:
    with archive.reading(path) as reader:
        return {member.name: member.file.read() for member in reader.members()}


@pytest.mark.parametrize("name", ["backup.tar", "backup.tar.gz"])
async def test_members_are_read_as_they_were_written(tmp_path: Path, name: str) -> None:
    path = await made(tmp_path / name)
    assert read(path) == {"tables/a": b"row\n", "files/b": LARGE}
    assert (path.read_bytes()[:2] == b"\x1f\x8b") is name.endswith(".gz")
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


async def test_archive_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synchronized = tmp_path / "backup.tar", list[tuple[int, int, bool]]()

    def synchronize(descriptor: int) -> None:
        found = os.fstat(descriptor)
        synchronized.append((found.st_ino, found.st_size, path.exists()))

    monkeypatch.setattr(os, "fsync", synchronize)
    await made(path)
    assert synchronized == [(path.stat().st_ino, path.stat().st_size, False)]


async def test_archive_is_one_that_other_programs_read(tmp_path: Path) -> None:
    path = await made(tmp_path / "backup.tar")
    manifest = line("backup.json", HEAD) + line("tables/a", b"row\n") + line("files/b", LARGE)
    with tarfile.open(path) as tar:
        found = {info.name: tar.extractfile(info).read() for info in tar}  # type: ignore[union-attr]
        assert {(info.mode, info.mtime) for info in tar} == {(0o600, 1_800_000_000)}
    assert found == {"backup.json": HEAD, "tables/a": b"row\n", "files/b": LARGE, "manifest.jsonl": manifest}
    heads, contents = 4 * 512, 512 + 512 + len(LARGE) + 512
    assert path.stat().st_size == heads + contents + 1024
    assert path.read_bytes().endswith(bytes(1024))


async def test_member_that_is_not_read_is_checked_too(tmp_path: Path) -> None:
    path = await made(tmp_path / "backup.tar")
    with archive.reading(path) as reader:
        assert [(member.name, member.size) for member in reader.members()] == [
            ("tables/a", 4),
            ("files/b", len(LARGE)),
        ]
    path.write_bytes(path.read_bytes().replace(b"row\n", b"raw\n"))
    with archive.reading(path) as reader, pytest.raises(ArchiveInvalid, match="tables/a differs"):
        list(reader.members())


@pytest.mark.parametrize("size", [2, 4])
async def test_stream_of_another_size_stops_the_backup(tmp_path: Path, size: int) -> None:
    path = tmp_path / "backup.tar"
    with pytest.raises(BackupError, match=f"3 bytes instead of {size}"), archive.writing(path, 0) as writer:
        await writer.add_stream("files/b", size, pieces(b"abc"))
    assert list(tmp_path.iterdir()) == []


def test_existing_file_and_missing_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "backup.tar").write_bytes(b"mine")
    with pytest.raises(BackupError, match="exists already"), archive.writing(tmp_path / "backup.tar", 0):
        pass
    assert (tmp_path / "backup.tar").read_bytes() == b"mine"
    with pytest.raises(BackupError, match="No such file"), archive.writing(tmp_path / "none" / "b.tar", 0):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"words",
        gzip.compress(b"words"),
        gzip.compress(b"words" * 999)[:-20],
    ],
    ids=["empty", "words", "compressed words", "half a file"],  # the same in each process of the suite
)
def test_other_file_is_no_backup(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ArchiveInvalid, match="not a backup of Impasto"), archive.reading(path):
        pass


@pytest.mark.parametrize(
    ("name", "head", "sentence"),
    [
        ("other.json", HEAD, "not a backup"),
        ("backup.json", b"{", "not a backup"),
        ("backup.json", b"[1]", "not a backup"),
        ("backup.json", b'{"format": 2}', "has format 2, and this version reads format 1"),
        ("backup.json", b"{}", "has format None"),
        ("backup.json", HEAD + b" " * (2**20 + 1 - len(HEAD)), "not a backup"),
    ],
)
def test_archive_with_another_head_is_refused(tmp_path: Path, name: str, head: bytes, sentence: str) -> None:
    path = packed(tmp_path / "file", (name, head))
    with pytest.raises(ArchiveInvalid, match=sentence), archive.reading(path):
        pass


def test_head_of_a_mebibyte_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "file", ("backup.json", HEAD + b" " * (2**20 - len(HEAD))))
    with archive.reading(path) as reader:
        assert reader.head == {"format": 1}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([line("backup.json", HEAD), line("files/a", b"b")], "files/a differs"),
        ([line("backup.json", b"x"), line("files/a", b"a")], "backup.json differs"),
        ([line("backup.json", HEAD)], "other members"),
        ([line("backup.json", HEAD), line("files/a", b"a"), line("files/b", b"b")], "other members"),
        ([], "other members"),
    ],
)
def test_manifest_that_lists_other_members_is_refused(
    tmp_path: Path, lines: list[bytes], sentence: str
) -> None:
    path = packed(
        tmp_path / "file", ("backup.json", HEAD), ("files/a", b"a"), ("manifest.jsonl", b"".join(lines))
    )
    with pytest.raises(ArchiveInvalid, match=sentence):
        read(path)


def test_archive_without_its_manifest_is_incomplete(tmp_path: Path) -> None:
    path = packed(tmp_path / "file", ("backup.json", HEAD), ("files/a", b"a"))
    with pytest.raises(ArchiveInvalid, match="manifest is missing"):
        read(path)


def test_member_that_is_no_file_is_refused(tmp_path: Path) -> None:
    for names, sentence in (
        (["backup.json", "files"], "manifest is missing"),
        (["backup.json"], "not a backup"),
    ):
        path = packed(tmp_path / "file", *[(each, HEAD) for each in names[:-1]])
        with tarfile.open(path, "a") as tar:
            folder = tarfile.TarInfo(names[-1])
            folder.type = tarfile.DIRTYPE
            tar.addfile(folder)
        with pytest.raises(ArchiveInvalid, match=sentence):
            read(path)


@pytest.mark.parametrize("name", ["backup.tar", "backup.tar.gz"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
async def test_cut_archive_is_refused(tmp_path: Path, name: str, share: float) -> None:
    path = await made(tmp_path / name)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ArchiveInvalid):
        read(path)


def test_json_ends_with_a_line_break() -> None:
    found: Any = {"a": 1}
    assert archive.to_json(found) == b'{\n  "a": 1\n}\n'
