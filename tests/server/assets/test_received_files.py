"""Files as they are received: names, sizes, hashes and the limit."""

import hashlib
import io
from pathlib import Path

import pytest
from fastapi import UploadFile

from impasto_server.assets.errors import UploadTooLarge
from impasto_server.assets.upload import receive_upload, safe_file_name, size_and_digest


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("jug.png", "jug.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\jugs\\a.png", "a.png"),
        ("a\x00b\nc.png", "a b c.png"),
        (" .jug. ", "jug"),
        ("x" * 201, "x" * 200),
        ("a\u202egnp.exe", "agnp.exe"),
        ("...", "file"),
        ("", "file"),
    ],
)
def test_file_name_is_made_safe(name: str, safe: str) -> None:
    assert safe_file_name(name) == safe


@pytest.mark.parametrize("size", [0, 1, 2**20, 2**20 + 1])
def test_size_and_hash_are_those_of_the_whole_file(tmp_path: Path, size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    (tmp_path / "file").write_bytes(data[:size])
    assert size_and_digest(tmp_path / "file") == (size, hashlib.sha256(data[:size]).hexdigest())


@pytest.mark.anyio
async def test_upload_at_the_limit_is_received_from_its_start() -> None:
    file = UploadFile(io.BytesIO(b"12345"), filename=None)
    await file.read(2)
    async with receive_upload(file, 5) as received:
        assert received.path.read_bytes() == b"12345"
        assert (received.bytes, received.name) == (5, "file")
        assert received.sha256 == hashlib.sha256(b"12345").hexdigest()
    assert not received.path.exists()
    with pytest.raises(UploadTooLarge):
        async with receive_upload(file, 4):
            pass
