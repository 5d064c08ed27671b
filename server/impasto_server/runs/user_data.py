"""Export and erasure of a user's runs. Live runs are cancelled when the account is deleted."""

from collections.abc import AsyncIterator

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.runs import repository, service
from impasto_server.runs.models import RunRow
from impasto_server.users.data_owners import DataOwner, Entry, Erasure


async def _export(session: AsyncSession, user_id: str) -> AsyncIterator[Entry]:
    rows = await session.scalars(select(RunRow).where(RunRow.owner_id == user_id).order_by(RunRow.id))
    summaries = [service.summarize(row, with_detail=True).model_dump(mode="json") for row in rows]
    yield Entry("runs.json", orjson.dumps(summaries, option=orjson.OPT_INDENT_2))


async def _erase(session: AsyncSession, user_id: str) -> Erasure:
    # The rows are deleted with the account: an executor that is notified finds no row and stops.
    query = select(RunRow.id).where(RunRow.owner_id == user_id, RunRow.status.in_(repository.LIVE_STATUSES))
    return Erasure(topics=[f"cancel {run_id}" for run_id in await session.scalars(query)])


data_owner = DataOwner(_export, _erase)
