"""Font files of brands: sanitised and stored on upload, deleted when no brand has them.

They are assets of their owner, which count towards her storage, outside the library.
"""

import asyncio
import hashlib
import tempfile
from datetime import timedelta
from pathlib import Path

from fastapi import UploadFile

from impasto_server.assets import service as assets
from impasto_server.assets.garbage import sweep
from impasto_server.assets.models import AssetRow
from impasto_server.assets.upload import receive_upload, safe_file_name
from impasto_server.brands import repository
from impasto_server.brands.imports.font_file import MAX_BYTES, SanitizedFont
from impasto_server.brands.schemas import BrandFontFile, UploadedFont
from impasto_server.container import AppState
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User

_KEPT_UNUSED = timedelta(days=1)
_PAGE = 100


async def upload(app_state: AppState, user: User, file: UploadFile) -> UploadedFont:
    """Sanitise and store a TTF, OTF or WOFF2 file.

    Raises `ImportFailed` for a file that is no such font, `UploadTooLarge`, `RateLimited` or `LimitReached`.
    """
    importer = app_state.brand_importer
    await importer.count(user.id)
    async with receive_upload(file, min(MAX_BYTES, app_state.settings.upload_bytes)) as received:
        data = await asyncio.to_thread(received.path.read_bytes)
    font = await importer.read_font(user.id, data, "file")
    row = await _store(app_state, user, font)
    return UploadedFont(
        file=_file(row, font),
        variable=font.variable,
        characters=font.characters,
        url=assets.describe(app_state, row).url,
    )


async def store(app_state: AppState, user: User, font: SanitizedFont) -> BrandFontFile:
    """Store a sanitised font. Raises `LimitReached`."""
    return _file(await _store(app_state, user, font), font)


async def _store(app_state: AppState, user: User, font: SanitizedFont) -> AssetRow:
    digest = hashlib.sha256(font.data).hexdigest()
    async with app_state.database.reading() as session:
        known = await assets.font_with_content(session, user.id, digest)
    if known is not None:
        return known
    row = row_of(app_state, user, font, digest)
    with tempfile.TemporaryDirectory(prefix="impasto-font-") as folder:
        path = Path(folder) / "font"
        await asyncio.to_thread(path.write_bytes, font.data)
        await assets.store_file(app_state, path, row)
    return row


def row_of(app_state: AppState, user: User, font: SanitizedFont, digest: str) -> AssetRow:
    """Return the row of a sanitised font, which is not stored. `digest` is the SHA-256 of its data."""
    return AssetRow(
        owner_id=user.id,
        kind="file",
        media_type=font.media_type,
        name=safe_file_name(f"{font.family}-{font.weight}.{font.media_type.removeprefix('font/')}"),
        bytes=len(font.data),
        sha256=digest,
        object_key=content_key(digest),
        source="font",
        input_asset_ids=[],
        created_at=app_state.clock(),
    )


def _file(row: AssetRow, font: SanitizedFont) -> BrandFontFile:
    return BrandFontFile(asset_id=row.id, family=font.family, weight=font.weight, italic=font.italic)


async def delete_unused(app_state: AppState) -> None:
    """Delete the font files that no draft and no published version has, a day after they were stored."""
    before, after_id = app_state.clock() - _KEPT_UNUSED, ""
    while True:
        async with app_state.database.reading() as session:
            rows = await assets.old_fonts(session, before, after_id, _PAGE)
        if not rows:
            return
        after_id = rows[-1].id
        for row in rows:
            await _delete_if_unused(app_state, row)


async def _delete_if_unused(app_state: AppState, row: AssetRow) -> None:
    async with app_state.database.writing() as session:
        (found,) = await assets.find_for_update(session, row.owner_id, [row.id]) or (None,)
        if found is None or await repository.is_mentioned(session, row.owner_id, row.id):
            return
        keys = await assets.delete_row(session, found)
    await sweep(app_state, keys)
