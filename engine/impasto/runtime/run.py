"""Running a plan: `execute` to the end, `start` to watch it live, `resume` from the journal."""

import asyncio
import logging
import typing as t
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping
from secrets import token_hex
from types import TracebackType

import orjson

from impasto.cache.protocol import Cache
from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.document.flow import Flow
from impasto.encoding import to_json
from impasto.errors import NodeError, ServiceUnavailable
from impasto.events import Event
from impasto.journal.memory import MemoryJournal
from impasto.journal.protocol import Journal, Lease, Record
from impasto.runtime.options import Options
from impasto.runtime.recording.journal_writer import JournalWriter, Listener
from impasto.runtime.recording.lease_renewal import LeaseRenewal, owner_of_this_process
from impasto.runtime.replay import RecoveredRun
from impasto.runtime.resources import Resources
from impasto.runtime.run_result import RunResult
from impasto.runtime.run_state import RunStarted, RunState
from impasto.runtime.scheduler import Scheduler
from impasto.runtime.workers import Workers
from impasto.serialization import json_error
from impasto.store import Store

log = logging.getLogger("impasto")


class _Parts(t.NamedTuple):
    """The parts of a run that has started."""

    state: RunState
    writer: JournalWriter
    scheduler: Scheduler
    workers: Workers
    resources: Resources


class Run:
    """A run under way. Enter it with `async with`, or await it for its result.

    Leaving the block waits for the end. Leaving it by an error cancels the run. Leaving it because the
    surrounding asyncio task was cancelled abandons the run, so that another process may resume it.
    """

    def __init__(
        self,
        plan: Plan | Callable[[RecoveredRun], Plan],
        run_id: str,
        inputs: Mapping[str, t.Any] | None,
        options: Options,
        journal: Journal | None,
        cache: Cache | None,
        store: Store | None,
        listener: Listener | None,
        resumed: bool = False,
    ) -> None:
        if not options.events and (journal is not None or listener is not None):
            raise ValueError("a run with events=False takes no journal and no listener")
        self.id = run_id
        self.options = options
        self._plan = plan
        self._inputs = inputs
        self._journal: Journal = journal if journal is not None else MemoryJournal()
        self._cache = cache
        self._store = store
        self._listener = listener
        self._resumed = resumed
        self._cancelled: list[str] = []
        self._parts: _Parts | None = None
        self._lease: Lease | None = None
        self._renewal: LeaseRenewal | None = None
        self._closed = False
        self._lost: BaseException | None = None
        self._unavailable: ServiceUnavailable | None = None

    # -- beginning -----------------------------------------------------------------------------

    async def begin(self) -> "Run":
        """Check the inputs, take the lease, write the first record and start the first steps.

        Raises InputsInvalid; to resume also RunNotFound, LeaseHeld, FlowInvalid; or the journal's error.
        """
        if self._parts is None:
            await self._begin()
        return self

    async def _begin(self) -> _Parts:
        options = self.options
        recovered = await self._recover() if self._resumed else RecoveredRun(self.id)
        try:
            plan = self._plan if isinstance(self._plan, Plan) else self._plan(recovered)
            given = self._inputs if not self._resumed else recovered.head.get("inputs")
            inputs = plan.decode_inputs(given, partial=options.targets is not None)
            recovered.decode_outputs(plan)
            recovered.drop_terminal_event()
            if options.events and not self._resumed:
                await self._create(plan)
            writer = JournalWriter(self.id, self._journal, self._cache, self._listener, recovered.events)
            writer.lease = self._lease
            state, resources = RunState(plan, self.id, options), Resources(self._store)
            scheduler = Scheduler(state, inputs, writer, self._cache, resources, recovered)
            scheduler.cancellation.stop_steps(self._cancelled)
        except BaseException:
            await self._release()
            raise
        parts = self._parts = _Parts(state, writer, scheduler, Workers(scheduler), resources)
        writer.on_error = self._on_journal_error
        scheduler.on_unavailable = self._on_unavailable
        finished = recovered.terminal is not None and recovered.terminal.type == "run.finished"
        if finished or not options.events:
            writer.buffer.closed = True
        writer.buffer.emit("run.started", None, RunStarted(plan, given or {}, self._resumed))
        if self._lease is not None:
            self._renewal = LeaseRenewal(
                self._journal, self._lease, options.lease_seconds, self._on_lease_lost
            )
            writer.on_first_flush = self._renewal.schedule
        scheduler.begin()
        return parts

    async def _recover(self) -> RecoveredRun:
        """Claim the run and read its journal. Options that are not given are taken from it."""
        RecoveredRun(self.id, await self._journal.read(self.id)).require_head()
        self._lease = await self._journal.claim(self.id, self._owner(), self.options.lease_seconds)
        recovered = RecoveredRun(self.id, await self._journal.read(self.id))
        for name, value in recovered.head.get("options", {}).items():
            if getattr(self.options, name) in (None, (), [], "changed"):
                setattr(self.options, name, value)
        return recovered

    async def _create(self, plan: Plan) -> None:
        inputs = orjson.dumps(to_json(dict(self._inputs))) if self._inputs else b"{}"
        options = orjson.dumps(self.options.recorded())
        body = plan.document[:-1] + b',"inputs":' + inputs + b',"options":' + options + b"}"
        head = Record("head", body=body)
        self._lease = await self._journal.create(self.id, self._owner(), self.options.lease_seconds, [head])

    def _owner(self) -> str:
        return self.options.owner or owner_of_this_process()

    # -- watching ------------------------------------------------------------------------------

    async def result(self) -> RunResult:
        """Wait for the end.

        Raises LeaseLost (or the journal's error) if the run could not be journalled, and ServiceUnavailable
        if it was abandoned because the store cannot be reached; then it can be resumed.
        """
        parts = self._parts or await self._begin()
        state, writer = parts.state, parts.writer
        try:
            await state.ended_event.wait()
            if self._unavailable is not None:
                await self.abandon()
            elif self._lost is None and not self._closed:
                await writer.wait_until_durable()
        finally:
            if state.over:
                await self._close(parts)
        if self._lost is not None:
            raise self._lost
        if self._unavailable is not None:
            raise self._unavailable
        return RunResult(state, parts.scheduler.budget.spent, writer.events)

    async def events(self, after: int = 0) -> AsyncIterator[Event]:
        """Yield every event after number `after`, past ones first, until the last."""
        parts = self._parts or await self._begin()
        state, writer = parts.state, parts.writer
        position = 0
        while True:
            while position < len(writer.events):
                event = writer.events[position]
                position += 1
                if event.seq > after:
                    yield event
            if self._closed or self._lost is not None or (state.over and writer.idle):
                return
            await writer.wait_for_more()

    @property
    def plan(self) -> Plan:
        """The plan of a run that has started."""
        if self._parts is None:
            raise RuntimeError(f"run {self.id!r} has no plan before it begins")
        return self._parts.state.plan

    # -- ending --------------------------------------------------------------------------------

    async def cancel(self) -> RunResult:
        """Start no more steps, cancel the running ones, and return when the run has ended."""
        parts = self._parts or await self._begin()
        parts.scheduler.cancellation.stop("cancelled")
        return await self.result()

    def cancel_steps(self, names: Iterable[str]) -> None:
        """Cancel these steps, or all steps inside of these nodes; the rest of the run goes on.

        Before the run begins, its steps are cancelled before any starts. Does nothing if the run is ending.
        Raises InputsInvalid for unknown ids, from `begin` if that comes later.
        """
        if self._parts is None:
            self._cancelled += names
        else:
            self._parts.scheduler.cancellation.stop_steps(names)

    def stop_spending(self, error: NodeError) -> None:
        """Start no more steps and let the running ones finish: the run ends as failed with the error.

        Does nothing if the run has not started, has ended, or is ending.
        """
        parts = self._parts
        if parts is not None and not parts.state.over and parts.state.stopping is None:
            parts.scheduler.admission.on_budget_exceeded(error)

    async def abandon(self) -> None:
        """Stop without ending the run: its finished steps are kept, and any process may resume it.

        Running steps are cancelled. They have `grace` seconds to write what a resume needs: the lease is kept
        until they have ended.
        """
        parts = self._parts
        if parts is None or self._closed:
            return
        if not parts.state.over:
            parts.workers.abandon()
        try:
            if self._lost is None:
                await parts.workers.drain()
                await parts.writer.wait_until_durable()
        finally:
            parts.writer.buffer.closed = True
            await self._close(parts)

    def _on_lease_lost(self, error: BaseException) -> None:
        if self._parts is not None:
            self._parts.writer.error = error
        self._on_journal_error()

    def _on_unavailable(self, error: ServiceUnavailable) -> None:
        """Abandon the run: what a step needs from the run's host cannot be reached."""
        if self._parts is not None and self._unavailable is None:
            self._unavailable = error
            self._parts.workers.abandon()

    def _on_journal_error(self) -> None:
        """Abandon the run: the journal accepts no more of it."""
        if self._parts is None:
            return
        writer = self._parts.writer
        writer.buffer.closed = True
        if self._lost is None:
            self._lost = writer.error
            self._parts.workers.abandon()
        writer.wake_readers()

    async def _close(self, parts: _Parts) -> None:
        if self._closed:
            return
        self._closed = True
        if self._renewal is not None:
            self._renewal.stop()
            self._renewal = None  # it refers back to the run
        await parts.resources.close()
        await self._release()
        parts.writer.detach()
        parts.scheduler.budget.detach()
        parts.workers.detach()

    async def _release(self) -> None:
        lease, self._lease = self._lease, None
        if lease is not None and self._lost is None:
            await self._journal.release(lease)

    async def __aenter__(self) -> "Run":
        return await self.begin()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            if not self._closed:
                await self.result()
        elif issubclass(kind, asyncio.CancelledError):
            try:
                await self.abandon()
            except Exception:  # the caller must see the cancellation
                log.exception("Failed to flush the journal of run %r during abandon.", self.id)
        elif not self._closed:
            await self.cancel()

    def __await__(self) -> Generator[t.Any, None, RunResult]:
        return self._run_to_end().__await__()

    async def _run_to_end(self) -> RunResult:
        try:
            return await self.result()
        except asyncio.CancelledError:
            if self._parts is not None and not self._closed:
                self._parts.scheduler.cancellation.stop("cancelled")
                await self.result()
            raise


def start(
    plan: Plan,
    inputs: Mapping[str, t.Any] | None = None,
    *,
    run_id: str | None = None,
    journal: Journal | None = None,
    cache: Cache | None = None,
    store: Store | None = None,
    listener: Listener | None = None,
    **options: t.Any,
) -> Run:
    """Return a run of the plan, to be entered with `async with` or awaited. `options` are those of `Options`.

    Raises ValueError for a `run_id` that is no valid text, and for options out of range.
    """
    return Run(plan, _checked_id(run_id), inputs, Options(**options), journal, cache, store, listener)


async def execute(
    plan: Plan,
    inputs: Mapping[str, t.Any] | None = None,
    *,
    run_id: str | None = None,
    journal: Journal | None = None,
    cache: Cache | None = None,
    store: Store | None = None,
    listener: Listener | None = None,
    **options: t.Any,
) -> RunResult:
    """Run the plan to its end and return the result; `options` are those of `Options`.

    Raises InputsInvalid before anything runs if the inputs do not fit the plan. A failed step raises nothing:
    see `RunResult.status`.
    """
    kept = Options(**options)
    return await Run(plan, _checked_id(run_id), inputs, kept, journal, cache, store, listener)


def resume(
    run_id: str,
    *,
    catalog: Catalog,
    journal: Journal,
    plan: Callable[[], Plan] | None = None,
    cache: Cache | None = None,
    store: Store | None = None,
    listener: Listener | None = None,
    **options: t.Any,
) -> Run:
    """Return a run that continues from its journal: finished steps do not run again.

    Await it, or enter it with `async with`. Targets, reuse, budget and seed are the journalled ones unless
    `options` give others. A run that finished returns its result and runs nothing. `plan` returns the run's
    flow as compiled by the caller, or raises; it is called once the run is claimed. Without it the journalled
    flow is compiled with the catalog.
    """

    def plan_of(recovered: RecoveredRun) -> Plan:
        if plan is not None:
            return plan()
        flows = recovered.head.get("flows") or {}
        return compile_flow(
            Flow.parse(recovered.head["flow"]),
            catalog,
            targets=recovered.head["options"].get("targets"),
            flows=flows.get,
        )

    kept = Options(**options)
    return Run(plan_of, _checked_id(run_id), None, kept, journal, cache, store, listener, resumed=True)


def _checked_id(run_id: str | None) -> str:
    if run_id is None:
        return token_hex(16)
    if not isinstance(run_id, str) or not run_id or json_error(run_id):
        raise ValueError(f"run_id must be a non-empty string of valid Unicode, got {run_id!r}")
    return run_id


def run_sync(plan: Plan, inputs: Mapping[str, t.Any] | None = None, **options: t.Any) -> RunResult:
    """Run the plan to its end in an event loop of its own."""
    return asyncio.run(execute(plan, inputs, **options))
