"""The run itself: every step whose inputs are ready runs at once, and nothing polls.

Workers are tasks that take what is ready (`working`). A worker sends a step off itself; one that never
suspends costs no task, and its worker goes on with the next. Before a worker awaits a step that did suspend
while more is ready, a spare worker is woken. So there are as many tasks as suspended steps, and one.
"""

import asyncio
import typing as t
from functools import partial

from impasto.cache import reuse
from impasto.cache.reuse import NEVER, SHARED, SOME, WHOLE
from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.runtime.executors.abandonable import Leash, after, sent_off
from impasto.runtime.inputs import feed_values
from impasto.runtime.policies import body_for
from impasto.runtime.run_state import clock
from impasto.runtime.step_output import from_body
from impasto.runtime.step_output import read as read_outcome
from impasto.runtime.task import Unit
from impasto.runtime.unit_factory import Opening
from impasto.sdk.context import Context

FAIR: t.Final = 128
_send_off: t.Final = sent_off
_leash: t.Final = Leash


class Pause:
    """The others' turn: nothing that ends at once keeps the loop for long."""


PAUSE: t.Final = Pause()
# What a worker has to await: a leash, a step whose key depends on the world, a cache's answer, a pause.
Met = Leash | Step | Unit | Pause | None


class Scheduler(Opening):
    """One run of a plan, from its first step to its last event."""

    __slots__ = ()

    def begin(self) -> None:
        """Find what is to be run, and set the first worker on it."""
        plan, options = self.plan, self.options
        targets = plan.expand(options.targets, "results") if options.targets is not None else None
        self.states.scope(plan.needed(targets) if targets is not None else None)
        self.past.restore(self)
        if targets is None and not plan.lazy and not self.past.settled:
            self._begin_all()
        else:
            self.waiting = [0] * len(plan.steps)
            roots = (
                targets if targets is not None else {i for i, count in enumerate(plan.readers) if not count}
            )
            self.want(plan.needed(roots, lazy=False))
        if options.timeout is not None:
            self.timers.append(self.loop.call_later(options.timeout, self.timed_out))
        if self.left:
            self.wake()
        else:
            self.end()
            self.recorder.kick()

    def _begin_all(self) -> None:
        """The usual case: every step of the plan runs."""
        self.waiting = list(self.plan.indegree)
        self.left = len(self.waiting)
        self.states.all_pending()
        for index in self.plan.order:
            if self.waiting[index]:
                break
            self.queue(index)

    def advance(self, worker: "asyncio.Task[None]") -> Met:
        """Take what is ready until something must be awaited, or there is nothing more, or no room for it."""
        ready, log, turns = self.ready, self.log, 0
        while ready and self.running < self.most and not self.over:
            log.holds = True
            turns += 1
            if turns == FAIR:
                return PAUSE
            item = ready.popleft()
            if isinstance(item, Unit):
                met = self.go_on(item, worker)
            elif item.type.outside:
                return item
            else:
                met = self.go_on(self.open(item), worker)
            if met is not None:
                return met
        return None

    def go_on(self, unit: Unit | None, worker: "asyncio.Task[None]") -> Leash | Unit | None:
        """The same with a unit at hand: the unit itself, if the cache is to be asked for its result."""
        if unit is None or unit.dead or self._held(unit):
            return None
        return unit if self.asks and self._asks(unit) else self.start(unit, worker)

    def start(self, unit: Unit, worker: "asyncio.Task[None]") -> Leash | None:
        """Set a unit off that nobody has the result of, if it may start now."""
        if self.gated and not self._admitted(unit):
            return None
        unit.task = worker
        return self._set_off(unit)

    # -- before a unit runs --------------------------------------------------------------------

    def _held(self, unit: Unit) -> bool:
        """Whether the unit need not run: the run ends, its result is known, or it is on its way elsewhere."""
        if self.stopping is not None:
            self.stopped(unit)
            return True
        mode = self.modes[unit.step.index]
        if mode <= SOME or unit.limit is not None or unit.home is not None:
            return False
        found = self.by_key.get(unit.key)
        if found is not None:
            self.finish(unit, found, True)
            return True
        if self.cache is None and not self.flights:
            return False
        shared = self.cache is not None and mode == SHARED
        home = self.cache.flights if shared and self.cache is not None else self.flights
        leader = home.get(unit.key) if home else None
        if leader is not None:
            self._follow(unit, leader)
            return True
        if not shared:
            return False
        if self.peek is not None and self.known(unit, self.peek(unit.key.hex())):
            return True
        home[unit.key] = unit
        unit.home = home
        return False

    def _follow(self, unit: Unit, leader: Unit) -> None:
        if leader.outcome is not None:
            self.finish(unit, leader.outcome, True)
            return
        leader.followers = leader.followers or []
        leader.followers.append(unit)
        self.parked.add(unit)

    def _asks(self, unit: Unit) -> bool:
        """Whether the cache is to be asked, which takes a while, for the unit's result or a part of it."""
        mode = self.modes[unit.step.index]
        if unit.limit is not None or not (mode == SOME or (mode == SHARED and self.peek is None)):
            return False
        return self.wanted(unit) != WHOLE

    def wanted(self, unit: Unit) -> frozenset[int] | None:
        """Which places in what the unit gives are wanted anew, if only some are."""
        index = unit.step.index
        return reuse.wanted(self.some[index], unit.path or ()) if self.modes[index] == SOME else None

    def known(self, unit: Unit, body: bytes | None, wanted: frozenset[int] | None = None) -> bool:
        """Whether what the cache answered is the unit's result: still of its type, its assets still kept.

        Where some places of it are wanted anew, it is what the unit's function may keep the others of.
        """
        if body is None:
            return False
        outcome = from_body(unit.step.type, body)
        if outcome is None:
            return False
        if body.find(b'"asset_id"') >= 0 and not self.resources.holds(outcome):
            return False
        ports, types = range(len(outcome.blobs)), self.value_types
        if wanted and any(outcome.without(wanted, port, types) is not None for port in ports):
            unit.kept = outcome, wanted
            return False
        self.finish(unit, outcome, True)
        return True

    def _admitted(self, unit: Unit) -> bool:
        """Whether the unit may start now: within the budget, with a place in its limit."""
        if unit.limit is not None:
            return True
        if self.budget.most is not None:
            unit.reserved = self.estimate(unit)
            if not self.budget.reserve(unit.reserved):
                unit.reserved = 0.0
                self.over_budget()
                self.stopped(unit)
                return False
        limit = unit.step.type.limit
        if limit is None or self.limits.enter(limit, unit):
            return True
        self.parked.add(unit)
        return False

    def admitted(self, unit: Unit) -> None:
        """A limit has a place for a unit that waited for one."""
        self.parked.discard(unit)
        self.ready.append(unit)
        self.wake()

    # -- running it ----------------------------------------------------------------------------

    def _set_off(self, unit: Unit) -> Leash | None:
        """Start the unit's function, in the task that will see it through: None if it ended at once."""
        step = unit.step
        self.running += 1
        unit.started = clock()
        if unit.items is None or self.states.begins(step.index):
            self.log.emit("step.started", step.id)
        try:
            exposed = self.log.durable and self.exposed(step)
            work = after(self.recorder.flushed(), partial(self._call, unit)) if exposed else self._call(unit)
            returned = _send_off(work, unit)
        except BaseException as error:  # noqa: BLE001 - its step's failure, whatever it is
            self.raised(unit, error)
            return None
        if type(returned) is _leash:
            return returned
        self.returned(unit, returned)
        return None

    def hold(self, unit: Unit) -> None:
        """A unit did not end at once: whoever needs the same result, or the run's end, finds it."""
        self.recorder.kick()
        if self.ready:
            self.wake()
        self.active.add(unit)
        if unit.home is None and self.modes[unit.step.index] != NEVER:
            unit.home = self.flights
            self.flights[unit.key] = unit
        if self.stopping in ("cancelled", "timeout"):
            t.cast("asyncio.Task[t.Any]", unit.task).cancel()

    def _call(self, unit: Unit) -> t.Coroutine[t.Any, t.Any, t.Any]:
        """The unit's function at work."""
        node_type = unit.step.type
        if not unit.ready:
            if node_type.simple:
                step = unit.step
                settings = self.settings_of(step) if self.overrides else step.settings
                values = feed_values(step.feeds or (), self.outcomes, self.value_types)
                return t.cast("t.Coroutine[t.Any, t.Any, t.Any]", node_type.function(*values, **settings))
            self.prepare(unit)
        if unit.items is not None:
            unit.own()
        elif node_type.open:
            unit.own_settings()
        if node_type.context is not None:
            self._give_context(unit, node_type.context)
        body = body_for(node_type)
        if body is not None:
            return body(unit)
        work: t.Coroutine[t.Any, t.Any, t.Any] = node_type.function(*unit.args, **unit.kwargs)
        return work

    def returned(self, unit: Unit, returned: t.Any) -> None:
        """The unit's function has ended; if the unit was given up meanwhile, nobody wants to know how."""
        if not unit.dead:
            try:
                outcome = read_outcome(unit.step.type, returned)
            except Exception as error:  # noqa: BLE001 - the node broke its promise
                self.raised(unit, error)
                return
            self.leave(unit)
            if self.stopping is not None and self.stopping in ("cancelled", "timeout"):
                self.stopped(unit)
            else:
                self.finish(unit, outcome, False)
        if unit.context is not None:
            unit.context.close()

    def raised(self, unit: Unit, error: BaseException) -> None:
        """The same for a function that raised, or was cancelled."""
        if not unit.dead:
            self.leave(unit)
            if isinstance(error, asyncio.CancelledError):
                self._interrupted(unit)
            else:
                self.failed(unit, error)
        if unit.context is not None:
            unit.context.close()

    def _give_context(self, unit: Unit, parameter: str) -> None:
        unit.context = Context(self, unit)
        unit.context.fingerprint = self.fingerprints.get(unit.step.index)
        unit.kwargs = {**unit.kwargs, parameter: unit.context}

    def _interrupted(self, unit: Unit) -> None:
        """The unit was cancelled: by the run, from outside, or by its own function."""
        if self.stopping is not None:
            self.stopped(unit)
        elif t.cast("asyncio.Task[t.Any]", unit.task).cancelling():
            self.stopped(unit)
            self.stop("cancelled")
        else:
            self.failed(unit, NodeError(detail="The node was cancelled from within."))
