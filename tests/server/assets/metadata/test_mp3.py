"""Provenance in MP3 files, byte for byte."""

import struct
from pathlib import Path

import pytest

from impasto_server.assets.metadata import mp3
from impasto_server.assets.metadata.xmp import MalformedFile

AUDIO = b"\xff\xfb\x90\x00 sound"
TEXT = "new" + "." * 200  # more than 127 bytes: the two versions write such a size differently


def syncsafe(number: int) -> bytes:
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def frame(name: bytes, body: bytes, version: int = 4) -> bytes:
    size = syncsafe(len(body)) if version == 4 else struct.pack(">I", len(body))
    return name + size + b"\0\0" + body


def own(text: str, version: int = 4) -> bytes:
    return frame(b"TXXX", b"\x03impasto\0" + text.encode(), version)


def tag(frames: bytes, version: int = 4, flags: int = 0) -> bytes:
    return b"ID3" + bytes([version, 0, flags]) + syncsafe(len(frames)) + frames


TITLE = frame(b"TIT2", b"\x03" + b"A title" * 40)
OLD_TITLE = frame(b"TIT2", b"\x03" + b"A title" * 40, version=3)
OTHER_TEXT = frame(b"TXXX", b"\x03another\0text")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (AUDIO, tag(own(TEXT)) + AUDIO),
        (tag(TITLE) + AUDIO, tag(TITLE + own(TEXT)) + AUDIO),
        (tag(OLD_TITLE, 3) + AUDIO, tag(OLD_TITLE + own(TEXT, 3), 3) + AUDIO),
        (tag(own("old") + TITLE) + AUDIO, tag(TITLE + own(TEXT)) + AUDIO),
        (tag(own("o" * 300, 3) + OLD_TITLE, 3) + AUDIO, tag(OLD_TITLE + own(TEXT, 3), 3) + AUDIO),
        (tag(OTHER_TEXT) + AUDIO, tag(OTHER_TEXT + own(TEXT)) + AUDIO),
        (tag(TITLE + bytes(50)) + AUDIO, tag(TITLE + own(TEXT)) + AUDIO),
        (tag(b"") + AUDIO, tag(own(TEXT)) + AUDIO),
        (tag(frame(b"TALB", b"")) + AUDIO, tag(frame(b"TALB", b"") + own(TEXT)) + AUDIO),
        (tag(TITLE), tag(TITLE + own(TEXT))),
    ],
    ids=[
        "no tag",
        "title",
        "title of version 3",
        "own frame",
        "own frame of version 3",
        "other text",
        "padding",
        "empty tag",
        "empty frame",
        "no audio",
    ],
)
def test_frame_is_written_after_the_others(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "file.mp3"
    path.write_bytes(before)
    mp3.write(path, TEXT)
    assert path.read_bytes() == after
    assert mp3.read(path) == TEXT


@pytest.mark.parametrize(
    "data",
    [AUDIO, tag(TITLE + OTHER_TEXT) + AUDIO, tag(bytes(20) + own("x")) + AUDIO],
    ids=["no tag", "other text", "after the padding"],
)
def test_other_frames_are_not_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.mp3"
    path.write_bytes(data)
    assert mp3.read(path) is None


@pytest.mark.parametrize(
    "data",
    [
        tag(TITLE)[:-1],
        tag(TITLE[:-1]) + AUDIO,
        tag(TITLE, version=2) + AUDIO,
        tag(TITLE, version=5) + AUDIO,
        tag(TITLE, flags=0x80) + AUDIO,
        b"ID3\x04\0\0\0\0\0",
    ],
    ids=["cut tag", "cut frame", "version 2", "version 5", "unknown flag", "cut header"],
)
def test_tag_of_unknown_structure_is_not_written(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.mp3"
    path.write_bytes(data)
    with pytest.raises(MalformedFile):
        mp3.write(path, TEXT)
    with pytest.raises(MalformedFile):
        mp3.read(path)
    assert path.read_bytes() == data
