"""Object storage behaves the same on a folder and on an S3 bucket."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from impasto_server.settings import Settings
from impasto_server.storage.object_storage import CHUNK, Storage, content_key

pytestmark = pytest.mark.anyio
DATA = bytes(range(256)) * 3000


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket of an S3 server on this machine."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    httpx.put(f"http://{host}:{port}/paint").raise_for_status()
    yield f"s3://paint/files?endpoint=http://{host}:{port}&region=us-east-1&access_key_id=a&secret_access_key=b"
    server.stop()


@pytest.fixture(params=["folder", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    url = "" if request.param == "folder" else request.getfixturevalue("bucket")
    given: dict[str, Any] = {"data_dir": tmp_path, "storage_url": url}
    return Storage.from_settings(Settings(_env_file=None, **given))


async def put(storage: Storage, tmp_path: Path, data: bytes = DATA) -> str:
    path = tmp_path / "file"
    path.write_bytes(data)
    return await storage.put_file(path, hashlib.sha256(data).hexdigest())


async def test_stored_object_is_read_whole_and_by_range(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    assert await storage.read(key) == DATA
    for start, end in [(0, 1), (10, 20), (CHUNK - 3, CHUNK + 3), (0, len(DATA)), (5, 5)]:
        assert b"".join([piece async for piece in storage.stream(key, start, end)]) == DATA[start:end]


async def test_same_content_has_one_key(storage: Storage, tmp_path: Path) -> None:
    digest = hashlib.sha256(DATA).hexdigest()
    assert await put(storage, tmp_path) == await put(storage, tmp_path) == content_key(digest)


async def test_path_has_content_within_block(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    async with storage.path(key, ".bin") as path:
        assert path.read_bytes() == DATA


async def test_delete_is_idempotent(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    assert await storage.exists(key)
    await storage.delete(key)
    await storage.delete(key)
    assert not await storage.exists(key)
    with pytest.raises(FileNotFoundError):
        await storage.read(key)
    with pytest.raises(FileNotFoundError):
        async with storage.path(key):
            pass


async def test_working_storage_passes_check(storage: Storage) -> None:
    await storage.check()


async def test_broken_storage_fails_check(tmp_path: Path) -> None:
    storage = Storage.from_settings(Settings(_env_file=None, data_dir=tmp_path))
    (tmp_path / "assets").rmdir()
    (tmp_path / "assets").write_text("in the way")
    with pytest.raises(Exception, match="assets"):
        await storage.check()
