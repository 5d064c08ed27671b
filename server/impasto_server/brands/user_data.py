"""Export and erasure of a user's brands. Their logos are assets, which are exported and erased as such."""

from collections.abc import AsyncIterator

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.brands.models import BrandRow, BrandVersionRow
from impasto_server.db.engine import Database
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, pages_of

_AT_ONCE = 50


async def _export(database: Database, user_id: str) -> AsyncIterator[Entry]:
    query = select(BrandRow).where(BrandRow.owner_id == user_id)
    async for page in pages_of(database, query, BrandRow.id, _AT_ONCE):
        for row in page:
            yield Entry(f"brands/{row.id}.json", await _document(database, row))


async def _document(database: Database, row: BrandRow) -> bytes:
    versions = select(BrandVersionRow).where(BrandVersionRow.brand_id == row.id)
    async with database.reading() as session:
        entries = (await session.scalars(versions.order_by(BrandVersionRow.number))).all()
    return orjson.dumps(
        {
            "id": row.id,
            "draft": row.draft,
            "is_default": row.is_default,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
            "versions": [
                {
                    "number": entry.number,
                    "note": entry.note,
                    "summary": entry.summary,
                    "content": entry.content,
                    "created_at": entry.created_at,
                }
                for entry in entries
            ],
        },
        option=orjson.OPT_INDENT_2,
    )


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    """Nothing to do: the rows are deleted with their user."""
    return Erasure()


data_owner = DataOwner(_export, _erase)
