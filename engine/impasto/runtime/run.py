"""Running a plan: `execute` to the end, `start` to watch it live, `resume` from the journal."""

import asyncio
import logging
import os
import socket
import typing as t
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from secrets import token_hex
from types import TracebackType

import orjson

from impasto.cache.protocol import Cache
from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.document.flow import Flow
from impasto.errors import LeaseLost
from impasto.events import Event
from impasto.journal.memory import MemoryJournal
from impasto.journal.protocol import Journal, Lease, Record
from impasto.runtime.journal_writer import Listener, Recorder
from impasto.runtime.options import Options
from impasto.runtime.replay import Past
from impasto.runtime.run_result import RunResult
from impasto.runtime.scheduler import Scheduler
from impasto.runtime.worker import farewell, worker
from impasto.serialization import json_error as why_not_json
from impasto.store import Store
from impasto.types import to_json

log = logging.getLogger("impasto")
_PROCESS = f"{socket.gethostname()}:{os.getpid()}:{token_hex(4)}"


class Started(t.NamedTuple):
    """The data of a `run.started` event, made when somebody looks at it."""

    plan: Plan
    given: Mapping[str, t.Any]
    resumed: bool

    def __call__(self) -> dict[str, t.Any]:
        """The data."""
        steps = [{"id": step.id, "type": step.type.id, "title": step.title} for step in self.plan.steps]
        return {"inputs": to_json(dict(self.given)), "steps": steps, "resumed": self.resumed}


class Run:
    """A run under way. `async with` it, or await it for its result.

    Leaving the block waits for the end; leaving it by an error cancels the run; leaving it because the
    surrounding task was cancelled abandons the run, so that another process may resume it.
    """

    def __init__(
        self,
        plan: Plan | Callable[[Past], Plan],
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
            raise ValueError("a run without events takes no journal and no listener")
        self.id = run_id
        self.options = options
        self._plan = plan
        self._inputs = inputs
        self._journal: Journal = journal if journal is not None else MemoryJournal()
        self._cache = cache
        self._store = store
        self._listener = listener
        self._resumed = resumed
        self._scheduler: Scheduler | None = None
        self._recorder: Recorder | None = None
        self._lease: Lease | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._beating: asyncio.Task[None] | None = None
        self._ours_until = 0.0
        self._closed = False
        self._lost: BaseException | None = None

    # -- life ----------------------------------------------------------------------------------

    async def begin(self) -> "Run":
        """Check the inputs, take the lease, write the head, start the first steps."""
        if self._scheduler is not None:
            return self
        options = self.options
        past = await self._take_up() if self._resumed else Past(self.id)
        try:
            plan = self._plan if isinstance(self._plan, Plan) else self._plan(past)
            given = self._inputs if not self._resumed else past.head.get("inputs")
            inputs = plan.decode_inputs(given, partial=options.targets is not None)
            past.settle(plan)
            past.reopen()
            if options.events and not self._resumed:
                await self._create(plan)
            recorder = Recorder(self.id, self._journal, self._cache, self._listener, past.events)
            recorder.lease = self._lease
            self._recorder = recorder
            self._scheduler = Scheduler(
                plan, self.id, inputs, options, recorder, self._cache, self._store, past, worker
            )
        except BaseException:
            await self._release()
            raise
        recorder.on_error = self._failed
        finished = past.terminal is not None and past.terminal.type == "run.finished"
        if finished or not options.events:
            recorder.log.closed = True
        recorder.log.emit("run.started", None, Started(plan, given or {}, self._resumed))
        self._ours_until = self._scheduler.loop.time() + options.lease_seconds
        if self._lease is not None:
            recorder.on_rest = self._beat_again
        self._scheduler.begin()
        return self

    async def _take_up(self) -> Past:
        """Own the run and read what it has done."""
        past = Past(self.id, await self._journal.read(self.id)).checked()
        self._lease = await self._journal.claim(self.id, self._owner(), self.options.lease_seconds)
        past = Past(self.id, await self._journal.read(self.id))
        kept = past.head.get("options", {})
        for name, value in kept.items():
            if getattr(self.options, name) in (None, (), [], "changed"):
                setattr(self.options, name, value)
        return past

    async def _create(self, plan: Plan) -> None:
        inputs = orjson.dumps(to_json(dict(self._inputs))) if self._inputs else b"{}"
        options = orjson.dumps(self.options.recorded())
        body = plan.document[:-1] + b',"inputs":' + inputs + b',"options":' + options + b"}"
        head = Record("head", body=body)
        self._lease = await self._journal.create(self.id, self._owner(), self.options.lease_seconds, [head])

    def _owner(self) -> str:
        return self.options.owner or _PROCESS

    def _beat_again(self) -> None:
        self._beat = asyncio.get_running_loop().call_later(self.options.lease_seconds / 3, self._renew)

    def _renew(self) -> None:
        self._beating = asyncio.get_running_loop().create_task(self._renewing())

    async def _renewing(self) -> None:
        now = asyncio.get_running_loop().time()
        recorder = t.cast("Recorder", self._recorder)
        try:
            await self._journal.renew(t.cast("Lease", self._lease), self.options.lease_seconds)
        except Exception as error:  # noqa: BLE001 - the run ends, and whoever waits for it is told
            # A journal may stumble: as long as the lease lasts nobody else can have the run.
            if not isinstance(error, LeaseLost) and asyncio.get_running_loop().time() < self._ours_until:
                self._beat_again()
                return
            recorder.error = error
            self._failed()
        else:
            self._ours_until = now + self.options.lease_seconds
            self._beat_again()

    def _failed(self) -> None:
        """The journal took no more: the run is not ours to go on with."""
        recorder = t.cast("Recorder", self._recorder)
        recorder.log.closed = True
        if self._lost is None:
            self._lost = recorder.error
            t.cast("Scheduler", self._scheduler).abandon()
        recorder.wake()

    async def result(self) -> RunResult:
        """Wait for the end; raises LeaseLost (or the journal's error) if the run could not be kept."""
        await self.begin()
        scheduler, recorder = t.cast("Scheduler", self._scheduler), t.cast("Recorder", self._recorder)
        try:
            await scheduler.ending()
            if self._lost is None and not self._closed:
                await recorder.flushed()
        finally:
            if scheduler.over:
                await self._close()
        if self._lost is not None:
            raise self._lost
        return RunResult(scheduler)

    async def events(self, after: int = 0) -> AsyncIterator[Event]:
        """Every event after number `after`, those that were and those to come, until the last."""
        await self.begin()
        recorder, scheduler = t.cast("Recorder", self._recorder), t.cast("Scheduler", self._scheduler)
        position = 0
        while True:
            while position < len(recorder.events):
                event = recorder.events[position]
                position += 1
                if event.seq > after:
                    yield event
            if self._closed or self._lost is not None or (scheduler.over and recorder.quiet):
                return
            await recorder.more()

    async def cancel(self) -> RunResult:
        """Stop: nothing starts any more, what runs is cancelled; returns when the run has ended."""
        await self.begin()
        t.cast("Scheduler", self._scheduler).stop("cancelled")
        return await self.result()

    async def abandon(self) -> None:
        """Let the run go without ending it: its finished steps are kept, and anybody may resume it.

        Steps under way are cancelled, and have `grace` to write down what whoever goes on must know: the run
        is ours until they have ended.
        """
        if self._scheduler is None or self._closed:
            return
        recorder = t.cast("Recorder", self._recorder)
        if not self._scheduler.over:
            self._scheduler.abandon()
        try:
            if self._lost is None:
                await farewell(self._scheduler)
                await recorder.flushed()
        finally:
            recorder.log.closed = True
            await self._close()

    async def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._beat is not None:
            self._beat.cancel()
        if self._beating is not None:
            self._beating.cancel()
        resources = t.cast("Scheduler", self._scheduler).opened
        if resources is not None:
            await resources.close()
        await self._release()
        t.cast("Recorder", self._recorder).part()

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
            except Exception:  # whoever cancelled shall hear that it was cancelled
                log.exception("The last words of run %r could not be written down.", self.id)
        elif not self._closed:
            await self.cancel()

    def __await__(self) -> Generator[t.Any, None, RunResult]:
        return self._to_the_end().__await__()

    async def _to_the_end(self) -> RunResult:
        try:
            return await self.result()
        except asyncio.CancelledError:
            if self._scheduler is not None and not self._closed:
                self._scheduler.stop("cancelled")
                await self.result()
            raise

    @property
    def plan(self) -> Plan:
        """The plan that is being run."""
        return t.cast("Scheduler", self._scheduler).plan


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
    """A run of the plan, to be entered with `async with` (or awaited). `options` are those of `Options`.

    Raises ValueError for an id that is no text.
    """
    return Run(plan, _named(run_id), inputs, Options(**options), journal, cache, store, listener)


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
    """Run the plan to its end. Raises InputsInvalid before anything runs if the inputs do not fit it."""
    kept = Options(**options)
    return await Run(plan, _named(run_id), inputs, kept, journal, cache, store, listener)


def resume(
    run_id: str,
    *,
    catalog: Catalog,
    journal: Journal,
    cache: Cache | None = None,
    store: Store | None = None,
    listener: Listener | None = None,
    **options: t.Any,
) -> Run:
    """Take a run up from its journal: what finished is not done again. Await it, or `async with` it.

    Inputs, targets, reuse, budget and seed are the run's own unless they are given anew. A run that
    finished gives its result again and does nothing.
    """

    def plan_of(past: Past) -> Plan:
        flows = past.head.get("flows") or {}
        return compile_flow(
            Flow.parse(past.head["flow"]),
            catalog,
            targets=past.head["options"].get("targets"),
            flows=flows.get,
        )

    kept = Options(**options)
    return Run(plan_of, _named(run_id), None, kept, journal, cache, store, listener, resumed=True)


def _named(run_id: str | None) -> str:
    if run_id is None:
        return token_hex(16)
    if not isinstance(run_id, str) or not run_id or why_not_json(run_id):
        raise ValueError(f"a run's id is a text, and whole characters, not {run_id!r}")
    return run_id


def run_sync(plan: Plan, inputs: Mapping[str, t.Any] | None = None, **options: t.Any) -> RunResult:
    """`execute` for programs that have no event loop."""
    return asyncio.run(execute(plan, inputs, **options))
