"""Runs in the form of the API."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Estimate
from impasto_server.http.schemas import money
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.backends import fair_queue
from impasto_server.runs.events import projection
from impasto_server.runs.launch.brands import described
from impasto_server.runs.launch.planned_results import planned_results
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import Comparison, Run, RunSummary, Step
from impasto_server.users.models import User


async def _can_see_details(session: AsyncSession, user: User, row: RunRow) -> bool:
    """Whether the user owns the agent, and so sees the details of errors."""
    flow = await session.get(FlowRow, row.flow_id) if row.flow_id else None
    return flow is not None and flow.owner_id == user.id


async def describe(session: AsyncSession, app_state: AppState, user: User, row: RunRow) -> Run:
    """Return a run with its current steps and results. `row` must be loaded with its document."""
    with_detail = await _can_see_details(session, user, row)
    events = await journal_repository.events_after(session, row.id)
    steps = projection.fold_events(events, with_detail=with_detail)
    is_waiting = row.lease_owner is None and row.status in repository.LIVE_STATUSES
    return _described(
        row,
        await planned_results(app_state, row, steps),
        steps,
        with_detail=with_detail,
        queue_position=await fair_queue.position(session, row.id) if is_waiting else None,
    )


async def describe_launched(database: Database, row: RunRow) -> Run:
    """Return a run as its launch wrote it, with its present place in the queue."""
    return _described(
        row,
        row.planned_results or (),
        [],
        with_detail=False,  # it has no error yet
        queue_position=await fair_queue.position_of_launched(database, row.id),
    )


def _described(
    row: RunRow,
    planned: Sequence[Mapping[str, Any]],
    steps: list[Step],
    *,
    with_detail: bool,
    queue_position: int | None,
) -> Run:
    return Run(
        **summarize(row, with_detail=with_detail).model_dump(),
        queue_position=queue_position,
        brands=described(row),
        steps=steps or projection.pending_steps(row.planned_steps or row.document.get("nodes", ())),
        results=projection.fill_results(planned, steps),
        flow=row.document,
        fresh=row.fresh,
        again_of=row.again_of,
    )


def summarize(row: RunRow, *, with_detail: bool = False) -> RunSummary:
    """Return a run without its steps and results."""
    end = row.finished_at
    return RunSummary(
        id=row.id,
        number=row.number,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version or "draft",
        status=row.status,
        inputs=row.inputs,
        targets=row.targets,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=end,
        seconds=(end - row.started_at).total_seconds() if end and row.started_at else None,
        cost_usd=money(row.cost_usd),
        estimate=Estimate(**row.estimate),
        error=projection.error_data(row.error, with_detail=with_detail),
        last_seq=row.last_seq,
        can_resume=can_resume(row),
        can_cancel=row.status in repository.LIVE_STATUSES,
        batch_id=row.batch_id,
        cover_asset_id=row.cover_asset_id,
        comparison=_comparison(row),
    )


def _comparison(row: RunRow) -> Comparison | None:
    if row.comparison is None:
        return None
    return Comparison(**row.comparison, cancelled=cancelled_steps(row))


def can_resume(row: RunRow) -> bool:
    """Whether a run has steps left. Variants of a comparison that were cancelled stay cancelled."""
    if row.status not in ("failed", "cancelled"):
        return False
    variants = row.comparison["steps"] if row.comparison else []
    return not variants or any(step not in cancelled_steps(row) for step in variants)


def cancelled_steps(row: RunRow) -> list[str]:
    """Return the variants of a comparison that were cancelled while the others went on."""
    return row.cancelled_steps or []
