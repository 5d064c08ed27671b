"""Brands as files: a zip with the brand and its logos, which another installation imports."""

from collections.abc import AsyncIterator

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.brands import service as brands
from impasto_server.brands.imports.archive import DOCUMENT, KIND
from impasto_server.brands.presenter import file_ids
from impasto_server.container import AppState
from impasto_server.storage.zip_stream import ZipStream, one_piece
from impasto_server.users.models import User

_EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


async def stream_export(
    session: AsyncSession, app_state: AppState, user: User, brand_id: str
) -> AsyncIterator[bytes]:
    """Return the bytes of a zip with the draft of a brand, its logos and its own fonts.

    Raises `BrandNotFound`.
    """
    content = await brands.content_at(session, user, brand_id, "draft")
    document = content.model_dump(mode="json")
    ids = file_ids(content)
    rows = {row.id: row for row in await assets.find_many(session, user.id, ids)} if ids else {}
    files: list[tuple[str, str]] = []
    for ground in ("light", "dark"):
        row = rows.get(document["logo"][ground])
        document["logo"][ground] = None
        if row is not None:
            name = f"logo-{ground}.{_EXTENSIONS.get(row.media_type, 'png')}"
            document["logo"][ground] = name
            files.append((name, row.object_key))
    fonts = []
    for number, file in enumerate(document.pop("font_files"), 1):
        row = rows.get(file.pop("asset_id"))
        if row is not None:
            name = f"font-{number}.{row.media_type.removeprefix('font/')}"
            fonts.append({**file, "file": name})
            files.append((name, row.object_key))
    if fonts:
        document["font_files"] = fonts
    data = orjson.dumps(
        {"kind": KIND, "format": 2 if fonts else 1, "brand": document}, option=orjson.OPT_INDENT_2
    )
    return _written(app_state, data, files)


async def _written(
    app_state: AppState, document: bytes, files: list[tuple[str, str]]
) -> AsyncIterator[bytes]:
    archive = ZipStream()
    async for piece in archive.add(DOCUMENT, one_piece(document), compress=True):
        yield piece
    for name, key in files:
        pieces = app_state.storage.stream(key, 0, await app_state.storage.size(key))
        async for piece in archive.add(name, pieces):
            yield piece
    yield archive.finish()
