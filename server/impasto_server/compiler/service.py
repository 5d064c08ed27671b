"""The compiler as the server's features use it: off the event loop, within limits, cached by content."""

import asyncio
import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import orjson

import impasto
from impasto import Catalog, Flow, Plan
from impasto.errors import FlowInvalid as EngineFlowInvalid
from impasto_server.compiler.caches import PlanCache, ResultCache
from impasto_server.compiler.documents import CheckedFlow, InputsReport, Result, Source
from impasto_server.compiler.errors import FlowTooExpensive, FlowTooLarge, TooManyCompilations
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.pool import OutOfMemory, ProcessPool, TooManyWaiting, TooSlow
from impasto_server.compiler.process import setup_message
from impasto_server.flows.errors import FlowInvalid
from impasto_server.flows.schemas import Estimate, LaunchEstimate, Problem
from impasto_server.http.errors import RateLimited
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.settings import Settings
from impasto_server.utils import finished

_REMEMBER_FAILURE_SECONDS = 60.0
_CHEAP_SECONDS = 0.01  # a document that took less in a process is compiled on the event loop to run it
_MAX_WAITING = 16  # requests of one user
_ROWS_OF_REQUEST = 200
_UNIT_SECONDS = 0.1  # a compilation counts once in the rate limit for each started tenth of a second


class Compiler:
    """Compiles user documents in processes of its own. Enter it to be able to close it.

    Its `catalog` may be replaced after `close`.
    """

    def __init__(self, settings: Settings, catalog: Catalog, rate_limiter: RateLimiter) -> None:
        self._settings = settings
        self.catalog = catalog
        self._rate_limiter = rate_limiter
        self._pool: ProcessPool | None = None
        self._cache = ResultCache(settings.compile_cache_bytes)
        self._plans = PlanCache()
        self._running: dict[str, asyncio.Task[Result]] = {}
        self._start: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Compiler":
        if self._settings.warm:
            self._start = asyncio.create_task(self._processes().start(), name="start a compiler process")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the processes and forget all results. The compiler may be used again, with new ones."""
        pool, self._pool = self._pool, None
        self._cache, self._plans = ResultCache(self._settings.compile_cache_bytes), PlanCache()
        if pool is not None:
            await pool.close()
        waiting = [task for task in (self._start, *self._running.values()) if task is not None]
        await asyncio.gather(*waiting, return_exceptions=True)

    @property
    def process_ids(self) -> list[int]:
        """The ids of the running compiler processes."""
        return self._pool.process_ids if self._pool is not None else []

    async def check(self, owner: str, source: Source) -> CheckedFlow:
        """Compile a document and return its problems, form, results and estimate.

        A document that takes too long has this as its only problem. `owner` is the id of the user, for the
        rate limit. Raises `FlowTooLarge` or `TooManyCompilations`.
        """
        return await self._check(owner, source, limited=True)

    async def check_stored(self, owner: str, source: Source) -> CheckedFlow:
        """Compile the document of a run, as `check`, but without a rate limit: its launch has counted."""
        return await self._check(owner, source, limited=False)

    async def check_inputs(
        self, owner: str, source: Source, rows: Sequence[Mapping[str, Any]], fresh: Sequence[str] = ()
    ) -> InputsReport:
        """Check the inputs of launches of a document that compiles, and estimate each launch.

        Raises `FlowTooExpensive`.
        """
        report = InputsReport(None, [])
        # In several requests: the limit of one is meant for one launch, not for a table of 1,000.
        for start in range(0, len(rows), _ROWS_OF_REQUEST):
            parts = [*_parts(source), orjson.dumps(list(rows[start : start + _ROWS_OF_REQUEST]))]
            (answer,) = await self._call(owner, "inputs", source, parts, fresh=list(fresh))
            found = orjson.loads(answer)
            report = InputsReport(found["ids"], [*report.rows, *found["rows"]])
            if report.ids is not None:
                break
        return report

    async def estimate(self, owner: str, source: Source, inputs: Mapping[str, Any]) -> LaunchEstimate:
        """Estimate a launch of a document that compiles; invalid inputs do not count."""
        parts = [*_parts(source), orjson.dumps(inputs)]
        (answer,) = await self._call(owner, "estimate", source, parts)
        return LaunchEstimate.model_validate_json(answer)

    async def form(self, owner: str, source: Source) -> dict[str, Any]:
        """Return the types and titles of the inputs of a document that compiles, by node id."""
        (answer,) = await self._call(owner, "form", source, _parts(source))
        found: dict[str, Any] = orjson.loads(answer)
        return found

    async def diff(self, owner: str, before: Any, after: Any) -> bytes:
        """Return the differences between two documents, as JSON of a `FlowDiff`."""
        parts = [orjson.dumps(before), orjson.dumps(after)]
        (answer,) = await self._call(owner, "diff", Source({}, {}), parts)
        return answer

    async def plan(self, owner: str, source: Source) -> Plan:
        """Return the plan of a document, to run it.

        A process compiles it first, unless it has done so in the past; only then this process does, beside
        the event loop if it takes long. The plans used last are kept: runs may share them. Raises
        `FlowInvalid` or `FlowTooLarge`.
        """
        parts = _parts(source)
        key = _key(source, parts, with_providers=True)
        plan = self._plans.get(key)
        if plan is None:
            plan = await self._new_plan(owner, source, parts)
            self._plans.add(key, plan, sum(map(len, parts)))
        return plan

    async def _new_plan(self, owner: str, source: Source, parts: Sequence[bytes]) -> Plan:
        seconds = self._cache.seconds(_key(source, parts, with_providers=False))
        if seconds is None:
            checked = await self.check_stored(owner, source)
            if not checked.can_run:
                raise FlowInvalid(checked.problems)
            seconds = checked.seconds
        if seconds < _CHEAP_SECONDS:
            return self._compiled(source)
        return await asyncio.to_thread(self._compiled, source)

    def _compiled(self, source: Source) -> Plan:
        try:
            return impasto.compile(
                Flow.parse(source.document),
                self.catalog,
                flows=source.subflows.get,
                flow_id=source.flow_id,
                targets=source.targets,
                configured=source.configured,
                checks=False,
            )
        except EngineFlowInvalid as error:
            raise FlowInvalid([Problem(code="invalid", message=str(error))]) from error

    async def _check(self, owner: str, source: Source, *, limited: bool) -> CheckedFlow:
        parts = _parts(source)
        key = _key(source, parts, with_providers=True)
        known = self._cache.get(key)
        if known is None:
            known = await self._check_once(owner, source, parts, key, limited=limited)
        if isinstance(known, dict):
            raise FlowTooLarge(known)
        return known

    async def _check_once(
        self, owner: str, source: Source, parts: list[bytes], key: str, *, limited: bool
    ) -> Result:
        """Compile a document, unless the same one is being compiled: then wait for that result."""
        if limited and key not in self._running:
            await self._count(owner)
        task = self._running.get(key)
        if task is None:
            task = asyncio.create_task(self._compile(owner, source, parts, key, limited=limited))
            self._running[key] = task
            task.add_done_callback(lambda _: self._running.pop(key, None))
        # A client that disconnects does not stop the compilation, which others may wait for.
        return await finished(task)

    async def _compile(
        self, owner: str, source: Source, parts: list[bytes], key: str, *, limited: bool
    ) -> Result:
        try:
            header, *rest = await self._send(owner, "check", source, parts, limited=limited, key=key)
        except (TooSlow, OutOfMemory) as error:
            checked = CheckedFlow(False, [self._problem_of(error)])
            self._cache.add(key, checked, expires=time.monotonic() + _REMEMBER_FAILURE_SECONDS)
            return checked
        data = orjson.loads(header)
        if "refused" in data:
            refused: dict[str, Any] = data["refused"]
            self._cache.add(key, refused)
            return refused
        inputs, results, step_estimates, planned_steps, contents, own_contents = rest
        checked = CheckedFlow(
            can_run=data["can_run"],
            problems=[Problem(**problem) for problem in data["problems"]],
            estimate=Estimate(**data["estimate"]),
            kinds=data["kinds"],
            takes=data["takes"] if data["can_run"] else None,
            node_types=data["node_types"],
            parse_error=data["parse_error"],
            inputs=inputs,
            results=results,
            step_estimates=step_estimates,
            planned_steps=planned_steps,
            contents=contents,
            own_contents=own_contents,
            seconds=data["seconds"],
        )
        self._cache.add(key, checked)
        if checked.can_run:
            self._cache.add_seconds(_key(source, parts, with_providers=False), checked.seconds)
        return checked

    async def _call(
        self, owner: str, operation: str, source: Source, parts: list[bytes], **more: Any
    ) -> list[bytes]:
        key = _key(source, parts[:2], with_providers=True)
        try:
            return await self._send(owner, operation, source, parts, limited=True, key=key, **more)
        except (TooSlow, OutOfMemory) as error:
            problem = self._problem_of(error)
            raise FlowTooExpensive(f"{problem.message} {problem.hint}") from error

    async def _send(
        self, owner: str, operation: str, source: Source, parts: list[bytes], *, limited: bool, **more: Any
    ) -> list[bytes]:
        header = {"operation": operation, **source.header(), **more}
        seconds = self._settings.compile_seconds
        max_waiting = _MAX_WAITING if limited else None
        try:
            answer, seconds = await self._processes().call(owner, [orjson.dumps(header), *parts], max_waiting)
        except TooManyWaiting as error:
            seconds = 0
            raise TooManyCompilations(1) from error
        finally:
            if limited:
                await self._charge(owner, seconds)
        return answer

    def _processes(self) -> ProcessPool:
        if self._pool is None:
            settings = self._settings
            self._pool = ProcessPool(settings.compile_processes, settings.compile_seconds, self._setup)
        return self._pool

    def _setup(self) -> bytes:
        settings = self._settings
        limits = FlowLimits(
            nodes=settings.max_flow_nodes,
            edges=settings.max_flow_edges,
            steps=settings.max_flow_steps,
            settings_bytes=settings.max_settings_bytes,
            setting_values=settings.max_setting_values,
            setting_depth=settings.max_setting_depth,
        )
        memory = settings.compile_memory_mib * 2**20
        return setup_message(self.catalog, limits, settings.compile_seconds, memory)

    async def _count(self, owner: str) -> None:
        """Count one compilation. Raises `TooManyCompilations`."""
        try:
            await self._rate_limiter.hit(self._settings.rate_limit_compilations, "compile", owner)
        except RateLimited as error:
            raise TooManyCompilations(int(error.headers["Retry-After"])) from error

    async def _charge(self, owner: str, seconds: float) -> None:
        """Count a request that took long several times; this refuses the next one, not this one."""
        more = math.floor(seconds / _UNIT_SECONDS)
        await self._rate_limiter.add(self._settings.rate_limit_compilations, more, "compile", owner)

    def _problem_of(self, error: Exception) -> Problem:
        settings = self._settings
        if isinstance(error, TooSlow):
            message = f"Checking this took longer than the limit of {settings.compile_seconds:g} s."
        else:
            message = f"Checking this took more memory than the limit of {settings.compile_memory_mib} MiB."
        hint = "Use fewer nodes, smaller schemas, or fewer agents inside of agents."
        return Problem(code="too_expensive", message=message, hint=hint)


def _parts(source: Source) -> list[bytes]:
    return [orjson.dumps(source.document), orjson.dumps(source.subflows)]


def _key(source: Source, parts: Sequence[bytes], *, with_providers: bool) -> str:
    """Return a digest of everything that the result depends on, except the catalog, which never changes."""
    header = source.header()
    if not with_providers:
        del header["configured"]
    # JSON objects end where they say, so their concatenation reads one way only.
    return hashlib.sha256(b"".join([orjson.dumps(header), *parts])).hexdigest()
