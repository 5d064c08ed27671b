"""Export and erasure of a user's runs. Live runs are cancelled when the account is deleted."""

from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.engine import Database
from impasto_server.runs import cancel_requests, repository, service
from impasto_server.runs.models import RunRow
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, json_array, pages_of

_RUNS_AT_ONCE = 200


async def _export(database: Database, user_id: str) -> AsyncIterator[Entry]:
    yield Entry("runs.json", pieces=json_array(_summaries(database, user_id)))


async def _summaries(database: Database, user_id: str) -> AsyncIterator[dict[str, Any]]:
    query = select(RunRow).where(RunRow.owner_id == user_id, RunRow.deleted_at.is_(None))
    async for page in pages_of(database, query, RunRow.id, _RUNS_AT_ONCE):
        for row in page:
            yield service.summarize(row, with_detail=True).model_dump(mode="json")


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    # The rows are deleted with the account: an executor that is notified finds no row and stops.
    has_live = exists().where(RunRow.owner_id == user_id, RunRow.status.in_(repository.LIVE_STATUSES))
    return Erasure(topics=[cancel_requests.TOPIC] if await session.scalar(select(has_live)) else [])


data_owner = DataOwner(_export, _erase)
