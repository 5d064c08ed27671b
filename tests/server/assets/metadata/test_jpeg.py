"""Provenance in JPEG files, byte for byte."""

import struct
from pathlib import Path

import pytest

from impasto_server.assets.metadata import jpeg
from impasto_server.assets.metadata.xmp import MalformedFile, pack


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def xmp(packet: bytes) -> bytes:
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)


START = b"\xff\xd8"
JFIF = segment(0xE0, b"JFIF\0")
EXIF = segment(0xE1, b"Exif\0\0")
TABLE = segment(0xDB, bytes(65))
SCAN = segment(0xDA, b"\0" * 10) + b"pixels\xff\xd9"
FOREIGN = xmp(b"<x:xmpmeta>of another program</x:xmpmeta>")
NEW, OLD = xmp(pack("new", "urn:made")), xmp(pack("old"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (START + JFIF + TABLE + SCAN, START + JFIF + NEW + TABLE + SCAN),
        (START + JFIF + JFIF + EXIF + TABLE + SCAN, START + JFIF + JFIF + NEW + EXIF + TABLE + SCAN),
        (START + EXIF + SCAN, START + NEW + EXIF + SCAN),
        (START + JFIF + FOREIGN + SCAN, START + JFIF + NEW + FOREIGN + SCAN),
        (START + TABLE + OLD + SCAN, START + NEW + TABLE + SCAN),
        (START + JFIF + FOREIGN + OLD + SCAN, START + JFIF + NEW + FOREIGN + SCAN),
        (START + JFIF + SCAN, START + JFIF + NEW + SCAN),
        (START + SCAN, START + NEW + SCAN),
        (START + JFIF + segment(0xFE, b""), START + JFIF + NEW + segment(0xFE, b"")),
    ],
    ids=[
        "JFIF",
        "two JFIF headers and EXIF",
        "EXIF",
        "foreign packet",
        "own packet",
        "foreign and own packet",
        "JFIF alone",
        "no header",
        "no scan",
    ],
)
def test_packet_is_written_after_the_jfif_header(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(before)
    jpeg.write(path, "new", "urn:made")
    assert path.read_bytes() == after
    assert jpeg.read(path) == "new"


def test_own_packet_is_read_after_a_foreign_one(tmp_path: Path) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(START + FOREIGN + OLD + SCAN)
    assert jpeg.read(path) == "old"


@pytest.mark.parametrize(
    "data",
    [
        START + JFIF + SCAN,
        START + FOREIGN + SCAN,
        START + segment(0xE2, NEW[4:]) + SCAN,
        START + segment(0xE1, b"Exif\0\0" + pack("text")) + SCAN,
        START + SCAN + NEW,
    ],
    ids=["no packet", "foreign packet", "other segment", "EXIF", "after the scan"],
)
def test_other_segments_are_not_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(data)
    assert jpeg.read(path) is None


@pytest.mark.parametrize("data", [START + JFIF[:-1], START + JFIF + b"\0" + TABLE], ids=["cut", "no marker"])
def test_file_without_its_structure_is_not_written(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(data)
    with pytest.raises(MalformedFile):
        jpeg.write(path, "new")
    assert path.read_bytes() == data


def test_text_must_fit_into_one_segment(tmp_path: Path) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(START + SCAN)
    longest = "x" * (0xFFFF - len(xmp(pack(""))) + 2)
    with pytest.raises(MalformedFile):
        jpeg.write(path, longest + "x")
    assert path.read_bytes() == START + SCAN
    jpeg.write(path, longest)
    assert jpeg.read(path) == longest
