"""Where assets live: the protocol, one in memory and one in a local folder (both by content hash)."""

import asyncio
import shutil
import tempfile
import typing as t
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from impasto.errors import AssetNotFound

Data = bytes | bytearray | memoryview | Path | AsyncIterable[bytes]
CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an asset comes from, for stores that keep lineage."""

    run_id: str
    step: str
    node_type: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    made_by: dict[str, t.Any] | None = None
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store says of the asset it has just taken."""

    asset_id: str
    sha256: str
    bytes: int


class Store(t.Protocol):
    """Keeps assets. `put` is atomic: an asset is there whole or not at all."""

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Origin | None = None
    ) -> Stored:
        """Take the bytes (or the file's, or the stream's) and give them an id."""
        ...

    def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """The asset's bytes, in pieces; AssetNotFound."""
        ...

    def path(self, asset_id: str) -> AbstractAsyncContextManager[Path]:
        """A local file with the asset's bytes, for reading, while the block lasts; AssetNotFound."""
        ...


async def chunks(data: Data) -> AsyncIterator[bytes]:
    """Whatever `put` takes, in pieces."""
    if isinstance(data, Path):
        with await asyncio.to_thread(data.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, CHUNK):
                yield piece
    elif isinstance(data, bytes | bytearray | memoryview):
        yield bytes(data)
    else:
        async for piece in data:
            yield piece


class MemoryStore:
    """Assets in memory: for tests and scripts."""

    def __init__(self) -> None:
        self.assets: dict[str, bytes] = {}
        self.origins: dict[str, Origin | None] = {}

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Origin | None = None
    ) -> Stored:
        """Take the bytes."""
        whole = b"".join([piece async for piece in chunks(data)])
        digest = sha256(whole).hexdigest()
        self.assets[digest] = whole
        self.origins[digest] = origin
        return Stored(digest, digest, len(whole))

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """The asset's bytes."""
        if asset_id not in self.assets:
            raise AssetNotFound(asset_id)
        yield self.assets[asset_id]

    @asynccontextmanager
    async def path(self, asset_id: str) -> AsyncIterator[Path]:
        """A temporary file with the asset's bytes."""
        if asset_id not in self.assets:
            raise AssetNotFound(asset_id)
        with tempfile.TemporaryDirectory(prefix="impasto-") as folder:
            file = Path(folder) / asset_id
            file.write_bytes(self.assets[asset_id])
            yield file

    def has(self, asset_id: str) -> bool:
        """Whether the asset is there."""
        return asset_id in self.assets


@dataclass(slots=True)
class FolderStore:
    """Assets as files named by their hash, in a folder."""

    folder: Path
    names: dict[str, str] = field(default_factory=dict)

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.names = {}
        self.folder.mkdir(parents=True, exist_ok=True)

    async def put(
        self, data: Data, media_type: str, name: str | None = None, *, origin: Origin | None = None
    ) -> Stored:
        """Write the bytes to a file of a temporary name, then give it its own."""
        digest, size = sha256(), 0
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".new-", delete=False) as file:
            try:
                async for piece in chunks(data):
                    digest.update(piece)
                    size += len(piece)
                    file.write(piece)
                asset_id = digest.hexdigest()
                file.close()
                await asyncio.to_thread(shutil.move, file.name, self.folder / asset_id)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)  # noqa: ASYNC240 - even when cancelled
                raise
        if name is not None:
            self.names[asset_id] = name
        return Stored(asset_id, asset_id, size)

    async def open(self, asset_id: str) -> AsyncIterator[bytes]:
        """The asset's bytes, in pieces."""
        async for piece in chunks(self._file(asset_id)):
            yield piece

    @asynccontextmanager
    async def path(self, asset_id: str) -> AsyncIterator[Path]:
        """The file itself."""
        yield self._file(asset_id)

    def has(self, asset_id: str) -> bool:
        """Whether the asset is there."""
        return (self.folder / asset_id).is_file()

    def _file(self, asset_id: str) -> Path:
        file = self.folder / asset_id
        if file.parent != self.folder or not file.is_file():
            raise AssetNotFound(asset_id)
        return file
