"""The store of a change: what steps make stays in a folder, and the user's assets are read."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from impasto.errors import AssetNotFound
from impasto.store import MemoryStore
from impasto_server.asset_versions.scratch_store import ScratchStore

pytestmark = pytest.mark.anyio


async def test_files_are_written_into_the_folder_and_assets_are_read(tmp_path: Path) -> None:
    assets: Any = MemoryStore()
    of_the_user = (await assets.put(b"an asset", "text/plain")).asset_id
    store = ScratchStore(assets, tmp_path)

    async def pieces() -> Any:
        for piece in (b"wo", b"rds"):
            yield piece

    stored = await store.put(pieces(), "text/plain", "a.txt")
    assert (stored.sha256, stored.bytes) == (hashlib.sha256(b"words").hexdigest(), 5)
    assert [path.name for path in tmp_path.iterdir()] == [stored.asset_id]
    (tmp_path / "another").write_bytes(b"of another process")
    for asset_id, content in ((stored.asset_id, b"words"), (of_the_user, b"an asset")):
        assert b"".join([piece async for piece in store.open(asset_id)]) == content
        async with store.path(asset_id) as path:
            assert path.read_bytes() == content
            assert (path == tmp_path / asset_id) is (content == b"words")
        assert store.has(asset_id)
    with pytest.raises(AssetNotFound):
        [piece async for piece in store.open("another")]
    with pytest.raises(AssetNotFound):
        async with store.path("another"):
            pass
