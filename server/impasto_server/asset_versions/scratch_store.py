"""The store of a change: it reads the user's assets and keeps what steps make in a folder."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from impasto.store import Data, Provenance, Stored, chunks
from impasto_server.assets.run_store import RunStore
from impasto_server.assets.upload import size_and_digest
from impasto_server.utils import new_id


class ScratchStore:
    """Stores files in a folder until the change is done, and reads the user's assets."""

    def __init__(self, reader: RunStore, folder: Path) -> None:
        self._reader = reader
        self._folder = folder
        self._made: set[str] = set()

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Provenance | None = None
    ) -> Stored:
        """Write the bytes into the folder."""
        asset_id = new_id()
        with (self._folder / asset_id).open("wb") as file:
            async for piece in chunks(data):
                file.write(piece)
        self._made.add(asset_id)
        size, digest = size_and_digest(self._folder / asset_id)
        return Stored(asset_id, digest, size)

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """Yield the bytes of a file in the folder, or of an asset."""
        if asset_id in self._made:
            async for piece in chunks(self._folder / asset_id):
                yield piece
            return
        async for piece in self._reader.open(asset_id):
            yield piece

    def path(self, asset_id: str) -> AbstractAsyncContextManager[Path]:
        """Open a local file with the bytes for the length of the block."""
        return self._path(asset_id)

    @asynccontextmanager
    async def _path(self, asset_id: str) -> AsyncIterator[Path]:
        if asset_id in self._made:
            yield self._folder / asset_id
            return
        async with self._reader.path(asset_id) as path:
            yield path

    def has(self, asset_id: str) -> bool:
        """Return True: no cached result is used."""
        return True
