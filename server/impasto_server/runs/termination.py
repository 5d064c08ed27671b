"""Ends of runs that the engine does not write: cancelled while queued, or impossible to start."""

import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import orjson
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.limits.periods import stored
from impasto_server.observability import metrics
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.costs import reservations
from impasto_server.runs.library import listings
from impasto_server.runs.models import RecordRow, RunRow
from impasto_server.runs.schemas import RunStatus

_MESSAGE = "An error occurred. Please try again later."


async def cancel_queued(session: AsyncSession, app_state: AppState, row: RunRow) -> None:
    """End a run that has not started as cancelled, and refund its launch."""
    await _end(session, app_state, row, "cancelled", None)
    await refund_unstarted(session, app_state, row)


async def fail(app_state: AppState, run_id: str, owner: str, code: str, detail: str | None) -> None:
    """End a live run as failed, unless another process than `owner` has claimed it."""
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run_id)
        if row is None or row.status not in repository.LIVE_STATUSES or row.lease_owner not in (None, owner):
            return
        await _end(session, app_state, row, "failed", _error(code, _MESSAGE, detail))
        await refund_unstarted(session, app_state, row)
    app_state.pubsub.publish(f"run {run_id}")


async def park(session: AsyncSession, app_state: AppState, row: RunRow, steps: Sequence[str]) -> None:
    """End a run that repeatedly stopped the process that executed it; `steps` were running each time."""
    titles = {item["id"]: str(item.get("title") or item["id"]) for item in row.planned_steps or ()}
    names = " or ".join(f"'{titles.get(step, step)}'" for step in steps)
    place = f"at the step {names}" if names else "before its first step"
    error = _error(
        "crashed",
        f"This run stopped the server twice {place}, so it does not continue. You can launch it again.",
        None,
    )
    await _end(session, app_state, row, "failed", error, failed_steps=steps)
    await refund_unstarted(session, app_state, row)


async def refund_unstarted(session: AsyncSession, app_state: AppState, row: RunRow) -> None:
    """Give the quota of a run back if it ended before it started."""
    if row.quota_day is not None and row.started_at is None:
        await app_state.limits.refund_launch(session, row.owner_id, row.quota_day)
        row.quota_day = None


def _error(code: str, message: str, detail: str | None) -> dict[str, object]:
    return {"code": code, "message": message, "detail": detail, "retryable": False, "provider": None}


async def _end(
    session: AsyncSession,
    app_state: AppState,
    row: RunRow,
    status: RunStatus,
    error: dict[str, object] | None,
    failed_steps: Sequence[str] = (),
) -> None:
    """End a run, with a `step.failed` event for each of `failed_steps`."""
    row.status, row.error, row.finished_at = status, error, app_state.clock()
    metrics.observe_end(status, error)
    row.lease_until, row.lease_owner, row.fence = None, None, row.fence + 1
    lost = await _charge_lost_calls(session, app_state, row)
    seconds = (row.finished_at - row.started_at).total_seconds() if row.started_at else 0.0
    ending = {"seconds": seconds, "cost_usd": float(row.cost_usd), "error": error}
    failure = {"seconds": 0.0, "cost_usd": 0.0, "error": error}
    events = [("step.failed", step, failure) for step in failed_steps] + [(f"run.{status}", None, ending)]
    written = [("event", name, step, data) for name, step, data in events]
    position, now = await journal_repository.next_position(session, row.id), time.time()
    records = [
        {
            "run_id": row.id,
            "position": position + offset,
            "kind": kind,
            "name": name,
            "step": step,
            "seq": row.last_seq + 1 + offset - len(lost) if kind == "event" else 0,
            "time": now,
            "body": orjson.dumps(data),
        }
        for offset, (kind, name, step, data) in enumerate([*lost, *written])
    ]
    row.last_seq += len(events)
    await session.execute(insert(RecordRow), records)
    await listings.add_results(session, row.id)


async def _charge_lost_calls(
    session: AsyncSession, app_state: AppState, row: RunRow
) -> list[tuple[str, str, str | None, dict[str, Any]]]:
    """Count the calls that a dead process had under way as spent; return the records that say so."""
    calls = await reservations.open_calls(session, row.id)
    row.held_usd = Decimal(0)
    row.cost_usd += sum((stored(call.left) for call in calls), Decimal(0))
    on_server = reservations.held_by(calls)
    if on_server:
        await app_state.limits.record_charge(session, row.id, on_server)
        await session.refresh(row, ["charged_usd"])
    return reservations.settlements(calls)
