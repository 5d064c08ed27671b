"""A full disk: uploads fail with a problem, leave no partial file and lose no existing one.

The process's limit on file sizes stands in for the disk: writing past it fails like a full disk.
"""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.http.errors import DiskFull
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage

pytestmark = pytest.mark.anyio
ROOM = 3_000_000


@contextmanager
def full_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_upload_to_full_disk_is_507_and_leaves_nothing(person: Any) -> None:
    kept = await person.client.post("/assets/", files={"file": ("cup.png", png(4, 30, 20), "image/png")})
    with full_beyond(ROOM):
        noise = os.urandom(2 * ROOM)
        response = await person.client.post(
            "/assets/", files={"file": ("big.bin", noise, "application/octet-stream")}
        )
    expect(response, 507, code="disk_full")
    assert response.json()["detail"] == "There is no room left to keep this. Free some space, then try again."
    listed = (await person.client.get("/assets/library")).json()["items"]
    assert [asset["id"] for asset in listed] == [kept.json()["id"]]
    content = await person.client.get(f"/assets/{kept.json()['id']}/content")
    assert content.content


async def test_storage_reports_full_disk(tmp_path: Path) -> None:
    storage = Storage.from_settings(Settings(_env_file=None, data_dir=tmp_path))
    key = await storage.put_bytes(b"here before")
    with full_beyond(100_000), pytest.raises(OSError, match="could not be written") as raised:
        await storage.put_bytes(os.urandom(500_000))
    assert DiskFull.caused(raised.value)
    assert await storage.read(key) == b"here before"
