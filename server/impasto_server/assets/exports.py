"""The file of an asset as it leaves the library: with a visible AI mark if the agent's builder wants one.

A marked file is signed too, with the unmarked one as its parent. It is made on the first request and kept.
"""

import asyncio
import shutil
import tempfile
from pathlib import Path

from impasto_server.assets import images, metadata
from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.assets.models import AssetRow
from impasto_server.assets.signing import sign_edit
from impasto_server.assets.thumbnails import export_key, store_beside
from impasto_server.container import AppState
from impasto_server.content_credentials import claims
from impasto_server.marking.visible_mark import burn_in


async def marked_file(app_state: AppState, row: AssetRow) -> bytes | None:
    """Return the marked file of an asset; None if the asset's own file is the one to export.

    Raises FileNotFoundError if the asset's file is gone.
    """
    if not row.mark_exports:
        return None
    key = export_key(row.sha256)
    if await app_state.storage.exists(key):
        return await app_state.storage.read(key)
    async with app_state.storage.path(row.object_key) as original:
        with tempfile.TemporaryDirectory(prefix="impasto-export-") as folder:
            path = Path(folder) / "file"
            if not await asyncio.to_thread(_mark, original, path, row, app_state.settings.image_megapixels):
                return None
            await sign_edit(app_state, path, row, await asyncio.to_thread(original.resolve))
            data = await asyncio.to_thread(path.read_bytes)
    await store_beside(app_state.database, app_state.storage, key, data)
    return data


def _mark(original: Path, path: Path, row: AssetRow, megapixels: int) -> bool:
    shutil.copyfile(original, path)
    try:
        if not images.rewrite(path, megapixels, burn_in):
            return False
    except (FileInvalid, ImageTooLarge):
        return False
    provenance = metadata.read(original)
    if provenance is not None:
        source_type = claims.DIGITAL_SOURCE_TYPES + row.source_type if row.source_type else None
        metadata.embed(path, provenance, source_type)
    return True
