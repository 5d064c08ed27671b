"""Execution of one run by the process that owns its lease."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, NoReturn

import structlog

import impasto
from impasto import FlowInvalid as EngineFlowInvalid
from impasto import Plan
from impasto.errors import LeaseHeld, LeaseLost, RunExists
from impasto.journal.protocol import Entry
from impasto_server.assets.run_store import RunProvenance, RunStore
from impasto_server.callbacks.service import open_callback
from impasto_server.compiler.documents import Source
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows.errors import FlowInvalid
from impasto_server.observability import metrics
from impasto_server.outages import is_outage, raise_unavailable
from impasto_server.runs import journal_repository, repository, termination
from impasto_server.runs.cancel_requests import CancelRequests
from impasto_server.runs.costs.spending_limit import RunSpending
from impasto_server.runs.events.pubsub import Subscription
from impasto_server.runs.events.trace import RunTrace
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.launch.brands import resolved
from impasto_server.runs.launch.earlier_run import earlier_outputs
from impasto_server.runs.launch.reuse import ReuseCaches
from impasto_server.runs.models import RunRow
from impasto_server.utils import shielded

log = structlog.get_logger()
_RETRY_SECONDS = 1.0
_POLL_SECONDS = 5.0  # a cancellation whose notification was lost is found after this time


class RunInterrupted(Exception):
    """A service of the server cannot be reached. The run did not end: it waits to be resumed."""


class Executor:
    """Executes runs under one lease owner's name. Several executors may share a database."""

    def __init__(self, app_state: AppState, owner: str) -> None:
        self._app_state = app_state
        self._owner = owner
        self._caches = ReuseCaches(app_state.database, app_state.clock)
        self._cancel_requests = CancelRequests(app_state.pubsub)
        self._active: dict[str, asyncio.Event] = {}

    def receiving_cancel_requests(self) -> AbstractAsyncContextManager[None]:
        """Receive requests to cancel runs for the length of the block; without it, they are found later."""
        return self._cancel_requests.receiving()

    async def close(self) -> None:
        """Write the reusable outputs that are still in memory, once no run is executed."""
        await self._caches.flush()

    async def execute(self, run_id: str) -> None:
        """Claim a run and execute it to its end. Returns at once if another process owns it.

        Cancelling the surrounding task releases the run, so that another process resumes it. Raises
        `RunInterrupted` if the database, the storage or Redis cannot be reached.
        """
        # A resumed run may be submitted again before its former execution here has returned.
        while (ended_event := self._active.get(run_id)) is not None:
            await ended_event.wait()
        ended = self._active[run_id] = asyncio.Event()
        try:
            with structlog.contextvars.bound_contextvars(run_id=run_id):
                await self._execute(run_id)
        except Exception as error:
            if not is_outage(error):
                raise
            metrics.RUNS_INTERRUPTED.inc()
            log.warning("run interrupted: a service cannot be reached", run=run_id, reason=str(error))
            raise RunInterrupted(run_id) from error
        finally:
            del self._active[run_id]
            ended.set()

    async def _execute(self, run_id: str) -> None:
        # Watched before the row is read: a later request is notified.
        with self._cancel_requests.watch(run_id) as cancellations:
            row, has_journal, earlier = await self._load(run_id)
            if row is not None and row.status in repository.LIVE_STATUSES:
                await self._execute_live(row, earlier, cancellations, has_journal=has_journal)

    async def _execute_live(
        self,
        row: RunRow,
        earlier: dict[str, bytes] | None,
        cancellations: Subscription,
        *,
        has_journal: bool,
    ) -> None:
        run_id = row.id
        structlog.contextvars.bind_contextvars(user_id=row.owner_id)
        trace = self._open_trace(row)
        spending = RunSpending(self._app_state, run_id)
        make = self._resumed if has_journal else self._started
        try:
            run = await make(row, earlier, self._run_options(row, spending, trace))
            spending.stop = run.stop_spending
            # A step that was cancelled in the queue, or before a crash, must not start: it may cost money.
            run.cancel_steps(row.cancelled_steps or ())
            await self._follow(run, cancellations, is_requested=row.cancel_requested)
        except (LeaseHeld, LeaseLost, RunExists) as error:
            if isinstance(error, LeaseLost):
                metrics.LEASES_LOST.inc()
            log.info("run is owned by another process", run=run_id, reason=str(error))
        except (EngineFlowInvalid, FlowInvalid, FlowTooLarge) as error:
            # The catalog or the limits have changed since the launch was checked.
            reason = _reason(error)
            await termination.fail(self._app_state, run_id, self._owner, "flow_invalid", reason)
        except Exception as error:
            if is_outage(error):
                raise
            log.error("run crashed", run=run_id, exc_info=error)
            await termination.fail(self._app_state, run_id, self._owner, "internal_error", None)
        finally:
            if trace is not None:
                trace.close()

    def _open_trace(self, row: RunRow) -> RunTrace | None:
        if self._app_state.tracing is None:
            return None
        trace = RunTrace(self._app_state.tracing, row)
        structlog.contextvars.bind_contextvars(trace_id=trace.trace_id)
        return trace

    @shielded
    async def _load(self, run_id: str) -> tuple[RunRow | None, bool, dict[str, bytes] | None]:
        row = await repository.find_detached(self._app_state.database, run_id)
        if row is None or (row.again_of is None and row.fence == 0):
            # The journal's first records come with the first lease.
            return row, False, None
        async with self._app_state.database.reading() as session:
            earlier = await earlier_outputs(session, row)
            has_journal = row.fence > 0 and await journal_repository.has_records(session, run_id)
            return row, has_journal, earlier

    async def _started(
        self, row: RunRow, earlier: dict[str, bytes] | None, options: dict[str, Any]
    ) -> impasto.Run:
        return impasto.start(
            await self._plan(row),
            resolved(row, row.inputs),
            run_id=row.id,
            reuse=row.reuse,
            fresh=row.fresh,
            targets=row.targets,
            earlier=earlier,
            **options,
        )

    async def _resumed(
        self, row: RunRow, earlier: dict[str, bytes] | None, options: dict[str, Any]
    ) -> impasto.Run:
        plan: Callable[[], Plan]
        try:
            plan = partial(_same, await self._plan(row))
        except (FlowInvalid, FlowTooLarge) as error:
            # Raised once the run is claimed: only its owner may end it.
            plan = partial(_raise, error)
        return impasto.resume(row.id, catalog=self._app_state.catalog, plan=plan, earlier=earlier, **options)

    async def _plan(self, row: RunRow) -> Plan:
        """Compile the run's document, off the event loop and within the limits of any user's document."""
        document, subflows = resolved(row, row.document), resolved(row, row.subflows)
        source = Source(document, subflows, flow_id=row.flow_id, targets=row.targets)
        return await self._app_state.compiler.plan(row.owner_id, source)

    async def _follow(
        self, starting: impasto.Run, cancellations: Subscription, *, is_requested: bool
    ) -> None:
        async with starting as run:
            watcher = asyncio.create_task(
                self._watch_for_cancel(run, cancellations, is_requested=is_requested)
            )
            try:
                await run.result()
            finally:
                cancellations.close()
                await watcher

    async def _watch_for_cancel(
        self, run: impasto.Run, subscription: Subscription, *, is_requested: bool
    ) -> None:
        """Cancel the run, or steps of it, once its row says so; `is_requested` is what it has said.

        Closing the subscription ends the loop between two queries.
        """
        wait_seconds = _POLL_SECONDS
        while not is_requested:
            await subscription.wait(wait_seconds)
            found = None if subscription.closed else await self._cancellations(run.id)
            if subscription.closed:
                return
            wait_seconds = _POLL_SECONDS if found is not None else _RETRY_SECONDS
            is_requested, steps = found or (False, [])
            if steps:
                run.cancel_steps(steps)
        if not subscription.closed:
            await run.cancel()

    async def _cancellations(self, run_id: str) -> tuple[bool, list[str]] | None:
        """Return whether the run should stop, and which of its steps; None if the database cannot be read."""
        try:
            async with self._app_state.database.reading() as session:
                return await repository.cancellations(session, run_id)
        except Exception as error:
            log.warning("could not read whether to cancel", run=run_id, exc_info=error)
            return None

    def _run_options(self, row: RunRow, spending: RunSpending, trace: RunTrace | None) -> dict[str, Any]:
        app_state, settings = self._app_state, self._app_state.settings
        owner_id = row.owner_id

        async def credential(provider: str) -> str | None:
            with raise_unavailable("database"):
                return await credentials.reveal(app_state, owner_id, provider)

        provenance = RunProvenance(row.id, owner_id, row.flow_id, row.flow_name, row.version)
        return {
            "journal": DatabaseJournal(
                app_state.database,
                app_state.pubsub,
                app_state.clock,
                spending,
                self._observer(trace),
                # Otherwise the row has to be looked at again: another process may have started the run.
                is_new=row.fence == 0 and row.lease_owner == self._owner and not row.held_usd,
            ),
            "cache": self._caches.for_user(owner_id),
            "store": RunStore(app_state, provenance, {item["node"] for item in row.planned_results or ()}),
            "credentials": credential,
            "configuration": settings.configuration,
            "callbacks": partial(open_callback, app_state),
            "allow_private_hosts": settings.allow_private_hosts,
            "spending": spending,
            "allow_unpriced": row.allow_unpriced,
            **spending.budget_options(row),
            "max_concurrency": settings.max_concurrent_steps,
            "timeout": settings.run_timeout,
            "owner": self._owner,
            "lease_seconds": settings.lease_seconds,
            "durable_starts": row.crashes > 0,
            "on_call_ended": trace.on_call_ended if trace is not None else None,
        }

    def _observer(self, trace: RunTrace | None) -> Callable[[Sequence[Entry]], None] | None:
        """Return what receives the records that the journal has written; None if nothing does."""
        counted = metrics.observe_records if self._app_state.settings.metrics else None
        if trace is None or counted is None:
            return counted if trace is None else trace.on_records

        def observe(records: Sequence[Entry]) -> None:
            counted(records)
            trace.on_records(records)

        return observe


def _same(plan: Plan) -> Plan:
    return plan


def _raise(error: Exception) -> NoReturn:
    raise error


def _reason(error: Exception) -> str:
    if isinstance(error, FlowInvalid):
        return "; ".join(str(problem["message"]) for problem in error.members["problems"])
    return str(error)
