"""Export and erasure of a user's assets."""

from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import repository, service
from impasto_server.assets.media.thumbnails import keys_of, sidecar_key
from impasto_server.assets.models import AssetRow
from impasto_server.content_credentials.formats import SIDECAR_SUFFIX
from impasto_server.db.engine import Database
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, json_array, pages_of

_ASSETS_AT_ONCE = 200


async def _export(database: Database, user_id: str) -> AsyncIterator[Entry]:
    yield Entry("assets.json", pieces=json_array(_metadata(database, user_id)))
    async for row in _rows(database, user_id):
        path = f"assets/{row.id}-{row.name}"
        if row.excerpt is not None:
            async with database.reading() as session:
                yield Entry(path, (await repository.text_of(session, row.id) or "").encode())
            continue
        yield Entry(path, object_key=row.object_key)
        if row.credentials == "sidecar":
            yield Entry(f"{path}{SIDECAR_SUFFIX}", object_key=sidecar_key(row.sha256))


async def _metadata(database: Database, user_id: str) -> AsyncIterator[dict[str, Any]]:
    async for row in _rows(database, user_id):
        yield service.metadata(row)


async def _rows(database: Database, user_id: str) -> AsyncIterator[AssetRow]:
    query = select(AssetRow).where(AssetRow.owner_id == user_id)
    async for page in pages_of(database, query, AssetRow.id, _ASSETS_AT_ONCE):
        for row in page:
            yield row


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    files = select(AssetRow.object_key, AssetRow.sha256).where(AssetRow.owner_id == user_id).distinct()
    own_files = (await session.execute(files)).all()
    return Erasure([key for name, digest in own_files for key in keys_of(name, digest)])


data_owner = DataOwner(_export, _erase, service.is_referenced)
