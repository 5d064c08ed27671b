"""What runs leave behind and nobody needs: results that nobody reuses, the progress of old runs."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.runs.models import RecordRow, ReuseRow, RunRow

_RUNS_AT_ONCE = 200
_PASSING = ("step.progress", "step.partial")


async def forget(app_state: AppState) -> None:
    """Forget results that were not reused in long, and how runs that finished long ago came along."""
    settings, now = app_state.settings, app_state.clock()
    unused = ReuseRow.used_at < now - timedelta(days=settings.reuse_days)
    async with app_state.database.writing() as session:
        await session.execute(delete(ReuseRow).where(unused))
    while await _trim_some(app_state.database, now, now - timedelta(days=settings.progress_days)):
        pass


async def _trim_some(database: Database, now: datetime, before: datetime) -> bool:
    """Drop passing events of some finished runs, each in few statements; tell whether there may be more."""
    old = select(RunRow.id).where(
        RunRow.status == "finished", RunRow.finished_at < before, RunRow.trimmed_at.is_(None)
    )
    async with database.writing() as session:
        ids = list(await session.scalars(old.limit(_RUNS_AT_ONCE)))
        passing = (RecordRow.run_id.in_(ids), RecordRow.kind == "event", RecordRow.name.in_(_PASSING))
        await session.execute(delete(RecordRow).where(*passing))
        await session.execute(update(RunRow).where(RunRow.id.in_(ids)).values(trimmed_at=now))
    return len(ids) == _RUNS_AT_ONCE
