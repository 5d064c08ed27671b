"""Queries of runs, and of the processes that execute them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Select, String, Table, bindparam, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer, undefer

from impasto_server.db import prepared
from impasto_server.db.engine import Database
from impasto_server.db.text_search import TextIndex
from impasto_server.flows.models import FlowRow
from impasto_server.runs import journal_repository
from impasto_server.runs.models import RunListingRow, RunRow
from impasto_server.users.models import User

LIVE_STATUSES = ("queued", "running")
_DOCUMENTS = (
    undefer(RunRow.document),
    undefer(RunRow.subflows),
    undefer(RunRow.brands),
    undefer(RunRow.planned_results),
    undefer(RunRow.planned_steps),
)
# Built once: every run executes these statements several times.
_RUN_ID = bindparam("run_id", type_=String)
_LEASE_FOR_UPDATE = select(RunRow).where(RunRow.id == _RUN_ID).with_for_update()
_RUN_FOR_UPDATE = _LEASE_FOR_UPDATE.options(*_DOCUMENTS)
_RUN = (
    select(RunRow).where(RunRow.id == _RUN_ID).options(*_DOCUMENTS).execution_options(populate_existing=True)
)
_RUNS = cast("Table", RunRow.__table__)
_ATTRIBUTES = tuple(RunRow.__mapper__.get_property_by_column(column).key for column in _RUNS.c)
_VALUES = select(*_RUNS.c).where(_RUNS.c.id == _RUN_ID)
LAST_NUMBER = select(func.max(_RUNS.c.number)).where(
    _RUNS.c.owner_id == bindparam("user_id", type_=String),
    _RUNS.c.flow_id == bindparam("flow_id", type_=String),
)
_CANCELLATIONS = select(RunRow.cancel_requested, RunRow.cancelled_steps).where(RunRow.id == _RUN_ID)
_FOLLOWED = (
    select(RunRow.last_seq, FlowRow.owner_id)
    .outerjoin(FlowRow, FlowRow.id == RunRow.flow_id)
    .where(
        RunRow.id == _RUN_ID,
        RunRow.owner_id == bindparam("user_id", type_=String),
        RunRow.deleted_at.is_(None),
    )
)
_PROGRESS_FOR_OWNER = (
    select(RunRow.status, RunRow.last_seq)
    .join(User, User.id == RunRow.owner_id)
    .where(RunRow.id == _RUN_ID, User.suspended_at.is_(None))
)


async def find(session: AsyncSession, run_id: str) -> RunRow | None:
    """Return a run with its document, or None."""
    return (await session.scalars(_RUN, {"run_id": run_id})).one_or_none()


async def find_detached(database: Database, run_id: str) -> RunRow | None:
    """Return a run with its document, in no session, or None.

    In a transaction of its own: not for use inside another session. Takes half of what `find` takes.
    """
    values = await database.first(_VALUES, {"run_id": run_id})
    return None if values is None else RunRow(**dict(zip(_ATTRIBUTES, values, strict=True)))


class FollowedRun(NamedTuple):
    """The start of a run's event stream: the last event so far, and whether it shows details of errors."""

    last_seq: int
    with_detail: bool


async def find_followed(database: Database, user_id: str, run_id: str) -> FollowedRun | None:
    """Return the start of the event stream of one of the user's runs; None if there is no such run."""
    found = await database.first(_FOLLOWED, {"user_id": user_id, "run_id": run_id})
    return None if found is None else FollowedRun(found[0], found[1] == user_id)


async def find_for_update(session: AsyncSession, run_id: str) -> RunRow | None:
    """Return a run with its document, locked until the transaction ends, or None."""
    return (await session.scalars(_RUN_FOR_UPDATE, {"run_id": run_id})).one_or_none()


async def find_lease_for_update(session: AsyncSession, run_id: str) -> RunRow | None:
    """Return a run without its document, locked until the transaction ends, or None."""
    return (await session.scalars(_LEASE_FOR_UPDATE, {"run_id": run_id})).one_or_none()


async def by_launch_key(session: AsyncSession, user_id: str, key: str, since: datetime) -> RunRow | None:
    """Return the run that an Idempotency-Key started after `since`, or None."""
    query = select(RunRow).where(
        RunRow.owner_id == user_id, RunRow.launch_key == key, RunRow.created_at >= since
    )
    return (await session.scalars(query.options(*_DOCUMENTS))).one_or_none()


async def sample_of_batch(session: AsyncSession, batch_id: str) -> RunRow | None:
    """Return a run of a batch with its document, a finished one if there is any, or None.

    A deleted run has no document.
    """
    query = (
        select(RunRow).where(RunRow.batch_id == batch_id, RunRow.deleted_at.is_(None)).options(*_DOCUMENTS)
    )
    first = query.order_by(RunRow.status != "finished", RunRow.batch_row).limit(1)
    return (await session.scalars(first)).one_or_none()


async def ended_without_planned_results(session: AsyncSession, after: str, limit: int) -> Sequence[str]:
    """List ids of ended runs, in order, that were launched before rows held the planned results."""
    query = select(RunRow.id).where(
        RunRow.id > after, RunRow.planned_results.is_(None), RunRow.status.not_in(LIVE_STATUSES)
    )
    return (await session.scalars(query.order_by(RunRow.id).limit(limit))).all()


class FinishedRun(NamedTuple):
    """The estimate of a run, its cost, and its time."""

    id: str
    flow_id: str | None
    estimate: dict[str, Any]
    cost_usd: Decimal
    started_at: datetime
    finished_at: datetime


async def finished_runs(
    session: AsyncSession, user_id: str, flow_id: str | None, limit: int
) -> Sequence[FinishedRun]:
    """List the user's newest complete runs of an agent, or of all; newest first.

    Runs that kept results of another run, and those that were resumed, are left out: they worked on a part,
    or their time has a pause in it.
    """
    query = (
        select(
            *(RunRow.id, RunRow.flow_id, RunRow.estimate, RunRow.cost_usd),
            *(RunRow.started_at, RunRow.finished_at),
        )
        .where(
            RunRow.owner_id == user_id,
            RunRow.status == "finished",
            RunRow.deleted_at.is_(None),
            RunRow.targets.is_(None),
            RunRow.again_of.is_(None),
            RunRow.attempt == 0,
            RunRow.crashes == 0,
            RunRow.started_at.is_not(None),
            RunRow.finished_at.is_not(None),
        )
        .order_by(RunRow.id.desc())
        .limit(limit)
    )
    if flow_id is not None:
        query = query.where(RunRow.flow_id == flow_id)
    return [FinishedRun(*row) for row in await session.execute(query)]


async def set_planned_results(session: AsyncSession, run_id: str, planned: list[dict[str, Any]]) -> None:
    """Write the results that a run was launched for, unless it is live."""
    ended = (RunRow.id == run_id, RunRow.status.not_in(LIVE_STATUSES))
    query = update(RunRow).where(*ended).values(planned_results=planned)
    await session.execute(query.execution_options(synchronize_session=False))


async def purge_launch_key(session: AsyncSession, user_id: str, key: str, before: datetime) -> None:
    """Remove an Idempotency-Key from runs created before a time, so that it can start another run."""
    query = update(RunRow).where(
        RunRow.owner_id == user_id, RunRow.launch_key == key, RunRow.created_at < before
    )
    await session.execute(query.values(launch_key=None).execution_options(synchronize_session=False))


async def next_number(session: AsyncSession, user_id: str, flow_id: str) -> int:
    """Return the number of the user's next run of an agent; the first is 1."""
    ((last,),) = await prepared.rows(session, LAST_NUMBER, {"user_id": user_id, "flow_id": flow_id})
    return (last or 0) + 1


TEXT_INDEX = TextIndex("run_listings", RunListingRow.run_id, RunListingRow.words, listed=RunRow.id)


@dataclass(frozen=True)
class ListFilter:
    """Which of a user's runs to list: those that match every given field. `until` is exclusive."""

    flow_id: str | None = None
    status: Sequence[str] | None = None
    brand_id: str | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def runs_query(user_id: str, wanted: ListFilter, words: Sequence[ColumnElement[bool]] = ()) -> Select[RunRow]:
    """Return the query of a user's runs that match a filter and the conditions `words`."""
    query = select(RunRow).where(RunRow.owner_id == user_id, RunRow.deleted_at.is_(None))
    if wanted.flow_id is not None:
        query = query.where(RunRow.flow_id == wanted.flow_id)
    if wanted.status:
        query = query.where(RunRow.status.in_(wanted.status))
    if wanted.since is not None:
        query = query.where(RunRow.created_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(RunRow.created_at < wanted.until)
    query = query.where(*words)
    listed = []
    if wanted.brand_id is not None:
        listed.append(RunListingRow.brand_id == wanted.brand_id)
    return query.where(exists().where(RunListingRow.run_id == RunRow.id, *listed)) if listed else query


async def listings_of(session: AsyncSession, run_ids: Sequence[str]) -> dict[str, RunListingRow]:
    """Return the listings of runs by run id, without their searchable text."""
    query = select(RunListingRow).where(RunListingRow.run_id.in_(run_ids))
    rows = await session.scalars(query.options(defer(RunListingRow.words)))
    return {row.run_id: row for row in rows}


async def ended_without_listing(session: AsyncSession, after: str, limit: int) -> Sequence[RunRow]:
    """List ended runs with their documents, in order of id, that have no listing and are not deleted."""
    is_listed = exists().where(RunListingRow.run_id == RunRow.id)
    query = select(RunRow).where(
        RunRow.id > after,
        RunRow.deleted_at.is_(None),
        RunRow.status.not_in(LIVE_STATUSES),
        ~is_listed,
    )
    return (await session.scalars(query.options(*_DOCUMENTS).order_by(RunRow.id).limit(limit))).all()


async def ended_outside_library(session: AsyncSession, after: str, limit: int) -> Sequence[str]:
    """List the ids of ended runs, in order, whose results are not in the library as they are called now."""
    query = (
        select(RunListingRow.run_id)
        .join(RunRow, RunRow.id == RunListingRow.run_id)
        .where(
            RunListingRow.in_library.is_(False),
            RunListingRow.run_id > after,
            RunRow.deleted_at.is_(None),
            RunRow.status.not_in(LIVE_STATUSES),
        )
    )
    return (await session.scalars(query.order_by(RunListingRow.run_id).limit(limit))).all()


async def erase_content(session: AsyncSession, row: RunRow, now: datetime) -> None:
    """Delete the contents of a run, and from its row the inputs of its launch."""
    await journal_repository.purge_records(session, row.id)
    await session.execute(delete(RunListingRow).where(RunListingRow.run_id == row.id))
    row.document, row.subflows, row.inputs, row.brands = {}, {}, {}, None
    row.planned_results, row.planned_steps, row.targets, row.error = [], [], None, None
    row.cover_asset_id, row.launch_key, row.launch_digest = None, None, None
    row.comparison, row.cancelled_steps = None, None
    row.deleted_at = now


async def count_since(session: AsyncSession, user_id: str, since: datetime) -> int:
    """Count the user's launches since a time, with deleted ones."""
    query = select(func.count()).where(RunRow.owner_id == user_id, RunRow.created_at >= since)
    return (await session.scalars(query)).one()


async def live_for_update(session: AsyncSession, user_id: str) -> Sequence[RunRow]:
    """Return a user's live runs, locked until the transaction ends."""
    query = select(RunRow).where(RunRow.owner_id == user_id, RunRow.status.in_(LIVE_STATUSES))
    return (await session.scalars(query.order_by(RunRow.id).with_for_update())).all()


async def totals_of(session: AsyncSession, user_id: str) -> tuple[int, Decimal]:
    """Return the number of a user's runs and what they cost."""
    query = select(func.count(), func.coalesce(func.sum(RunRow.cost_usd), 0))
    found = (await session.execute(query.where(RunRow.owner_id == user_id))).one()
    return found[0], Decimal(found[1])


async def owner_of(session: AsyncSession, run_id: str) -> str | None:
    """Return the id of a run's owner, or None if the run was deleted."""
    return await session.scalar(select(RunRow.owner_id).where(RunRow.id == run_id))


class Progress(NamedTuple):
    """A run's status and the number of its last event, of the same moment."""

    status: str
    last_seq: int

    @property
    def has_ended(self) -> bool:
        """Whether the run is over, which a resume can undo."""
        return self.status not in LIVE_STATUSES


async def progress_for_owner(database: Database, run_id: str) -> Progress | None:
    """Return how far a run is; None if the run was deleted or its owner is suspended."""
    found = await database.first(_PROGRESS_FOR_OWNER, {"run_id": run_id})
    return None if found is None else Progress(found[0], found[1])


async def cancellations(session: AsyncSession, run_id: str) -> tuple[bool, list[str]]:
    """Return whether the run must stop (its user cancelled it, or its row is deleted), and which steps."""
    found = (await session.execute(_CANCELLATIONS, {"run_id": run_id})).one_or_none()
    return (found[0], found[1] or []) if found is not None else (True, [])


async def live_runs_of(session: AsyncSession, owner: str) -> Sequence[RunRow]:
    """List the live runs that a process owns, with their planned steps, locked until the transaction ends."""
    query = select(RunRow).where(RunRow.lease_owner == owner, RunRow.status.in_(LIVE_STATUSES))
    query = query.options(undefer(RunRow.planned_steps)).order_by(RunRow.id).with_for_update()
    return (await session.scalars(query)).all()


async def release_leases(session: AsyncSession, owner: str, keep: Collection[str] = ()) -> None:
    """End the leases of one owner on live runs, except on those to keep."""
    query = update(RunRow).where(RunRow.lease_owner == owner, RunRow.status.in_(LIVE_STATUSES))
    if keep:
        query = query.where(RunRow.id.not_in(list(keep)))
    values = {"lease_until": None, "lease_owner": None}
    await session.execute(query.values(**values).execution_options(synchronize_session=False))
