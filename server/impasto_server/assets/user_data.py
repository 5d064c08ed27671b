"""Export and erasure of a user's assets."""

from collections.abc import AsyncIterator

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service
from impasto_server.assets.models import AssetRow
from impasto_server.assets.thumbnails import thumbnail_key
from impasto_server.users.data_owners import DataOwner, Entry, Erasure


async def _export(session: AsyncSession, user_id: str) -> AsyncIterator[Entry]:
    rows = (await session.scalars(select(AssetRow).where(AssetRow.owner_id == user_id))).all()
    listed = [service.metadata(row) for row in rows]
    yield Entry("assets.json", orjson.dumps(listed, option=orjson.OPT_INDENT_2))
    for row in rows:
        yield Entry(f"assets/{row.id}-{row.name}", object_key=row.object_key)


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    files = select(AssetRow.object_key, AssetRow.sha256).where(AssetRow.owner_id == user_id).distinct()
    own_files = (await session.execute(files)).all()
    return Erasure([key for name, digest in own_files for key in (name, thumbnail_key(digest))])


data_owner = DataOwner(_export, _erase, service.is_referenced)
