"""Where files lie: a folder or an S3 bucket, addressed by content."""

import asyncio
import hashlib
import re
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import obstore
from obstore.exceptions import GenericError
from obstore.store import LocalStore, S3Store

from impasto.errors import DISK_FULL
from impasto_server.settings import Settings

CHUNK = 256 * 1024
_OS_ERROR = re.compile(r"\(os error (\d+)\)")


class Storage:
    """Stored objects by key. Putting the same content twice keeps one object."""

    def __init__(self, store: LocalStore | S3Store, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    @classmethod
    def from_settings(cls, settings: Settings) -> "Storage":
        """Open the storage that the settings name."""
        url = settings.storage_url
        if not url.startswith("s3://"):
            folder = Path(url.removeprefix("file://")) if url else settings.data_dir / "assets"
            folder.mkdir(parents=True, exist_ok=True)
            return cls(LocalStore(folder.resolve(), automatic_cleanup=False), folder.resolve())
        return cls(_s3(url))

    async def put_file(self, path: Path, digest: str) -> str:
        """Keep a file under its SHA-256; return its key."""
        key = content_key(digest)
        if not await self.exists(key):
            with _disk_told():
                await obstore.put_async(self._store, key, path)
        return key

    async def put_bytes(self, data: bytes, folder: str = "") -> str:
        """Keep some bytes; return their key."""
        digest = hashlib.sha256(data).hexdigest()
        key = f"{folder}/{digest}" if folder else content_key(digest)
        await self.put_at(key, data)
        return key

    async def put_at(self, key: str, data: bytes) -> None:
        """Keep some bytes under a chosen key."""
        with _disk_told():
            await obstore.put_async(self._store, key, data)

    async def exists(self, key: str) -> bool:
        """Tell whether an object is there."""
        try:
            await obstore.head_async(self._store, key)
        except FileNotFoundError:
            return False
        return True

    async def read(self, key: str) -> bytes:
        """Return a whole object; raises FileNotFoundError."""
        result = await obstore.get_async(self._store, key)
        return bytes(await result.bytes_async())

    async def stream(self, key: str, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes of `start` up to (not with) `end`, piece by piece."""
        position = start
        while position < end:
            piece = min(CHUNK, end - position)
            data = await obstore.get_range_async(self._store, key, start=position, length=piece)
            yield bytes(data)
            position += piece

    @asynccontextmanager
    async def path(self, key: str, suffix: str = "") -> AsyncIterator[Path]:
        """Give a readable local path of an object for the length of the block."""
        if self._folder is not None:
            local = self._folder / key
            if not local.is_file():
                raise FileNotFoundError(key)
            yield local
            return
        size = (await obstore.head_async(self._store, key))["size"]
        with tempfile.TemporaryDirectory(prefix="impasto-") as folder:
            copy = Path(folder) / f"asset{suffix}"
            with copy.open("wb") as file:
                async for piece in self.stream(key, 0, size):
                    await asyncio.to_thread(file.write, piece)
            yield copy

    async def delete(self, key: str) -> None:
        """Remove an object, if it is there."""
        try:
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            return

    async def check(self) -> None:
        """Raise unless objects can be written and read."""
        key = await self.put_bytes(b"ready", "probe")
        await self.read(key)


@contextmanager
def _disk_told() -> Iterator[None]:
    """Give the folder's own error its number back, which the storage library only writes into its text."""
    try:
        yield
    except GenericError as error:
        number = _OS_ERROR.search(str(error))
        if number is None or int(number[1]) not in DISK_FULL:
            raise
        raise OSError(int(number[1]), "the file could not be written") from error


def content_key(digest: str) -> str:
    """Return the key of content with this SHA-256."""
    return f"{digest[:2]}/{digest[2:4]}/{digest}"


def _s3(url: str) -> S3Store:
    parts = urlsplit(url)
    config: dict[str, Any] = dict(parse_qsl(parts.query))
    if config.get("endpoint", "").startswith("http://"):
        return S3Store(
            parts.netloc, prefix=parts.path.strip("/") or None, client_options={"allow_http": True}, **config
        )
    return S3Store(parts.netloc, prefix=parts.path.strip("/") or None, **config)
