"""Object storage in a folder or an S3 bucket, addressed by content."""

import asyncio
import errno
import glob
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import obstore
from obstore.exceptions import GenericError
from obstore.store import LocalStore, S3Store

from impasto import Configuration
from impasto.errors import DISK_FULL
from impasto_server.file_modes import make_private_folder
from impasto_server.settings import Settings
from impasto_server.storage.s3_variables import S3_VARIABLES

if TYPE_CHECKING:  # obstore has these for type checkers only
    from obstore.store import ClientConfig, RetryConfig

CHUNK = 256 * 1024
MIN_FREE_BYTES = 64 * 2**20
# A request should not wait for minutes for a storage that is down, and runs are taken up again.
_RETRIES: "RetryConfig" = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=15),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=2), "base": 2},
}
_TIMEOUTS: "ClientConfig" = {"connect_timeout": "5s"}
_CREDENTIALS = frozenset({"access_key_id", "secret_access_key", "session_token"})
_OTHER_NAMES = {"endpoint_url": "endpoint", "endpoint_url_s3": "endpoint", "token": "session_token"}
_PROBE = "probe"  # a key that need not exist: a bucket that answers 404 responds
_OS_ERROR = re.compile(r"\(os error (\d+)\)")


class BucketMissing(Exception):
    """The configured bucket does not exist."""


class Storage:
    """Stored objects by key. Content that is stored twice exists once."""

    def __init__(self, store: LocalStore | S3Store, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    @classmethod
    def from_settings(cls, settings: Settings) -> "Storage":
        """Open the storage that the settings configure."""
        url = settings.storage_url
        if not url.startswith("s3://"):
            folder = Path(url.removeprefix("file://")) if url else settings.data_dir / "assets"
            make_private_folder(folder)
            return cls(LocalStore(folder.resolve(), automatic_cleanup=False), folder.resolve())
        return cls(_s3(settings))

    async def put_file(self, path: Path, digest: str) -> str:
        """Store a file under its SHA-256; return its key."""
        key = content_key(digest)
        if not await self.exists(key):
            with _restore_errno():
                await obstore.put_async(self._store, key, path)
        return key

    async def put_bytes(self, data: bytes, folder: str = "") -> str:
        """Store bytes under their SHA-256; return the key."""
        digest = hashlib.sha256(data).hexdigest()
        key = f"{folder}/{digest}" if folder else content_key(digest)
        await self.put_at(key, data)
        return key

    async def put_at(self, key: str, data: bytes) -> None:
        """Store bytes under a given key."""
        with _restore_errno():
            await obstore.put_async(self._store, key, data)

    async def exists(self, key: str) -> bool:
        """Return whether an object exists."""
        try:
            await obstore.head_async(self._store, key)
        except FileNotFoundError:
            return False
        return True

    async def size(self, key: str) -> int:
        """Return the size of an object in bytes. Raises FileNotFoundError."""
        return int((await obstore.head_async(self._store, key))["size"])

    async def read(self, key: str) -> bytes:
        """Return a whole object. Raises FileNotFoundError."""
        result = await obstore.get_async(self._store, key)
        return bytes(await result.bytes_async())

    async def stream(self, key: str, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` to `end` (exclusive) in chunks of 256 KiB."""
        position = start
        while position < end:
            length = min(CHUNK, end - position)
            data = await obstore.get_range_async(self._store, key, start=position, length=length)
            yield bytes(data)
            position += length

    @asynccontextmanager
    async def path(self, key: str, suffix: str = "") -> AsyncIterator[Path]:
        """Yield a local path of an object, valid within the block. Raises FileNotFoundError."""
        if self._folder is not None:
            local = self._folder / key
            if not local.is_file():
                raise FileNotFoundError(key)
            yield local
            return
        size = await self.size(key)
        with tempfile.TemporaryDirectory(prefix="impasto-") as folder:
            copy = Path(folder) / f"asset{suffix}"
            with copy.open("wb") as file:
                async for chunk in self.stream(key, 0, size):
                    await asyncio.to_thread(file.write, chunk)
            yield copy

    async def put_copy(self, path: Path, key: str) -> None:
        """Store a file under a given key."""
        with _restore_errno():
            await obstore.put_async(self._store, key, path)

    async def list_objects(self) -> AsyncIterator[tuple[str, int]]:
        """Yield the key and the size in bytes of each object."""
        async for page in obstore.list(self._store):
            for found in page:
                yield str(found["path"]), int(found["size"])

    async def delete(self, key: str) -> None:
        """Delete an object if it exists."""
        try:
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            return

    async def delete_unfinished(self, key: str, before: datetime) -> None:
        """Delete what writes of an object left that were interrupted before a time.

        In a folder obstore writes to a file with a number after the key, which it renames at the end. A
        bucket has no such objects.
        """
        if self._folder is not None:
            await asyncio.to_thread(_delete_unfinished, self._folder / key, before.timestamp())

    async def check_bucket(self) -> None:
        """Raise `BucketMissing` if there is no such bucket. For a folder, do nothing."""
        if self._folder is not None:
            return
        try:
            await obstore.get_async(self._store, _PROBE)
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise BucketMissing from error

    async def check(self) -> None:
        """Raise an error unless the folder can be written or the bucket responds. Writes nothing."""
        if self._folder is None:
            await self.exists(_PROBE)
        else:
            await asyncio.to_thread(_check_folder, self._folder)


def _check_folder(folder: Path) -> None:
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} is not a folder that can be read and written")
    if is_disk_nearly_full(folder):
        raise OSError(errno.ENOSPC, "no space left", str(folder))


def _delete_unfinished(file: Path, before: float) -> None:
    for path in file.parent.glob(f"{glob.escape(file.name)}#*"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < before:
                path.unlink()


def is_disk_nearly_full(folder: Path) -> bool:
    """Whether the disk of a folder has less than 64 MiB left, which a run needs to write its journal."""
    return shutil.disk_usage(folder).free < MIN_FREE_BYTES


@contextmanager
def _restore_errno() -> Iterator[None]:
    """Raise OSError with the errno of a full disk, which obstore puts into the message only."""
    try:
        yield
    except GenericError as error:
        number = _OS_ERROR.search(str(error))
        if number is None or int(number[1]) not in DISK_FULL:
            raise
        raise OSError(int(number[1]), "the file could not be written") from error


def content_key(digest: str) -> str:
    """Return the key of the content with this SHA-256."""
    return f"{digest[:2]}/{digest[2:4]}/{digest}"


def _s3(settings: Settings) -> S3Store:
    bucket = urlsplit(settings.storage_url)
    secret = settings.storage_secret_access_key
    given = {
        "endpoint": settings.storage_endpoint,
        "region": settings.storage_region,
        "access_key_id": settings.storage_access_key_id,
        "secret_access_key": secret.get_secret_value() if secret else "",
    }
    chosen = {_option(name): value for name, value in parse_qsl(bucket.query)}
    chosen |= {name: value for name, value in given.items() if value}
    config: dict[str, Any] = _from_variables(settings.configuration)
    if "access_key_id" in chosen:
        # A session token belongs to the key beside it, and the client would read that of the environment.
        config = {name: value for name, value in config.items() if name not in _CREDENTIALS}
        key = {name: chosen.pop(name) for name in _CREDENTIALS & chosen.keys()}
        config["credential_provider"] = lambda: {**key, "expires_at": None}
    config |= chosen
    endpoint = config.pop("endpoint", "")
    if endpoint:
        config["aws_endpoint_url_s3"] = endpoint  # replaces every endpoint of the environment
    return S3Store(
        bucket.netloc,
        prefix=bucket.path.strip("/") or None,
        client_options={**_TIMEOUTS, "allow_http": True} if endpoint.startswith("http://") else _TIMEOUTS,
        retry_config=_RETRIES,
        **config,
    )


def _from_variables(configuration: Configuration) -> dict[str, str]:
    """Return the options of the client that AWS's own variables set."""
    found = ((_option(one.name), configuration.text(one.name)) for one in S3_VARIABLES)
    return {name: value for name, value in found if value}


def _option(name: str) -> str:
    """Return the name of an option of the client that a variable or a part of the query has."""
    plain = name.lower().removeprefix("aws_")
    return _OTHER_NAMES.get(plain, plain)
