"""Which files can be signed, and which can contain credentials."""

from pathlib import Path

import pytest

from impasto_server.content_credentials.formats import Format, format_of, may_have_manifest


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n", Format("image/png")),
        (b"\xff\xd8\xff\xe0", Format("image/jpeg")),
        (b"GIF89a", Format("image/gif")),
        (b"ID3\x04", Format("audio/mpeg")),
        (b"fLaC", Format("audio/flac")),
        (b"\x1aE\xdf\xa3", Format("video/webm", embedded=False)),
        (b"OggS", Format("audio/ogg", embedded=False)),
        (b"RIFF\0\0\0\0WEBP", Format("image/webp")),
        (b"RIFF\0\0\0\0WAVE", Format("audio/wav")),
        (b"RIFF\0\0\0\0AVI ", None),
        (b"RIFX\0\0\0\0WAVE", None),
        (b"\0\0\0\x10ftypisom", Format("video/mp4")),
        (b"\xff\xfb", Format("audio/mpeg")),
        (b"\xff\xe0", Format("audio/mpeg")),
        (b"\xff\xdf", None),
        (b"\xfe\xfb", None),
        (b"\xff", None),
        (b"", None),
        (b"words", None),
    ],
)
def test_format_is_recognized_by_the_first_bytes(
    tmp_path: Path, head: bytes, expected: Format | None
) -> None:
    path = tmp_path / "file"
    path.write_bytes(head)
    assert format_of(path) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", False), (b"words", False), (b"c2pa", True), (b"a" * 9000 + b"c2pa.", True)],
)
def test_file_with_the_label_of_a_manifest_store_may_have_one(
    tmp_path: Path, content: bytes, expected: bool
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert may_have_manifest(path) is expected
