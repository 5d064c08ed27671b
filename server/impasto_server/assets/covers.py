"""Covers of agents: one size, re-encoded, so that nothing of the upload's own survives."""

import asyncio
import hashlib

from fastapi import UploadFile

from impasto_server.assets import images
from impasto_server.assets.errors import FileInvalid
from impasto_server.container import AppState

SIZE = (960, 640)
_MOST_BYTES = 20 * 2**20


async def read(app_state: AppState, file: UploadFile) -> bytes:
    """Return an uploaded picture as a cover. Raises `FileInvalid` or `ImageTooLarge`."""
    data = await file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise FileInvalid("This picture is too large: at most 20 MiB can be used as a cover.")
    return await encoded(app_state, data)


def key_of(cover: bytes) -> str:
    """Return where a cover lies: agents with the same one share it."""
    return f"covers/{hashlib.sha256(cover).hexdigest()}"


async def encoded(app_state: AppState, data: bytes) -> bytes:
    """Return a picture as a cover."""
    return await asyncio.to_thread(images.cover, data, SIZE, app_state.settings.image_megapixels)
