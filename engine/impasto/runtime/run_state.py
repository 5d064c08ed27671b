"""What a run under way is made of. The classes on top of it each add one part of its behaviour:

`settling` ends steps, `stopping` ends the run early, `services` answers nodes, `opening` makes steps into
units of work, `scheduler` sets them off. What has to be awaited is in `working`.
"""

import asyncio
import time
import typing as t
from collections import deque
from collections.abc import Callable, Coroutine, Mapping

from impasto.cache import reuse
from impasto.cache.keys import static_key, step_key
from impasto.cache.protocol import Cache, peek_of
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.hashing import digest
from impasto.runtime.journal_writer import Recorder
from impasto.runtime.options import Options
from impasto.runtime.policies.budget import Budget
from impasto.runtime.policies.limits import Limits
from impasto.runtime.replay import Past
from impasto.runtime.resources import Resources
from impasto.runtime.step_output import Outcome
from impasto.runtime.step_status import States
from impasto.runtime.task import Items, Unit
from impasto.store import MemoryStore

clock: t.Final = time.perf_counter
_NOTHING_AFRESH: tuple[set[int], dict[int, set[tuple[int, ...]]]] = (set(), {})


class RunState:
    """One run's data, and how work is lined up."""

    __slots__ = (
        "_awaited", "_resources", "_store", "_structural", "abandoned", "active", "asked", "asks", "budget",
        "by_key", "cache", "ended", "fingerprints", "flights", "gated", "lazy", "left", "lifted", "limits",
        "log", "loop", "modes", "most", "options", "outcomes", "over", "overrides", "parked", "past",
        "peek", "plan", "readers", "ready", "recorder", "run_id", "running", "some", "spare", "started",
        "states", "steps", "stop_error", "stopping", "successors", "timers", "value_types", "waiting",
        "worker", "workers",
    )  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        run_id: str,
        inputs: Mapping[int, t.Any],
        options: Options,
        recorder: Recorder,
        cache: Cache | None,
        store: t.Any,
        past: Past,
        worker: Callable[[t.Any], Coroutine[t.Any, t.Any, None]],
    ) -> None:
        self.plan = plan
        self.steps = plan.steps
        self.successors = plan.successors
        self.value_types = plan.value_types
        self.lazy = plan.lazy
        self.run_id = run_id
        self.options = options
        self.recorder = recorder
        self.log = recorder.log
        self.worker = worker
        self.cache = cache
        fresh, self.some = plan.afresh(options.fresh) if options.fresh else _NOTHING_AFRESH
        self.modes = reuse.modes(plan, options.reuse, fresh, self.some)
        self.peek = peek_of(cache)
        self.asks = cache is not None and (self.peek is None or bool(self.some))
        self._store = store
        self._resources: Resources | None = None
        self.past = past
        self.loop = asyncio.get_running_loop()
        self.limits = t.cast("Limits", options.limits)
        self.gated = options.budget_usd is not None or bool(self.limits.most)
        self.outcomes: list[Outcome | None] = [None] * len(plan.steps)
        self.states = States(plan)
        self.readers = list(plan.readers)
        self.waiting: list[int] = []
        self.budget = Budget(options.budget_usd, past.spent)
        self.by_key: dict[bytes, Outcome] = {}
        self.flights: dict[bytes, Unit] = {}
        self.ready: deque[Step | Unit] = deque()
        self.active: set[Unit] = set()
        self.parked: set[Unit] = set()
        self.workers: set[asyncio.Task[None]] = set()
        self.lifted: dict[int, Items] = {}
        self.asked: dict[int, list[asyncio.Future[None]]] = {}
        self.fingerprints: dict[int, str] = {}
        self.timers: list[asyncio.TimerHandle] = []
        self.most = options.max_concurrency or 1 << 60
        self.running = 0
        self.left = 0
        self.spare = False
        self.stopping: str | None = None
        self.stop_error: NodeError | None = None
        self.over = False
        self.abandoned = False
        self._awaited: list[asyncio.Future[None]] = []
        self.started = self.ended = clock()
        self.overrides = self._overrides(inputs) if inputs else {}
        self._structural: list[bytes] | None = None

    def _overrides(self, inputs: Mapping[int, t.Any]) -> dict[int, tuple[dict[str, t.Any], bytes]]:
        """The settings (and their part of the key) of steps that the run's inputs reach."""
        found = {}
        for index, value in inputs.items():
            step = self.steps[index]
            settings = {**step.settings, t.cast("str", step.type.input): value}
            found[index] = (settings, static_key(step.type_part, settings))
        return found

    @property
    def store(self) -> t.Any:
        """Where assets are kept: if nobody gave a store, one in memory, made when it is needed."""
        if self._store is None:
            self._store = MemoryStore()
        return self._store

    @property
    def resources(self) -> Resources:
        """The run's pools."""
        if self._resources is None:
            self._resources = Resources(self.store)
        return self._resources

    @property
    def opened(self) -> Resources | None:
        """The pools that were needed, to be closed."""
        return self._resources

    def settings_of(self, step: Step) -> dict[str, t.Any]:
        """The step's settings, with the run's input in its place."""
        override = self.overrides.get(step.index) if self.overrides else None
        return override[0] if override is not None else step.settings

    def static_of(self, step: Step) -> bytes:
        """The part of the step's key that its settings make."""
        override = self.overrides.get(step.index) if self.overrides else None
        return override[1] if override is not None else step.static

    def keyed(self, told: bytes) -> bytes:
        """The key of a call of which this is told; a cache is asked by the hash."""
        return step_key(told) if self.cache is None else digest(told)

    def structural(self) -> list[bytes]:
        """Keys that are known before anything has run, for what is fed lazily."""
        if self._structural is None:
            statics = {index: static for index, (_, static) in self.overrides.items()}
            self._structural = reuse.structural_keys(self.plan, statics)
        return self._structural

    def root_of(self, index: int | None) -> str | None:
        """The step that is to blame for a step that did not finish."""
        return self.states.root(index) if index is not None else None

    def verdict(self) -> tuple[str, NodeError | None]:
        """The run's status, and its error if it has one."""
        if self.stopping == "cancelled":
            return "cancelled", None
        if self.stop_error is not None:
            return "failed", self.stop_error
        failed = self.states.first_failed()
        return ("failed", failed) if failed is not None else ("finished", None)

    # -- lining up work ------------------------------------------------------------------------

    def queue(self, index: int) -> None:
        """A step's sources are settled: it is its turn."""
        step = self.steps[index]
        self.log.emit("step.queued", step.id)
        self.ready.append(step)

    def wake(self) -> None:
        """Make sure that somebody looks at what is ready."""
        if not self.spare and self.ready and not self.over:
            self.spare = True
            self.workers.add(self.loop.create_task(self.worker(self)))

    def end(self) -> None:
        """The last step is settled: say how the run went."""
        if self.over:
            return
        self.over = True
        self.ended = clock()
        for timer in self.timers:
            timer.cancel()
        for index in self.states.unused():
            self.log.emit("step.skipped", self.steps[index].id, {"because": None, "reason": "closed"})
            self.states.skip(index, None, "closed")
        status, error = self.verdict()
        data: dict[str, t.Any] = {"seconds": self.ended - self.started, "cost_usd": self.budget.spent}
        if error is not None:
            data["error"] = error.to_dict()
        self.log.emit(f"run.{status}", None, data)
        self.tell_end()

    def ending(self) -> "asyncio.Future[None]":
        """Done when the run is over."""
        future: asyncio.Future[None] = self.loop.create_future()
        if self.over:
            future.set_result(None)
        else:
            self._awaited.append(future)
        return future

    def tell_end(self) -> None:
        """Let those go on who wait for the end."""
        for future in self._awaited:
            if not future.done():
                future.set_result(None)
        self.recorder.wake()
