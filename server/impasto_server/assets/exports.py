"""The file of an asset as it leaves the library: with a visible AI mark if the agent's builder wants one.

A marked file is signed too, with the unmarked one as its parent. It is made on the first request and kept.
"""

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import structlog

from impasto_server.assets import metadata
from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.media import images
from impasto_server.assets.media.thumbnails import export_key, store_beside
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin.signing import sign_edit
from impasto_server.container import AppState
from impasto_server.content_credentials import claims
from impasto_server.marking import video_mark, visible_mark

log = structlog.get_logger()


def can_mark(kind: str, media_type: str) -> bool:
    """Whether files of a type can have the visible mark: images, and videos as MP4."""
    return kind == "image" or media_type == "video/mp4"


async def marked_file(app_state: AppState, row: AssetRow) -> bytes | None:
    """Return the marked file of an asset; None if the asset's own file is the one to export.

    A server marks one video at a time. Raises FileNotFoundError if the asset's file is missing.
    """
    if not row.mark_exports:
        return None
    async with AsyncExitStack() as stack:
        if row.kind == "video":
            await stack.enter_async_context(app_state.video_marking)
        key = export_key(row.sha256)
        if await app_state.storage.exists(key):
            return await app_state.storage.read(key)
        original = await stack.enter_async_context(app_state.storage.path(row.object_key))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="impasto-export-"))
        path = Path(folder) / "file"
        if not await asyncio.to_thread(_mark, original, path, row, app_state.settings.image_megapixels):
            return None
        await sign_edit(app_state, path, row, await asyncio.to_thread(original.resolve))
        data = await asyncio.to_thread(path.read_bytes)
        await store_beside(app_state.database, app_state.storage, key, data)
    return data


def _mark(original: Path, path: Path, row: AssetRow, megapixels: int) -> bool:
    try:
        if row.kind == "video":
            video_mark.burn_in(original, path)
        else:
            shutil.copyfile(original, path)
            if not images.rewrite(path, megapixels, visible_mark.burn_in):
                return False
    except (FileInvalid, ImageTooLarge):
        return False
    except video_mark.VideoNotMarked as error:
        log.warning("video exported without the visible mark", asset_id=row.id, reason=str(error))
        return False
    provenance = metadata.read(original)
    if provenance is not None:
        source_type = claims.DIGITAL_SOURCE_TYPES + row.source_type if row.source_type else None
        metadata.embed(path, provenance, source_type)
    return True
