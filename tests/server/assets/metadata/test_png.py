"""Provenance in PNG files, byte for byte."""

import struct
import zlib
from pathlib import Path

import pytest

from impasto_server.assets.metadata import png
from impasto_server.assets.metadata.xmp import MalformedFile, pack


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def xmp(packet: bytes) -> bytes:
    return chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + packet)


START = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13))
PIXELS = chunk(b"IDAT", b"pixels") + chunk(b"IEND", b"")
NEW, OLD = xmp(pack("new", "urn:made")), xmp(pack("old"))
FOREIGN = xmp(b"<x:xmpmeta>of another program</x:xmpmeta>")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (START + PIXELS, START + NEW + PIXELS),
        (START + FOREIGN + PIXELS, START + NEW + FOREIGN + PIXELS),
        (START + FOREIGN + OLD + PIXELS, START + NEW + FOREIGN + PIXELS),
        (START + PIXELS + OLD, START + NEW + PIXELS),
        (START, START + NEW),
    ],
    ids=["no packet", "foreign packet", "foreign and own packet", "own packet", "header alone"],
)
def test_packet_is_written_after_the_header(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "file.png"
    path.write_bytes(before)
    png.write(path, "new", "urn:made")
    assert path.read_bytes() == after
    assert png.read(path) == "new"


def test_own_packet_is_read_after_a_foreign_one(tmp_path: Path) -> None:
    path = tmp_path / "file.png"
    path.write_bytes(START + FOREIGN + OLD + PIXELS)
    assert png.read(path) == "old"


@pytest.mark.parametrize(
    "data",
    [
        START + PIXELS,
        START + FOREIGN + PIXELS,
        START + chunk(b"tEXt", b"XML:com.adobe.xmp\0\0\0\0\0" + pack("text")) + PIXELS,
        START + chunk(b"iTXt", b"Comment\0\0\0\0\0" + pack("text")) + PIXELS,
    ],
    ids=["no packet", "foreign packet", "other chunk", "other keyword"],
)
def test_other_chunks_are_not_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.png"
    path.write_bytes(data)
    assert png.read(path) is None


@pytest.mark.parametrize(
    "data",
    [START + PIXELS[:17], START[:12] + b"CgBI" + START[16:] + PIXELS, START[:8], START[:16], START[:19]],
    ids=["cut", "other first chunk", "signature alone", "name of the header", "cut header"],
)
def test_file_without_its_structure_is_not_written(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.png"
    path.write_bytes(data)
    with pytest.raises(MalformedFile):
        png.write(path, "new")
    assert path.read_bytes() == data
