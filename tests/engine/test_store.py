"""Stores of assets in memory and in a folder: what is kept by its hash, read in pieces and found again."""

from hashlib import sha256

import pytest

from impasto import AssetNotFound, FolderStore, MemoryStore
from impasto import store as module
from impasto.store import Provenance, Stored, chunks

pytestmark = pytest.mark.anyio
CUP = b"a cup"
DIGEST = sha256(CUP).hexdigest()


@pytest.fixture(params=["memory", "folder"])
def store(request, tmp_path):
    return MemoryStore() if request.param == "memory" else FolderStore(tmp_path / "deep" / "assets")


async def pieces():
    yield b"a "
    yield b"cup"


@pytest.fixture(params=["bytes", "bytearray", "memoryview", "file", "stream"])
def data(request, tmp_path):
    (tmp_path / "cup").write_bytes(CUP)
    return {
        "bytes": CUP,
        "bytearray": bytearray(CUP),
        "memoryview": memoryview(CUP),
        "file": tmp_path / "cup",
        "stream": pieces(),
    }[request.param]


async def test_asset_of_any_source_is_kept_by_its_hash(store, data):
    assert not store.has(DIGEST)
    assert await store.put(data, "text/plain", "cup.txt") == Stored(DIGEST, DIGEST, 5)
    assert store.has(DIGEST)
    assert b"".join([piece async for piece in store.open(DIGEST)]) == CUP
    async with store.path(DIGEST) as path:
        assert path.read_bytes() == CUP


async def test_files_are_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_BYTES", 2)
    (tmp_path / "cup").write_bytes(CUP)
    assert [piece async for piece in chunks(tmp_path / "cup")] == [b"a ", b"cu", b"p"]
    assert [piece async for piece in chunks(bytearray(CUP))] == [CUP]


@pytest.mark.parametrize("asset_id", ["gone", "../cup", "deep/cup", ""])
async def test_unknown_asset_is_not_found(store, tmp_path, asset_id):
    (tmp_path / "deep" / "assets" / "deep").mkdir(parents=True)
    (tmp_path / "deep" / "cup").write_bytes(CUP)
    (tmp_path / "deep" / "assets" / "deep" / "cup").write_bytes(CUP)
    with pytest.raises(AssetNotFound) as raised:
        _ = [piece async for piece in store.open(asset_id)]
    assert raised.value.asset_id == asset_id
    with pytest.raises(AssetNotFound):
        async with store.path(asset_id):
            pass
    assert not store.has(asset_id)


async def test_folder_keeps_names_and_no_other_files(tmp_path):
    store = FolderStore(tmp_path)
    await store.put(CUP, "text/plain", "cup.txt")
    await store.put(b"other", "text/plain")
    assert store.names == {DIGEST: "cup.txt"}
    assert {file.name for file in tmp_path.iterdir()} == {DIGEST, sha256(b"other").hexdigest()}


async def test_memory_keeps_the_provenance_of_assets():
    store = MemoryStore()
    origin = Provenance(run_id="r", step="s", node_type="n", generation={"model": "m"})
    await store.put(CUP, "text/plain", origin=origin)
    assert store.origins == {DIGEST: origin}
    assert origin.made_by == {"model": "m"}
