"""Export and erasure of a user's agents."""

from collections.abc import AsyncIterator

import orjson
from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.db.engine import Database
from impasto_server.flows.import_export import export_document
from impasto_server.flows.models import FlowRow
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, pages_of

_AGENTS_AT_ONCE = 10


async def _export(database: Database, user_id: str) -> AsyncIterator[Entry]:
    query = select(FlowRow).where(FlowRow.owner_id == user_id).options(undefer(FlowRow.draft))
    async for page in pages_of(database, query, FlowRow.id, _AGENTS_AT_ONCE):
        for row in page:
            document = orjson.dumps(export_document(row, row.draft), option=orjson.OPT_INDENT_2)
            yield Entry(f"agents/{row.id}.json", document)


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    query = select(FlowRow.avatar_key).where(FlowRow.owner_id == user_id, FlowRow.avatar_key.is_not(None))
    return Erasure([str(key) for key in await session.scalars(query)])


async def _references(session: AsyncSession, object_key: str) -> bool:
    return bool(await session.scalar(select(exists().where(FlowRow.avatar_key == object_key))))


data_owner = DataOwner(_export, _erase, _references)
