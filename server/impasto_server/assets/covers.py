"""Covers of agents: one size, re-encoded, so that nothing of the upload's own survives."""

import asyncio

from fastapi import UploadFile

from impasto_server.assets import pictures
from impasto_server.assets.errors import FileRefused
from impasto_server.parts import Parts

SIZE = (960, 640)
_MOST_BYTES = 20 * 2**20


async def keep(parts: Parts, file: UploadFile) -> str:
    """Store an uploaded cover; return its key. Raises `FileRefused` or `PictureTooLarge`."""
    data = await file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise FileRefused("This picture is too large: at most 20 MiB can be used as a cover.")
    return await keep_bytes(parts, data)


async def keep_bytes(parts: Parts, data: bytes) -> str:
    """Store a cover; return its key."""
    return await parts.storage.put_bytes(await encoded(parts, data), "covers")


async def encoded(parts: Parts, data: bytes) -> bytes:
    """Return a picture as a cover."""
    return await asyncio.to_thread(pictures.cover, data, SIZE, parts.settings.image_megapixels)
