"""Queries of batches."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.batches.models import BatchRow
from impasto_server.runs.models import RunRow


async def find(session: AsyncSession, user_id: str, batch_id: str) -> BatchRow | None:
    """Return one of the user's batches, or None."""
    row = await session.get(BatchRow, batch_id)
    return row if row is not None and row.owner_id == user_id else None


async def runs_of(session: AsyncSession, batch_id: str) -> Sequence[RunRow]:
    """List a batch's runs in the order of its table, without their documents."""
    query = select(RunRow).where(RunRow.batch_id == batch_id).order_by(RunRow.batch_row)
    return (await session.scalars(query)).all()


async def page_of_runs(session: AsyncSession, batch_id: str, start: int, limit: int) -> Sequence[RunRow]:
    """List at most `limit` of a batch's runs, from row `start` of its table (the first is 0)."""
    rows = (RunRow.batch_id == batch_id, RunRow.batch_row >= start, RunRow.batch_row < start + limit)
    return (await session.scalars(select(RunRow).where(*rows).order_by(RunRow.batch_row))).all()


async def input_names(session: AsyncSession, batch_id: str) -> list[str]:
    """List the ids of the inputs that any row of a batch sets, in the order of first use."""
    query = select(RunRow.inputs).where(RunRow.batch_id == batch_id).order_by(RunRow.batch_row)
    return list(dict.fromkeys(name for inputs in await session.scalars(query) for name in inputs))
