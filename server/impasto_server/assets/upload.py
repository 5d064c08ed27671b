"""Files on their way in: streamed to disk, measured, hashed, kept."""

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

_PIECE = 1024 * 1024
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\]+")


@dataclass(frozen=True)
class ReceivedFile:
    """A file on this machine's disk, about to be kept."""

    path: Path
    bytes: int
    sha256: str
    name: str


@asynccontextmanager
async def receive_upload(file: UploadFile, limit: int) -> AsyncIterator[ReceivedFile]:
    """Give an upload as a file that lives as long as the block. Raises `UploadTooLarge`."""
    with tempfile.TemporaryDirectory(prefix="impasto-upload-") as folder:
        path = Path(folder) / "file"
        size, digest = await asyncio.to_thread(_copy, file.file, path, limit)
        yield ReceivedFile(path, size, digest, safe_file_name(file.filename or "file"))


def safe_file_name(name: str) -> str:
    """Return a file name that is safe to show and to download as."""
    return _UNSAFE.sub(" ", Path(name.replace("\\", "/")).name).strip(" .")[:200] or "file"


def size_and_digest(path: Path) -> tuple[int, str]:
    """Return a file's size and SHA-256."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


def _copy(source: BinaryIO, path: Path, limit: int) -> tuple[int, str]:
    source.seek(0, 2)
    if source.tell() > limit:
        raise UploadTooLarge(limit)
    source.seek(0)
    with path.open("wb") as target:
        shutil.copyfileobj(source, target, _PIECE)
    return size_and_digest(path)
