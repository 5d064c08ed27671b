"""Processes that died while they executed runs, and the runs that they leave behind.

A process that stops in an orderly way, or that is cut off from the database and lives on, releases its runs.
So a lease that has expired, of a process whose heartbeat has stopped, means that the process was killed or
hangs. Its runs are taken up again.

A death is blamed on one run if the process executed no other, or if that run is the only one that it had
started a short time before, and a process died under it before. A run that is blamed for its second death is
parked. Any other death counts for every run of the process, because each of them may be the cause: such runs
are parked after more deaths, so that a run is not parked for those that others caused.
"""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.observability import metrics
from impasto_server.runs import journal_repository, repository, termination
from impasto_server.runs.backends.fair_queue import lock_queue
from impasto_server.runs.models import RunRow, WorkerRow

log = structlog.get_logger()
MAX_CRASHES = 2
MAX_SHARED_CRASHES = 4


async def release_runs_of_dead_processes(app_state: AppState, own_name: str) -> None:
    """Put the runs of dead processes back into the queue."""
    async with app_state.database.reading() as session:
        if not await _dead_owners(session, app_state, own_name):
            return
    async with app_state.database.writing() as session:
        await lock_queue(session)
        topics = [
            topic
            for owner in await _dead_owners(session, app_state, own_name)
            for topic in await _release_runs_of(session, app_state, owner)
        ]
    _publish(app_state, topics)


async def release_runs_of_former_process(app_state: AppState, name: str) -> None:
    """Put the runs of the former process with this name back into the queue: it is known to be dead."""
    async with app_state.database.writing() as session:
        await lock_queue(session)
        topics = await _release_runs_of(session, app_state, name)
    _publish(app_state, topics)


def _publish(app_state: AppState, topics: Sequence[str]) -> None:
    for topic in topics:
        app_state.pubsub.publish(topic)


async def _dead_owners(session: AsyncSession, app_state: AppState, own_name: str) -> Sequence[str]:
    """List the owners of live runs all of whose leases have expired, and whose heartbeat has stopped."""
    now = app_state.clock()
    seen_since = now - timedelta(seconds=app_state.settings.lease_seconds)
    alive = select(WorkerRow.name).where(WorkerRow.seen_at >= seen_since)
    query = (
        select(RunRow.lease_owner)
        .where(RunRow.status.in_(repository.LIVE_STATUSES), RunRow.lease_owner.is_not(None))
        .where(RunRow.lease_owner != own_name, RunRow.lease_owner.not_in(alive))
        .group_by(RunRow.lease_owner)
        .having((func.max(RunRow.lease_until) < now) | func.max(RunRow.lease_until).is_(None))
    )
    return [owner for owner in await session.scalars(query) if owner is not None]


async def _release_runs_of(session: AsyncSession, app_state: AppState, owner: str) -> list[str]:
    """Release the runs of a dead process, or park them. Returns the topics to publish."""
    suspect = await session.scalar(select(WorkerRow.suspect_run_id).where(WorkerRow.name == owner))
    runs = await repository.live_runs_of(session, owner)
    blamed = runs if len(runs) == 1 else [row for row in runs if row.id == suspect]
    allowed = MAX_CRASHES if blamed else MAX_SHARED_CRASHES
    if runs:
        metrics.PROCESSES_DIED.inc()
    for row in runs:
        row.lease_owner, row.lease_until = None, None
        if row in (blamed or runs):
            await _count_crash(session, app_state, row, allowed)
        log.warning(
            "a process died while it executed a run",
            run=row.id,
            process=owner,
            steps=row.crash_steps,
            crashes=row.crashes,
        )
    await session.execute(delete(WorkerRow).where(WorkerRow.name == owner))
    return [f"run {row.id}" for row in runs]


async def _count_crash(session: AsyncSession, app_state: AppState, row: RunRow, allowed: int) -> None:
    """Count one more crash, and park the run if there are as many as `allowed`.

    If other steps are running than at the crash before, which have ended, this crash is the first.
    """
    running = await _unfinished_steps(session, row.id)
    before = row.crash_steps or []
    both = [step for step in running if step in before]
    is_known = bool(before and running)
    row.crashes = 1 if is_known and not both else row.crashes + 1
    row.crash_steps = both or running or before
    if row.crashes >= allowed and not row.cancel_requested:
        await termination.park(session, app_state, row, row.crash_steps)


async def _unfinished_steps(session: AsyncSession, run_id: str) -> list[str]:
    """List the steps that a run's journal has started and not ended, else those that were queued."""
    started: dict[str, None] = {}
    queued: dict[str, None] = {}
    for name, step in await journal_repository.step_events(session, run_id):
        if name == "run.started":
            started, queued = {}, {}
        elif step is not None and name == "step.queued":
            queued[step] = None
        elif step is not None and name == "step.started":
            started[step] = None
        elif step is not None and name in ("step.finished", "step.failed", "step.skipped"):
            started.pop(step, None)
            queued.pop(step, None)
    return list(started or queued)
