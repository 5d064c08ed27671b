"""Provenance in WebP and WAV files, byte for byte."""

import struct
from pathlib import Path

import pytest

from impasto_server.assets.metadata import riff
from impasto_server.assets.metadata.xmp import MalformedFile, pack


def chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def file(form: bytes, *chunks: bytes) -> bytes:
    body = form + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def header(flags: int, width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return chunk(b"VP8X", bytes([flags, 0, 0, 0]) + sides)


def lossless(width: int, height: int, *, alpha: bool) -> bytes:
    bits = (width - 1) | (height - 1) << 14 | alpha << 28
    return chunk(b"VP8L", b"\x2f" + bits.to_bytes(4, "little"))


# The upper two bits of both sides say how they are scaled.
LOSSY = chunk(b"VP8 ", b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", 0x4000 | 640, 0x8000 | 480))
FORMAT, SOUND = chunk(b"fmt ", bytes(16)), chunk(b"data", b"odd")
STREAMED = b"data" + b"\xff\xff\xff\xff" + b"even"
NEW = pack("new", "urn:made")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (file(b"WEBP", LOSSY), file(b"WEBP", header(4, 640, 480), LOSSY, chunk(b"XMP ", NEW))),
        (
            file(b"WEBP", lossless(16384, 1, alpha=True)),
            file(b"WEBP", header(0x14, 16384, 1), lossless(16384, 1, alpha=True), chunk(b"XMP ", NEW)),
        ),
        (
            file(b"WEBP", lossless(3, 16384, alpha=False)),
            file(b"WEBP", header(4, 3, 16384), lossless(3, 16384, alpha=False), chunk(b"XMP ", NEW)),
        ),
        (
            file(b"WEBP", header(0x28, 9, 8), LOSSY),
            file(b"WEBP", header(0x2C, 9, 8), LOSSY, chunk(b"XMP ", NEW)),
        ),
        (
            file(b"WEBP", header(4, 9, 8), chunk(b"XMP ", pack("old")), LOSSY),
            file(b"WEBP", header(4, 9, 8), LOSSY, chunk(b"XMP ", NEW)),
        ),
        (file(b"WAVE", FORMAT, SOUND), file(b"WAVE", FORMAT, SOUND, chunk(b"_PMX", NEW))),
        (
            file(b"WAVE", FORMAT, chunk(b"_PMX", pack("old")), SOUND),
            file(b"WAVE", FORMAT, SOUND, chunk(b"_PMX", NEW)),
        ),
        (
            file(b"WAVE", FORMAT, chunk(b"_PMX", b"of another program"), SOUND),
            file(b"WAVE", FORMAT, chunk(b"_PMX", b"of another program"), SOUND, chunk(b"_PMX", NEW)),
        ),
        (
            file(b"WAVE", FORMAT, STREAMED),
            file(b"WAVE", FORMAT, chunk(b"data", b"even"), chunk(b"_PMX", NEW)),
        ),
        (file(b"WAVE", chunk(b"LIST", b"")), file(b"WAVE", chunk(b"LIST", b""), chunk(b"_PMX", NEW))),
    ],
    ids=[
        "lossy",
        "lossless with alpha",
        "lossless",
        "extended",
        "own packet",
        "WAV",
        "own packet of a WAV",
        "foreign packet",
        "streamed",
        "empty chunk",
    ],
)
def test_packet_is_written_after_the_other_chunks(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(before)
    riff.write(path, "new", "urn:made")
    assert path.read_bytes() == after
    assert riff.read(path) == "new"


@pytest.mark.parametrize(
    "data",
    [
        file(b"WEBP", LOSSY),
        file(b"WEBP", LOSSY, chunk(b"_PMX", NEW)),
        file(b"WAVE", SOUND, chunk(b"XMP ", NEW)),
        file(b"WAVE", SOUND, chunk(b"_PMX", b"of another program")),
    ],
    ids=["no packet", "WebP with the chunk of a WAV", "WAV with the chunk of a WebP", "foreign packet"],
)
def test_other_chunks_are_not_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert riff.read(path) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        chunk(b"ALPH", LOSSY[8:]),
        chunk(b"VP8 ", LOSSY[8:17]),
        chunk(b"VP8 ", b"\x30\x01\x00\x9d\x01\x2b" + LOSSY[14:]),
        chunk(b"VP8L", b"\x2f\0\0\0"),
        chunk(b"VP8L", b"\x2e\0\0\0\0"),
        chunk(b"VP8X", bytes(9)),
    ],
    ids=[
        "empty",
        "other chunk",
        "short lossy",
        "lossy start code",
        "short lossless",
        "lossless signature",
        "short header",
    ],
)
def test_webp_of_unknown_size_is_not_written(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.webp"
    path.write_bytes(file(b"WEBP", content))
    with pytest.raises(MalformedFile):
        riff.write(path, "new")
    assert path.read_bytes() == file(b"WEBP", content)
