"""Provenance in MP4 files, byte for byte."""

import struct
from pathlib import Path

import pytest

from impasto_server.assets.metadata import iso
from impasto_server.assets.metadata.xmp import MalformedFile, pack

XMP = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")


def box(kind: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I4s", 8 + len(body), kind) + body


def long_box(kind: bytes, body: bytes) -> bytes:
    """Return a box whose size has 64 bits."""
    return struct.pack(">I4sQ", 1, kind, 16 + len(body)) + body


START = box(b"ftyp", b"isom") + box(b"mdat", b"frames")
NEW, OLD = box(b"uuid", XMP + pack("new", "urn:made")), box(b"uuid", XMP + pack("old"))
FOREIGN = box(b"uuid", XMP + b"<x:xmpmeta>of another program</x:xmpmeta>")
OTHER_UUID = box(b"uuid", bytes(16) + pack("other"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (START, START + NEW),
        (START + OLD, START + NEW),
        (START + FOREIGN, START + FOREIGN + NEW),
        (START + OTHER_UUID, START + OTHER_UUID + NEW),
        (START + box(b"uuid", XMP), START + box(b"uuid", XMP) + NEW),
        (START + box(b"uuid", XMP[:8]), START + box(b"uuid", XMP[:8]) + NEW),
        (START + long_box(b"mdat", b"frames"), START + long_box(b"mdat", b"frames") + NEW),
        (START + box(b"free"), START + box(b"free") + NEW),
        (b"", NEW),
    ],
    ids=[
        "no packet",
        "own packet",
        "foreign packet",
        "other uuid",
        "empty uuid",
        "half a uuid",
        "64-bit size",
        "empty box",
        "empty file",
    ],
)
def test_packet_is_written_at_the_end(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "file.mp4"
    path.write_bytes(before)
    iso.write(path, "new", "urn:made")
    assert path.read_bytes() == after
    assert iso.read(path) == "new"


def test_own_packet_is_read_beside_other_boxes(tmp_path: Path) -> None:
    path = tmp_path / "file.mp4"
    path.write_bytes(START + FOREIGN + OLD + box(b"free"))
    assert iso.read(path) == "old"


@pytest.mark.parametrize(
    "data",
    [START, START + FOREIGN, START + OTHER_UUID, START + box(b"free", NEW[8:])],
    ids=["no packet", "foreign packet", "other uuid", "other box"],
)
def test_other_boxes_are_not_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.mp4"
    path.write_bytes(data)
    assert iso.read(path) is None


@pytest.mark.parametrize(
    "last",
    [
        box(b"free", b"x")[:-1],
        struct.pack(">I4s", 0, b"mdat") + b"to the end of the file",
        struct.pack(">I4s", 7, b"free"),
        struct.pack(">I4s", 1, b"mdat") + b"\0\0",
        struct.pack(">I4sQ", 1, b"mdat", 17),
    ],
    ids=["cut", "size of 0", "size of 7", "cut 64-bit size", "64-bit size past the end"],
)
def test_file_whose_boxes_do_not_end_with_it_is_not_written(tmp_path: Path, last: bytes) -> None:
    path = tmp_path / "file.mp4"
    path.write_bytes(START + last)
    with pytest.raises(MalformedFile):
        iso.write(path, "new")
    assert path.read_bytes() == START + last
