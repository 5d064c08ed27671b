"""Takes waiting runs from the queue and executes them in this process. Both backends consist of it."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from types import TracebackType

import structlog
from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.outages import log_failure
from impasto_server.runs import repository
from impasto_server.runs.backends import crashes, fair_queue
from impasto_server.runs.backends.fair_queue import ClaimedRun, Places
from impasto_server.runs.events.pubsub import Subscription
from impasto_server.runs.execute import Executor, RunInterrupted
from impasto_server.runs.models import WorkerRow
from impasto_server.utils import finished

log = structlog.get_logger()
QUEUE_TOPIC = "queue"
_MAX_PROBATION_SECONDS = 5.0
_MAX_BACKOFF_SECONDS = 30.0
_NOTIFICATION_SECONDS = 3600.0


class Dispatcher:
    """Executes runs under the name `owner`, at most as many at a time as the settings allow.

    Enter it to start it. Leaving it releases the runs under way, which other processes take up.
    The database is the queue: notifications only make the dispatcher look at once.
    """

    def __init__(self, app_state: AppState, owner: str, *, is_exclusive: bool = False) -> None:
        self._app_state = app_state
        self._owner = owner
        self._is_exclusive = is_exclusive
        self._executor = Executor(app_state, owner)
        self._wakeup = Subscription()
        self._wanted: int | None = None
        self._is_queued = False
        self._running: dict[str, asyncio.Task[None]] = {}
        self._suspect: str | None = None
        self._last_start = -1e9
        self._loop: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_registered = False
        self._last_beat = -1e9
        self._may_judge_others_at = 0.0
        self._backoff = 0.0
        self._may_claim_at = 0.0

    async def __aenter__(self) -> "Dispatcher":
        if self._is_exclusive:
            await crashes.release_runs_of_former_process(self._app_state, self._owner)
        try:
            await self._beat_if_due()
        except Exception as error:
            log.warning("the database does not answer yet", exc_info=error)
        self._loop = asyncio.create_task(self._run(), name="dispatcher")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Claim no more runs, and release those under way. Every call returns once they are released.

        Cancelling a caller does not interrupt this.
        """
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name="stop of the dispatcher")
        await finished(self._stopping)

    async def _stop(self) -> None:
        self._wakeup.close()
        if self._loop is None:
            return
        tasks = [self._loop, *self._running.values(), *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._executor.close()
        try:
            async with self._app_state.database.writing() as session:
                await repository.release_leases(session, self._owner)
                await session.execute(delete(WorkerRow).where(WorkerRow.name == self._owner))
        except Exception as error:
            log.warning("could not release the runs of this process", exc_info=error)

    def notify(self, runs: int | None = None, *, is_queued: bool = False) -> None:
        """Look for waiting runs at once, and claim as many as there are places, or at most `runs`.

        Where several processes share the queue, each claims one run for a message, so that the runs spread.
        `is_queued`: a run has just been queued, so they are claimed without a look whether there are any.
        """
        self._is_queued |= is_queued
        self._wanted = None if runs is None or self._wanted is None else self._wanted + runs
        self._wakeup.notify()

    @property
    def is_full(self) -> bool:
        """Whether this process can start no run of any kind."""
        return not self._places()

    # -- the loop ------------------------------------------------------------------------------

    async def _run(self) -> None:
        async with (
            self._app_state.pubsub.subscribe(QUEUE_TOPIC) as subscription,
            self._forward(subscription),
            self._executor.receiving_cancel_requests(),
        ):
            while not self._wakeup.closed:
                wanted, self._wanted = self._wanted, 0
                is_queued, self._is_queued = self._is_queued, False
                try:
                    await self._beat_if_due()
                    await self._fill(wanted, is_queued=is_queued)
                except Exception as error:  # noqa: BLE001 - logged, and the loop goes on
                    log_failure(log, "could not claim runs", error)
                if not await self._wakeup.wait(self._seconds_to_wait()):
                    self._wanted = None

    @asynccontextmanager
    async def _forward(self, subscription: Subscription) -> AsyncIterator[None]:
        """Wake the loop for each notification of a topic while the block is active."""

        async def forward() -> None:
            while not self._wakeup.closed:
                if await subscription.wait(_NOTIFICATION_SECONDS):
                    self.notify(1)

        task = asyncio.create_task(forward(), name="dispatcher notifications")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _seconds_to_wait(self) -> float:
        pause = max(0.0, self._may_claim_at - time.monotonic())
        longest = min(self._heartbeat_seconds, self._app_state.settings.dispatch_seconds)
        return min(longest, pause) if pause else longest

    @property
    def _heartbeat_seconds(self) -> float:
        return self._app_state.settings.lease_seconds / 3

    # -- heartbeats ----------------------------------------------------------------------------

    async def _beat_if_due(self) -> None:
        """Tell the other processes that this one lives, and take over the runs of those that do not."""
        started = time.monotonic()
        if started - self._last_beat < self._heartbeat_seconds * 0.9:
            return
        async with self._app_state.database.writing() as session:
            await self._beat(session)
            await repository.release_leases(session, self._owner, keep=self._running)
        if started - self._last_beat > 2 * self._heartbeat_seconds:
            # This process has started, or could not reach the database. If others could not either, they
            # get the time to show that they live before their runs are taken over.
            self._may_judge_others_at = time.monotonic() + self._heartbeat_seconds
        self._last_beat = started
        if time.monotonic() >= self._may_judge_others_at:
            await crashes.release_runs_of_dead_processes(self._app_state, self._owner)

    async def _beat(self, session: AsyncSession) -> None:
        now = self._app_state.clock()
        query = update(WorkerRow).where(WorkerRow.name == self._owner).values(seen_at=now)
        known = await session.scalar(
            query.returning(WorkerRow.name).execution_options(synchronize_session=False)
        )
        if known is None:
            session.add(WorkerRow(name=self._owner, started_at=now, seen_at=now))

    # -- runs ----------------------------------------------------------------------------------

    def _places(self) -> Places:
        settings, running = self._app_state.settings, len(self._running)
        if time.monotonic() < self._may_claim_at:
            return Places(0, 0, suspects=False)
        free = settings.max_concurrent_runs - running
        reserved = settings.reserved_runs + min(0, free)
        return Places(
            max(0, free),
            reserved,
            suspects=self._suspect is None,
            runs_per_user=settings.limit_concurrent_runs,
        )

    async def _fill(self, wanted: int | None, *, is_queued: bool) -> None:
        app_state, places = self._app_state, self._places().limited_to(wanted)
        if not places or not (is_queued or await fair_queue.has_waiting(app_state.database)):
            return
        # Durable with the journal's first batch: a claim that a power failure undoes leaves the run queued.
        async with app_state.database.writing(is_durable=False) as session:
            claimed = await fair_queue.claim(
                session, self._owner, app_state.clock(), app_state.settings.lease_seconds, places
            )
            if claimed and (self._suspect or any(run.is_suspect for run in claimed)):
                await self._set_suspect(session, self._to_blame(claimed))
        if claimed:
            self._last_start = time.monotonic()
        for run in claimed:
            self._start(run)

    def _start(self, run: ClaimedRun) -> None:
        task = asyncio.create_task(self._executor.execute(run.id), name=f"run {run.id}")
        self._running[run.id] = task
        task.add_done_callback(partial(self._on_done, run.id))
        if run.is_suspect:
            self._suspect = run.id
            self._keep(asyncio.create_task(self._end_probation(run.id)))

    def _on_done(self, run_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._backoff = 0.0
        else:
            if not isinstance(error, RunInterrupted):
                log.error("could not execute run", run=run_id, exc_info=error)
            # The run waits again, and so does this process: what prevented it would prevent the next one.
            self._backoff = min(_MAX_BACKOFF_SECONDS, self._backoff * 2 or 1.0)
            self._may_claim_at = time.monotonic() + self._backoff
            self._last_beat = min(self._last_beat, time.monotonic() - self._heartbeat_seconds)
        self.notify(1)

    # -- suspects ------------------------------------------------------------------------------

    def _to_blame(self, claimed: Sequence[ClaimedRun]) -> str | None:
        """Return the run to blame if this process dies soon: a suspect, if it is the only recent start."""
        is_quiet = time.monotonic() - self._last_start >= self._probation_seconds
        return claimed[0].id if len(claimed) == 1 and is_quiet and claimed[0].is_suspect else None

    @property
    def _probation_seconds(self) -> float:
        return min(_MAX_PROBATION_SECONDS, self._heartbeat_seconds)

    async def _end_probation(self, run_id: str) -> None:
        """Allow the next suspect once this one has run for a while: what kills a process does so early."""
        await asyncio.wait([self._running[run_id]], timeout=self._probation_seconds)
        try:
            async with self._app_state.database.writing() as session:
                await self._set_suspect(session, None)
        except Exception as error:
            log.warning("could not end the probation of a run", run=run_id, exc_info=error)
        self._suspect = None
        self.notify(1)

    async def _set_suspect(self, session: AsyncSession, run_id: str | None) -> None:
        query = update(WorkerRow).where(WorkerRow.name == self._owner)
        await session.execute(query.values(suspect_run_id=run_id))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
