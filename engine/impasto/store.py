"""Asset stores: the `Store` protocol, one in memory and one in a local folder, both by content hash."""

import asyncio
import typing as t
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from impasto.errors import AssetNotFound

Data = bytes | bytearray | memoryview | Path | AsyncIterable[bytes]
CHUNK_BYTES = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of an asset, for stores that record lineage.

    `width` and `height` are in pixels, `seconds` is a duration. `generation` is what the step passed to
    `Context.record_generation`; `inputs` are the ids of the assets that the step read.
    """

    run_id: str
    step: str
    node_type: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    generation: dict[str, t.Any] | None = None
    inputs: tuple[str, ...] = ()

    @property
    def made_by(self) -> dict[str, t.Any] | None:
        """The former name of `generation`, kept for existing stores."""
        return self.generation


Origin = Provenance
"""The former name of `Provenance`, kept for existing stores."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored asset; `bytes` is its size."""

    asset_id: str
    sha256: str
    bytes: int


class Store(t.Protocol):
    """Stores assets by id. `put` is atomic: an asset is stored completely or not at all."""

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Provenance | None = None
    ) -> Stored:
        """Store bytes, a file's content or a stream, and return its id, hash and size."""
        ...

    def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """Yield the asset's bytes in chunks. Raises AssetNotFound."""
        ...

    def path(self, asset_id: str) -> AbstractAsyncContextManager[Path]:
        """Yield a local, read-only file with the asset's bytes. Raises AssetNotFound."""
        ...

    def has(self, asset_id: str) -> bool:
        """Return whether the asset still exists; True if finding out would have to wait.

        Cached results whose assets are gone are computed again.
        """
        ...


async def chunks(data: Data) -> AsyncIterator[bytes]:
    """Yield the bytes of anything that `Store.put` takes, in chunks."""
    if isinstance(data, Path):
        with await asyncio.to_thread(data.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, CHUNK_BYTES):
                yield piece
    elif isinstance(data, bytes | bytearray | memoryview):
        yield bytes(data)
    else:
        async for piece in data:
            yield piece


class MemoryStore:
    """Assets in memory, for tests and scripts: `assets` by id, and their `origins`."""

    def __init__(self) -> None:
        self.assets: dict[str, bytes] = {}
        self.origins: dict[str, Provenance | None] = {}

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Provenance | None = None
    ) -> Stored:
        """Store the bytes under their SHA-256."""
        content = b"".join([piece async for piece in chunks(data)])
        digest = sha256(content).hexdigest()
        self.assets[digest] = content
        self.origins[digest] = origin
        return Stored(digest, digest, len(content))

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """Yield the asset's bytes. Raises AssetNotFound."""
        if asset_id not in self.assets:
            raise AssetNotFound(asset_id)
        yield self.assets[asset_id]

    @asynccontextmanager
    async def path(self, asset_id: str) -> AsyncIterator[Path]:
        """Yield a temporary file with the asset's bytes. Raises AssetNotFound."""
        if asset_id not in self.assets:
            raise AssetNotFound(asset_id)
        import tempfile

        with tempfile.TemporaryDirectory(prefix="impasto-") as folder:
            file = Path(folder) / asset_id
            file.write_bytes(self.assets[asset_id])
            yield file

    def has(self, asset_id: str) -> bool:
        """Return whether the asset exists."""
        return asset_id in self.assets


class FolderStore:
    """Assets as files in `folder`, each named by its SHA-256. The folder is created if it is missing."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.names: dict[str, str] = {}
        self.folder.mkdir(parents=True, exist_ok=True)

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Provenance | None = None
    ) -> Stored:
        """Write the bytes to a temporary file, then rename it to its hash."""
        import tempfile

        digest, size = sha256(), 0
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".new-", delete=False) as file:
            try:
                async for piece in chunks(data):
                    digest.update(piece)
                    size += len(piece)
                    file.write(piece)
                asset_id = digest.hexdigest()
                file.close()
                await asyncio.to_thread(Path(file.name).replace, self.folder / asset_id)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)  # noqa: ASYNC240 - also when cancelled
                raise
        if name is not None:
            self.names[asset_id] = name
        return Stored(asset_id, asset_id, size)

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """Yield the asset's bytes in chunks. Raises AssetNotFound."""
        async for piece in chunks(self._file(asset_id)):
            yield piece

    @asynccontextmanager
    async def path(self, asset_id: str) -> AsyncIterator[Path]:
        """Yield the file itself. Raises AssetNotFound."""
        yield self._file(asset_id)

    def has(self, asset_id: str) -> bool:
        """Return whether the asset exists."""
        file = self.folder / asset_id
        return file.parent == self.folder and file.is_file()

    def _file(self, asset_id: str) -> Path:
        if not self.has(asset_id):
            raise AssetNotFound(asset_id)
        return self.folder / asset_id
