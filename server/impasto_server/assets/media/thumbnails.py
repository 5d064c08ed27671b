"""Thumbnails: made for videos when they are stored, for images on first request."""

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from impasto_server.assets import repository
from impasto_server.assets.errors import AssetNotFound, FileInvalid, ImageTooLarge
from impasto_server.assets.media import images
from impasto_server.assets.models import AssetRow
from impasto_server.container import AppState
from impasto_server.db.engine import Database, advisory_lock
from impasto_server.storage.object_storage import Storage

MAX_SIDE = 512
_MEGAPIXELS = 40


def thumbnail_key(sha256: str) -> str:
    """Return the storage key of the thumbnail of the content with this SHA-256."""
    return f"thumbnails/{sha256}"


def sidecar_key(sha256: str) -> str:
    """Return the storage key of the credentials of the content with this SHA-256, if they are a sidecar."""
    return f"credentials/{sha256}"


def export_key(sha256: str) -> str:
    """Return the storage key of the marked copy of the content with this SHA-256, if it is exported so."""
    return f"exports/{sha256}"


def keys_of(object_key: str, sha256: str) -> tuple[str, ...]:
    """Return the storage keys of a content and of all that is stored beside it."""
    return object_key, thumbnail_key(sha256), sidecar_key(sha256), export_key(sha256)


async def thumbnail(app_state: AppState, row: AssetRow) -> bytes:
    """Return a WebP thumbnail of an image or video. Raises `AssetNotFound` for other kinds."""
    key = thumbnail_key(row.sha256)
    if await app_state.storage.exists(key):
        return await app_state.storage.read(key)
    if row.kind not in _MAKERS:
        raise AssetNotFound(row.id)
    async with app_state.storage.path(row.object_key) as path:
        data = await asyncio.to_thread(_MAKERS[row.kind], path, app_state.settings.image_megapixels)
    await store_thumbnail(app_state.database, app_state.storage, row.sha256, data)
    return data


async def make_video_thumbnail(path: Path, kind: str) -> bytes | None:
    """Return the thumbnail of a video, or None for other kinds and unreadable videos."""
    if kind != "video":
        return None
    try:
        return await asyncio.to_thread(_video_thumbnail, path, _MEGAPIXELS)
    except (FileInvalid, ImageTooLarge, ImportError):
        return None


async def store_thumbnail(database: Database, storage: Storage, sha256: str, data: bytes) -> None:
    """Store a thumbnail, unless the asset was deleted in the meantime."""
    await store_beside(database, storage, thumbnail_key(sha256), data)


async def store_beside(database: Database, storage: Storage, key: str, data: bytes) -> None:
    """Store data about a content under a key that ends with its SHA-256, unless the asset was deleted."""
    async with database.writing() as session:
        await advisory_lock(session, key)
        if await repository.has_content(session, key.rpartition("/")[2]):
            await storage.put_at(key, data)


def _image_thumbnail(path: Path, megapixels: int) -> bytes:
    return images.shrink(path, MAX_SIDE, megapixels)


def _video_thumbnail(path: Path, megapixels: int) -> bytes:
    import av

    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            if stream.width * stream.height > megapixels * 1_000_000:
                raise ImageTooLarge(megapixels)
            frame = _frame(container)
    except (av.FFmpegError, StopIteration, IndexError) as error:
        raise FileInvalid("This video cannot be read.") from error
    data = io.BytesIO()
    frame.to_image().save(data, "PNG")
    return images.shrink(data.getvalue(), MAX_SIDE, megapixels)


def _frame(container: Any) -> Any:
    # The first frame is often black, so the frame after one second is used.
    stream = container.streams.video[0]
    if container.duration and container.duration > 2_000_000:
        container.seek(1_000_000)
    return next(container.decode(stream))


_MAKERS: dict[str, Callable[[Path, int], bytes]] = {"image": _image_thumbnail, "video": _video_thumbnail}
