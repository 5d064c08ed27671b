"""Queries of operators: runs of all users, their sums, and the processes that execute runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.types import UtcDateTime
from impasto_server.runs.models import RunRow, WorkerRow
from impasto_server.runs.repository import LIVE_STATUSES


@dataclass(frozen=True)
class RunFilter:
    """Which runs of all users to read: those that match every given field."""

    owner_id: str | None = None
    flow_id: str | None = None
    status: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None


def matching(wanted: RunFilter) -> Select[RunRow]:
    """Return the query for runs of all users."""
    return select(RunRow).where(*_conditions(wanted))


def _conditions(wanted: RunFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.owner_id is not None:
        yield RunRow.owner_id == wanted.owner_id
    if wanted.flow_id is not None:
        yield RunRow.flow_id == wanted.flow_id
    if wanted.status:
        yield RunRow.status.in_(wanted.status)
    if wanted.since is not None:
        yield RunRow.created_at >= wanted.since
    if wanted.until is not None:
        yield RunRow.created_at < wanted.until


@dataclass(frozen=True)
class RunSums:
    """The number of some runs and what they cost in US dollars."""

    runs: int
    usd: Decimal


_SUMS = (func.count(RunRow.id), func.coalesce(func.sum(RunRow.cost_usd), 0))


async def sum_all(session: AsyncSession, wanted: RunFilter) -> RunSums:
    """Return the sums of the runs that match."""
    count, usd = (await session.execute(select(*_SUMS).where(*_conditions(wanted)))).one()
    return RunSums(count, Decimal(usd))


async def sum_by_day(session: AsyncSession, wanted: RunFilter) -> list[tuple[str, RunSums]]:
    """Return the sums of each day (UTC) with a run, the newest first."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    day = (
        func.strftime("%Y-%m-%d", RunRow.created_at)
        if is_sqlite
        else func.to_char(func.timezone("UTC", RunRow.created_at), "YYYY-MM-DD")
    ).label("day")
    query = select(day, *_SUMS).where(*_conditions(wanted)).group_by(day).order_by(day.desc())
    return [(name, RunSums(count, Decimal(usd))) for name, count, usd in await session.execute(query)]


async def sum_by_owner(session: AsyncSession, wanted: RunFilter, limit: int) -> list[tuple[str, RunSums]]:
    """Return the sums of each user, the most expensive first."""
    query = select(RunRow.owner_id, *_SUMS).where(*_conditions(wanted)).group_by(RunRow.owner_id)
    rows = await session.execute(query.order_by(_SUMS[1].desc(), RunRow.owner_id).limit(limit))
    return [(owner_id, RunSums(count, Decimal(usd))) for owner_id, count, usd in rows]


async def live_workers(session: AsyncSession, since: datetime) -> int:
    """Count the processes that have shown since a time that they execute runs."""
    query = select(func.count()).where(WorkerRow.seen_at >= since)
    return (await session.scalars(query)).one()


async def workers(session: AsyncSession) -> Sequence[tuple[WorkerRow, int]]:
    """Return the processes that execute runs, each with the number of its live runs."""
    runs = (
        select(RunRow.lease_owner, func.count().label("runs"))
        .where(RunRow.status.in_(LIVE_STATUSES), RunRow.lease_owner.is_not(None))
        .group_by(RunRow.lease_owner)
        .subquery()
    )
    query = select(WorkerRow, func.coalesce(runs.c.runs, 0)).outerjoin(
        runs, runs.c.lease_owner == WorkerRow.name
    )
    return [(row, int(count)) for row, count in await session.execute(query.order_by(WorkerRow.started_at))]


async def queue_sums(session: AsyncSession) -> tuple[int, int, datetime | None]:
    """Return how many live runs wait, how many are executed, and since when the oldest one waits."""
    waits = RunRow.lease_owner.is_(None)
    since = case((waits, func.coalesce(RunRow.enqueued_at, RunRow.created_at)), else_=None)
    query = select(
        func.count().filter(waits), func.count().filter(~waits), func.min(since, type_=UtcDateTime())
    ).where(RunRow.status.in_(LIVE_STATUSES))
    waiting, executed, oldest = (await session.execute(query)).one()
    return int(waiting), int(executed), oldest
