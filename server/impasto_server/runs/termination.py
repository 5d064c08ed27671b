"""Ends of runs that the engine does not write: cancelled while queued, or impossible to start."""

import time

import orjson
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.runs import repository
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
        error: dict[str, object] = {
            "code": code,
            "message": _MESSAGE,
            "detail": detail,
            "retryable": False,
            "provider": None,
        }
        await _end(session, app_state, row, "failed", error)
        await refund_unstarted(session, app_state, row)
    app_state.pubsub.publish(f"run {run_id}")


async def refund_unstarted(session: AsyncSession, app_state: AppState, row: RunRow) -> None:
    """Give the quota of a run back if it ended before it started."""
    if row.quota_day is not None and row.started_at is None:
        await app_state.limits.refund_launch(session, row.owner_id, row.quota_day)
        row.quota_day = None


async def _end(
    session: AsyncSession,
    app_state: AppState,
    row: RunRow,
    status: RunStatus,
    error: dict[str, object] | None,
) -> None:
    row.status, row.error, row.finished_at = status, error, app_state.clock()
    row.lease_until, row.lease_owner, row.fence = None, None, row.fence + 1
    row.last_seq += 1
    record = {
        "run_id": row.id,
        "position": await repository.next_position(session, row.id),
        "kind": "event",
        "name": f"run.{status}",
        "step": None,
        "seq": row.last_seq,
        "time": time.time(),
        "body": orjson.dumps({"seconds": 0.0, "cost_usd": float(row.cost_usd), "error": error}),
    }
    await session.execute(insert(RecordRow), [record])
