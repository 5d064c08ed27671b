"""What operators do with the processes that execute runs, and with runs of any user."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.runs import repository as runs
from impasto_server.runs.errors import RunAlreadyEnded, RunHasProcess, RunNotFound
from impasto_server.runs.models import RunRow
from impasto_server.runs.operators import repository

RunFilter = repository.RunFilter
RunSums = repository.RunSums
sum_all = repository.sum_all
sum_by_day = repository.sum_by_day
sum_by_owner = repository.sum_by_owner


@dataclass(frozen=True)
class Worker:
    """A process that executes runs: a worker, or a server without workers.

    `is_alive`: it has given a sign of life within `IMPASTO_LEASE_SECONDS`. `runs` is the number of its runs.
    `suspect_run_id` is a run during which a process has died before.
    """

    name: str
    started_at: datetime
    seen_at: datetime
    is_alive: bool
    runs: int
    suspect_run_id: str | None


@dataclass(frozen=True)
class Queue:
    """How many runs wait for a place, how many are executed, and since when the oldest one waits."""

    waiting: int
    executed: int
    oldest: datetime | None


async def search(
    session: AsyncSession, wanted: RunFilter, paging: PageQuery
) -> tuple[Sequence[RunRow], str | None]:
    """Return a page of the runs of all users, newest first, and the next cursor."""
    return await fetch_page(session, repository.matching(wanted), paging, RunRow.id)


async def count_workers(session: AsyncSession, app_state: AppState) -> int:
    """Count the processes that execute runs and have given a sign of life within a lease."""
    since = app_state.clock() - timedelta(seconds=app_state.settings.lease_seconds)
    return await repository.live_workers(session, since)


async def queue(session: AsyncSession) -> Queue:
    """Return the state of the queue of runs."""
    return Queue(*await repository.queue_sums(session))


async def workers(session: AsyncSession, app_state: AppState) -> list[Worker]:
    """Return the processes that execute runs, and those that have died and were not removed yet."""
    since = app_state.clock() - timedelta(seconds=app_state.settings.lease_seconds)
    found = await repository.workers(session)
    return [
        Worker(
            name=row.name,
            started_at=row.started_at,
            seen_at=row.seen_at,
            is_alive=row.seen_at >= since,
            runs=count,
            suspect_run_id=row.suspect_run_id,
        )
        for row, count in found
    ]


async def release(app_state: AppState, session: AsyncSession, run_id: str, *, force: bool) -> RunRow:
    """Take a live run from the process that executes it; wake one with `submit` after the commit.

    That process can record nothing more. A paid call that it has under way may be made again by the next one.
    Raises `RunNotFound`, `RunAlreadyEnded`, or `RunHasProcess` unless `force`.
    """
    row = await runs.find_for_update(session, run_id)
    if row is None:
        raise RunNotFound(run_id)
    if row.status not in runs.LIVE_STATUSES:
        raise RunAlreadyEnded(row.status)
    alive = {worker.name for worker in await workers(session, app_state) if worker.is_alive}
    if row.lease_owner in alive and not force:
        raise RunHasProcess(run_id, str(row.lease_owner))
    row.lease_until, row.lease_owner, row.fence = None, None, row.fence + 1
    row.enqueued_at, row.crashes = app_state.clock(), 0
    return row
