"""Deletion of run data that is past its retention time: reusable results and progress events."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.runs.models import RecordRow, ReuseRow, RunRow

_RUNS_AT_ONCE = 200
_TRANSIENT_EVENTS = ("step.progress", "step.partial")


async def purge_expired(app_state: AppState) -> None:
    """Delete results unused for `reuse_days`, and progress events of runs finished `progress_days` ago."""
    settings, now = app_state.settings, app_state.clock()
    unused = ReuseRow.used_at < now - timedelta(days=settings.reuse_days)
    async with app_state.database.writing() as session:
        await session.execute(delete(ReuseRow).where(unused))
    while await _purge_progress(app_state.database, now, now - timedelta(days=settings.progress_days)):
        pass


async def _purge_progress(database: Database, now: datetime, before: datetime) -> bool:
    """Delete the transient events of one page of finished runs. Returns whether there may be more."""
    old = select(RunRow.id).where(
        RunRow.status == "finished", RunRow.finished_at < before, RunRow.trimmed_at.is_(None)
    )
    async with database.writing() as session:
        ids = list(await session.scalars(old.limit(_RUNS_AT_ONCE)))
        transient = (
            RecordRow.run_id.in_(ids),
            RecordRow.kind == "event",
            RecordRow.name.in_(_TRANSIENT_EVENTS),
        )
        await session.execute(delete(RecordRow).where(*transient))
        await session.execute(update(RunRow).where(RunRow.id.in_(ids)).values(trimmed_at=now))
    return len(ids) == _RUNS_AT_ONCE
