"""Receiving uploads: streamed to disk, measured and hashed."""

import asyncio
import hashlib
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fastapi import UploadFile

from impasto_server.assets.errors import UploadTooLarge
from impasto_server.db.text_normalization import without_bidi_controls

_CHUNK_BYTES = 1024 * 1024
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\]+")


@dataclass(frozen=True)
class ReceivedFile:
    """An uploaded file in a temporary folder."""

    path: Path
    bytes: int
    sha256: str
    name: str


@asynccontextmanager
async def receive_upload(file: UploadFile, limit: int) -> AsyncIterator[ReceivedFile]:
    """Copy an upload to a file that exists for the length of the block.

    `limit` is in bytes. Raises `UploadTooLarge`.
    """
    with tempfile.TemporaryDirectory(prefix="impasto-upload-") as folder:
        path = Path(folder) / "file"
        size, digest = await asyncio.to_thread(_copy, file.file, path, limit)
        yield ReceivedFile(path, size, digest, safe_file_name(file.filename or "file"))


def safe_file_name(name: str) -> str:
    """Return a file name without folders, slashes, control and bidi characters, of at most 200 characters."""
    name = without_bidi_controls(name)
    return _UNSAFE.sub(" ", Path(name.replace("\\", "/")).name).strip(" .")[:200] or "file"


def size_and_digest(path: Path) -> tuple[int, str]:
    """Return a file's size in bytes and its SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


def _copy(source: BinaryIO, path: Path, limit: int) -> tuple[int, str]:
    source.seek(0, 2)
    if source.tell() > limit:
        raise UploadTooLarge(limit)
    source.seek(0)
    with path.open("wb") as target:
        shutil.copyfileobj(source, target)
    return size_and_digest(path)
