"""Export and erasure of a user's customizations."""

from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.customizations import repository
from impasto_server.customizations.models import CustomizationRow
from impasto_server.db.engine import Database
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, json_array, pages_of

_AT_ONCE = 50


async def _export(database: Database, user_id: str) -> AsyncIterator[Entry]:
    yield Entry("customizations.json", pieces=json_array(_documents(database, user_id)))


async def _documents(database: Database, user_id: str) -> AsyncIterator[dict[str, Any]]:
    async for page in pages_of(database, repository.all_of(user_id), CustomizationRow.flow_id, _AT_ONCE):
        for row in page:
            yield {"flow_id": row.flow_id, "values": row.values, "updated_at": row.updated_at}


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    """Nothing to do: the rows are deleted with their user."""
    return Erasure()


data_owner = DataOwner(_export, _erase)
