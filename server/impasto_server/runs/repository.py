"""Queries about runs and their events."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, undefer

from impasto import Event
from impasto_server.runs.models import RecordRow, RunRow

LIVE = ("queued", "running")
_DOCUMENTS = (
    undefer(RunRow.document),
    undefer(RunRow.subflows),
    undefer(RunRow.planned_results),
    undefer(RunRow.planned_steps),
)
_EVENT = (RecordRow.seq, RecordRow.time, RecordRow.name, RecordRow.step, RecordRow.body)


async def find(session: AsyncSession, run_id: str) -> RunRow | None:
    """Find a run with its document."""
    return await session.get(RunRow, run_id, options=_DOCUMENTS, populate_existing=True)


async def find_for_update(session: AsyncSession, run_id: str) -> RunRow | None:
    """Find a run and keep others from changing it until the transaction ends."""
    query = select(RunRow).where(RunRow.id == run_id).options(*_DOCUMENTS).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def by_launch_key(session: AsyncSession, user_id: str, key: str, since: datetime) -> RunRow | None:
    """Find the run that an Idempotency-Key started, unless that is too long ago."""
    query = select(RunRow).where(
        RunRow.owner_id == user_id, RunRow.launch_key == key, RunRow.created_at >= since
    )
    return (await session.scalars(query.options(*_DOCUMENTS))).one_or_none()


async def sample_of_batch(session: AsyncSession, batch_id: str) -> RunRow | None:
    """Find one run of a batch with the document that all of them run, a finished one if there is any."""
    query = select(RunRow).where(RunRow.batch_id == batch_id).options(*_DOCUMENTS)
    return (
        await session.scalars(query.order_by(RunRow.status != "finished", RunRow.batch_row).limit(1))
    ).first()


async def over_without_planned_results(session: AsyncSession, after: str, limit: int) -> Sequence[str]:
    """List ids of ended runs, in order, that were launched before rows held the planned results."""
    query = select(RunRow.id).where(
        RunRow.id > after, RunRow.planned_results.is_(None), RunRow.status.not_in(LIVE)
    )
    return (await session.scalars(query.order_by(RunRow.id).limit(limit))).all()


async def set_planned_results(session: AsyncSession, run_id: str, planned: list[dict[str, Any]]) -> None:
    """Write the results that a run was launched for."""
    query = update(RunRow).where(RunRow.id == run_id).values(planned_results=planned)
    await session.execute(query.execution_options(synchronize_session=False))


async def forget_launch_key(session: AsyncSession, user_id: str, key: str, before: datetime) -> None:
    """Let a key start another run once its first one is long ago."""
    query = update(RunRow).where(
        RunRow.owner_id == user_id, RunRow.launch_key == key, RunRow.created_at < before
    )
    await session.execute(query.values(launch_key=None).execution_options(synchronize_session=False))


async def next_number(session: AsyncSession, user_id: str, flow_id: str) -> int:
    """Return the number of a user's next run of an agent, from 1."""
    query = select(func.max(RunRow.number)).where(RunRow.owner_id == user_id, RunRow.flow_id == flow_id)
    return (await session.scalar(query) or 0) + 1


def list_of(user_id: str, flow_id: str | None, status: Sequence[str] | None) -> Select[RunRow]:
    """Return the query for a user's runs."""
    query = select(RunRow).where(RunRow.owner_id == user_id)
    if flow_id is not None:
        query = query.where(RunRow.flow_id == flow_id)
    return query.where(RunRow.status.in_(status)) if status else query


async def events_after(session: AsyncSession, run_id: str, seq: int, most: int | None = None) -> list[Event]:
    """List a run's events after a number, in order. An end that a run went on from is left out."""
    later = aliased(RecordRow)
    again = exists().where(
        later.run_id == RecordRow.run_id, later.seq == RecordRow.seq, later.position > RecordRow.position
    )
    query = (
        select(*_EVENT)
        .where(RecordRow.run_id == run_id, RecordRow.seq > seq, ~again)
        .order_by(RecordRow.seq)
        .limit(most)
    )
    rows = await session.execute(query)
    return [Event(run_id, number, time, name, step, None, body) for number, time, name, step, body in rows]


async def status_of(session: AsyncSession, run_id: str) -> tuple[str, int] | None:
    """Return a run's status and its last event's number."""
    row = (await session.execute(select(RunRow.status, RunRow.last_seq).where(RunRow.id == run_id))).first()
    return (row[0], row[1]) if row else None


async def cancel_requested(session: AsyncSession, run_id: str) -> bool:
    """Whether the user asked the run to stop, or left and took it along."""
    asked = await session.scalar(select(RunRow.cancel_requested).where(RunRow.id == run_id))
    return asked is None or asked


async def next_position(session: AsyncSession, run_id: str) -> int:
    """Return the position of the next record in a run's journal."""
    last = await session.scalar(select(func.max(RecordRow.position)).where(RecordRow.run_id == run_id))
    return 0 if last is None else last + 1


async def has_records(session: AsyncSession, run_id: str) -> bool:
    """Whether the run's journal was begun."""
    return await next_position(session, run_id) > 0


async def forget_records(session: AsyncSession, run_id: str) -> None:
    """Empty the journal of a run that never began."""
    await session.execute(delete(RecordRow).where(RecordRow.run_id == run_id))


async def waiting(session: AsyncSession, now: datetime, most: int) -> Sequence[str]:
    """List the first live runs that nobody owns: never claimed, or by a process whose lease ran out."""
    free = or_(RunRow.lease_until.is_(None), RunRow.lease_until < now)
    query = select(RunRow.id).where(RunRow.status.in_(LIVE), free).order_by(RunRow.id).limit(most)
    return (await session.scalars(query)).all()


async def orphans(session: AsyncSession, now: datetime, patience: timedelta) -> Sequence[str]:
    """List live runs whose owner died or let them go, and such as nobody took in so long that nobody will."""
    left = or_(RunRow.lease_until < now, and_(RunRow.status == "running", RunRow.lease_until.is_(None)))
    forgotten = and_(
        RunRow.lease_until.is_(None),
        RunRow.created_at < now - patience,
        func.coalesce(RunRow.handed_at, RunRow.created_at) < now - patience,
    )
    query = (
        update(RunRow)
        .where(RunRow.status.in_(LIVE), or_(left, forgotten))
        .values(handed_at=now)
        .returning(RunRow.id)
        .execution_options(synchronize_session=False)
    )
    return (await session.scalars(query)).all()


async def release_all(session: AsyncSession, owner: str) -> None:
    """Give up every lease of one owner."""
    query = update(RunRow).where(RunRow.lease_owner == owner, RunRow.status.in_(LIVE))
    await session.execute(query.values(lease_until=None))
