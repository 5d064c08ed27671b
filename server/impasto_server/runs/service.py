"""Runs: reading, listing, cancelling and resuming them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Estimate
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.http.schemas import money
from impasto_server.quota import service as quota
from impasto_server.runs import projection, repository, termination
from impasto_server.runs.errors import RunGoesOn, RunIsOver, RunNotFound
from impasto_server.runs.models import RunRow
from impasto_server.runs.planned_results import planned_results
from impasto_server.runs.schemas import Run, RunPage, RunResult, RunSummary
from impasto_server.users.models import User

log = structlog.get_logger()


async def owned(session: AsyncSession, user: User, run_id: str) -> RunRow:
    """Return one of the user's runs. Raises `RunNotFound`."""
    row = await repository.find(session, run_id)
    if row is None or row.owner_id != user.id:
        raise RunNotFound(run_id)
    return row


async def sees_details(session: AsyncSession, user: User, row: RunRow) -> bool:
    """Whether the user built the agent: then errors are told in detail."""
    flow = await session.get(FlowRow, row.flow_id) if row.flow_id else None
    return flow is not None and flow.owner_id == user.id


async def get(session: AsyncSession, app_state: AppState, user: User, run_id: str) -> Run:
    """Return a run with its steps and results as they are now."""
    row = await owned(session, user, run_id)
    return await describe(session, app_state, user, row)


async def describe(session: AsyncSession, app_state: AppState, user: User, row: RunRow) -> Run:
    """Return a run in full."""
    with_detail = await sees_details(session, user, row)
    events = await repository.events_after(session, row.id, 0)
    steps = projection.fold(events, with_detail=with_detail)
    return Run(
        **summarize(row, with_detail=with_detail).model_dump(),
        steps=steps or projection.waiting(row.planned_steps or row.document.get("nodes", ())),
        results=projection.results(planned_results(app_state, row, steps), steps),
        flow=row.document,
    )


@dataclass(frozen=True)
class Outcome:
    """What a table tells of a run."""

    summary: RunSummary
    results: list[RunResult]


async def outcome(session: AsyncSession, row: RunRow, planned: Sequence[Mapping[str, Any]]) -> Outcome:
    """Return what a run has made of the results that were planned."""
    steps = projection.fold(await repository.events_after(session, row.id, 0), with_detail=False)
    return Outcome(summarize(row), projection.results(planned, steps))


async def planned_results_of_batch(
    session: AsyncSession, app_state: AppState, batch_id: str
) -> Sequence[Mapping[str, Any]]:
    """Return the results that every run of a batch was launched for."""
    row = await repository.sample_of_batch(session, batch_id)
    if row is None:
        return []
    if row.planned_results is not None:
        return row.planned_results
    steps = projection.fold(await repository.events_after(session, row.id, 0), with_detail=False)
    return planned_results(app_state, row, steps)


async def list_runs(
    session: AsyncSession, user: User, paging: PageQuery, flow_id: str | None, status: Sequence[str] | None
) -> RunPage:
    """List one's own runs, newest first."""
    query = repository.list_of(user.id, flow_id, status)
    rows, cursor = await fetch_page(session, query, paging, RunRow.id)
    return RunPage(items=[summarize(row) for row in rows], next_cursor=cursor)


async def cancel(app_state: AppState, user: User, run_id: str) -> Run:
    """Ask a run to stop. Raises `RunIsOver`."""
    async with app_state.database.writing() as session:
        row = await _locked(session, user, run_id)
        if row.status not in repository.LIVE:
            raise RunIsOver(row.status)
        row.cancel_requested = True
        if row.started_at is None and row.lease_until is None:
            await termination.cancel_waiting(session, app_state, row)
    await app_state.runs.cancel(run_id)
    app_state.signals.ring(f"run {run_id}")
    async with app_state.database.reading() as session:
        return await get(session, app_state, user, run_id)


async def resume(app_state: AppState, user: User, run_id: str) -> Run:
    """Redo what failed and what never ran. Raises `RunGoesOn` or `QuotaExceeded`."""
    async with app_state.database.writing() as session:
        row = await _locked(session, user, run_id)
        if row.status not in ("failed", "cancelled"):
            raise RunGoesOn(row.status)
        row.status, row.error, row.finished_at = "queued", None, None
        # Whoever ended it may still hold it for a moment: from here on that changes nothing any more.
        row.cancel_requested, row.lease_until, row.lease_owner = False, None, None
        row.fence, row.handed_at = row.fence + 1, app_state.clock()
        row.attempt += 1
        if row.quota_day is None:
            # Its launch was given back when it ended before it began: now it counts again.
            row.quota_day = await quota.take(session, app_state, user)
        if row.started_at is None:
            row.last_seq = 0
            await repository.forget_records(session, row.id)
    try:
        await app_state.runs.submit(run_id)
    except Exception as error:
        # It is written down as queued: the backend finds it by itself when it can.
        log.warning("resumed run not handed out yet", run=run_id, exc_info=error)
    async with app_state.database.reading() as session:
        return await get(session, app_state, user, run_id)


def summarize(row: RunRow, *, with_detail: bool = False) -> RunSummary:
    """Return a run as a list shows it."""
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
        can_resume=row.status in ("failed", "cancelled"),
        can_cancel=row.status in repository.LIVE,
        batch_id=row.batch_id,
        cover_asset_id=row.cover_asset_id,
    )


async def _locked(session: AsyncSession, user: User, run_id: str) -> RunRow:
    row = await repository.find_for_update(session, run_id)
    if row is None or row.owner_id != user.id:
        raise RunNotFound(run_id)
    return row
