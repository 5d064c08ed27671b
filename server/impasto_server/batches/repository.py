"""Queries about batches."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.batches.models import BatchRow
from impasto_server.runs.models import RunRow


async def find(session: AsyncSession, user_id: str, batch_id: str) -> BatchRow | None:
    """Find one of the user's batches."""
    row = await session.get(BatchRow, batch_id)
    return row if row is not None and row.owner_id == user_id else None


async def runs_of(session: AsyncSession, batch_id: str, *, whole: bool = False) -> Sequence[RunRow]:
    """List a batch's runs in the order of its table; `whole` with the document that each has run."""
    query = select(RunRow).where(RunRow.batch_id == batch_id).order_by(RunRow.batch_row)
    if whole:
        query = query.options(undefer(RunRow.document), undefer(RunRow.subflows))
    return (await session.scalars(query)).all()
