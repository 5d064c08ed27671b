"""Files that say that they are longer than they are."""

import struct
from pathlib import Path

import pytest

from impasto_server.assets.media.truncation import is_truncated


def box(name: bytes, content: bytes = b"", length: int | None = None) -> bytes:
    return struct.pack(">I4s", 8 + len(content) if length is None else length, name) + content


def long_box(name: bytes, content: bytes, length: int) -> bytes:
    """Return a box whose length has 64 bits."""
    return struct.pack(">I4sQ", 1, name, length) + content


def mp3(length: int, *, flags: int = 3, tag: bytes = b"", name: bytes = b"Xing") -> bytes:
    """Return 1,000 bytes of an MP3 that states its length, after an ID3 tag."""
    frames = struct.pack(">I", 38) if flags & 1 else b""
    head = b"\xff\xfb\x90\x00" + bytes(32) + name + struct.pack(">I", flags) + frames
    return tag + (head + struct.pack(">I", length)).ljust(1000, b"\x00")


TAG = b"ID3\x04\x00\x00" + bytes((0, 0, 2, 10)) + bytes(2 * 128 + 10)
LARGE_TAG = b"ID3\x04\x00\x00" + bytes((0, 1, 2, 10)) + bytes(128 * 128 + 2 * 128 + 10)
FTYP = box(b"ftyp", b"isom")


@pytest.mark.parametrize(
    ("content", "is_short"),
    [
        (FTYP + box(b"mdat", bytes(100)), False),
        (FTYP + box(b"mdat", bytes(100), length=108), False),
        (FTYP + box(b"mdat", bytes(100), length=109), True),
        (FTYP + box(b"mdat", bytes(100)) + box(b"moov", bytes(10), length=19), True),
        (FTYP + box(b"free") + box(b"mdat", bytes(100), length=109), True),
        (FTYP + long_box(b"mdat", bytes(100), 116), False),
        (FTYP + long_box(b"mdat", bytes(100), 117), True),
        (FTYP + long_box(b"mdat", bytes(100), 2**64 - 1), True),
        (FTYP + box(b"mdat", bytes(100), length=0), False),  # to the end of the file
        (FTYP + box(b"mdat", bytes(100), length=7), False),
        (FTYP + box(b"mdat", bytes(100)) + b"1234567", False),
        (mp3(1000), False),
        (mp3(1001), True),
        (mp3(1001)[:52], True),  # to the end of its length
        (mp3(1001)[:51], False),
        (b"\xff\xfb\x90", False),
        (b"\xff", False),
        (mp3(1001, flags=2), True),
        (mp3(1000, flags=2), False),
        (mp3(1001, flags=1), False),
        (mp3(1001, name=b"Info"), True),
        (mp3(1001, name=b"none"), False),
        (mp3(1001, name=bytes(204) + b"Xing", flags=2), True),  # in the first 256 bytes
        (mp3(1001, name=bytes(205) + b"Xing", flags=2), False),
        (mp3(1000, tag=TAG), False),
        (mp3(1001, tag=TAG), True),
        (mp3(1000, tag=LARGE_TAG), False),
        (mp3(1001, tag=LARGE_TAG), True),
        (b"\x00" + mp3(1002), False),
        (b"\xff\xfb\x90\x00" + bytes((0, 0, 2, 0, 1, 0, 0)) + bytes(50), False),
        (b"ID3", False),
        (b"", False),
        (b"RIFF" + struct.pack("<I", 9999) + b"WAVE", False),
    ],
)
def test_file_is_short_if_it_states_a_larger_length(tmp_path: Path, content: bytes, is_short: bool) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert is_truncated(path) is is_short
