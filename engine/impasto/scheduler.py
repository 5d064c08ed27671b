"""The run itself: every step whose inputs are ready runs at once, and nothing polls.

Workers are tasks that take what is ready. A step that never suspends costs no task of its own: its worker
goes on with the next. Before a worker awaits a step while more is ready, a spare worker is woken; it gets
the loop when the first one suspends. So there are as many tasks as suspended steps, and one.
"""

import asyncio
import time
import typing as t

from impasto import reuse
from impasto.context import Context
from impasto.errors import NodeError
from impasto.executors.leash import Leash
from impasto.opening import Opening
from impasto.outcome import Outcome, from_body
from impasto.outcome import read as read_outcome
from impasto.policies import body_for
from impasto.unit import Unit

FAIR = 128


class Scheduler(Opening):
    """One run of a plan, from its first step to its last event."""

    def begin(self) -> None:
        """Find what is to be run, and set the first worker on it."""
        plan, options = self.plan, self.options
        self.bodies = [body_for(step.type) for step in plan.steps]
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

    def _begin_all(self) -> None:
        """The usual case: every step of the plan runs."""
        self.waiting = list(self.plan.indegree)
        self.left = len(self.waiting)
        self.states.all_pending()
        for index in self.plan.order:
            if self.waiting[index]:
                break
            self.queue(index)

    async def work(self) -> None:
        """Take what is ready until there is nothing more, or no room for it."""
        self.spare = False
        me = t.cast("asyncio.Task[t.Any]", asyncio.current_task())
        ready, steps, turns = self.ready, self.plan.steps, 0
        while ready and self.running < self.most and not self.over:
            turns += 1
            if turns == FAIR:
                turns = 0
                self.wake()
                await asyncio.sleep(0)
                continue
            item = ready.popleft()
            try:
                if type(item) is int:
                    step = steps[item]
                    unit = self.open(step) if not step.type.outside else await self.open_outside(step)
                else:
                    unit = t.cast("Unit", item)
                if unit is None or unit.dead or self._held(unit):
                    continue
                if (self.cache is not None and await self._cached(unit)) or not self._admitted(unit):
                    continue
                unit.task = me
                if ready:
                    self.wake()
                await self._execute(unit)
            except asyncio.CancelledError:
                if self.over or self.stopping is None:
                    raise
        if not self.left:
            self.end()

    # -- before a unit runs --------------------------------------------------------------------

    def _held(self, unit: Unit) -> bool:
        """Whether the unit need not run: the run ends, its result is known, or it is on its way elsewhere."""
        if unit.limit is not None and self.stopping is None:
            return False
        if self.stopping is not None:
            self.stopped(unit)
            return True
        mode = self.modes[unit.step.index]
        if mode == reuse.NEVER or unit.home is not None:
            return False
        found = self.by_key.get(unit.key)
        if found is not None:
            self.finish(unit, found, True)
            return True
        shared = mode == reuse.SHARED and self.cache is not None
        home = self.cache.flights if shared and self.cache is not None else self.flights
        leader = home.get(unit.key)
        if leader is None:
            home[unit.key] = unit
            unit.home = home
            return False
        self._follow(unit, leader)
        return True

    def _follow(self, unit: Unit, leader: Unit) -> None:
        if leader.outcome is not None:
            self.finish(unit, leader.outcome, True)
            return
        leader.followers = leader.followers or []
        leader.followers.append(unit)
        self.parked.add(unit)

    async def _cached(self, unit: Unit) -> bool:
        """Whether the cache knows the result (or the run has come to its end while it was asked)."""
        cache = self.cache
        if cache is None or unit.limit is not None or self.modes[unit.step.index] != reuse.SHARED:
            return False
        body = await cache.get(unit.key.hex())
        if unit.dead or self.stopping is not None:
            if not unit.dead:
                self.stopped(unit)
            return True
        outcome = from_body(unit.step.type, body) if body is not None else None
        if outcome is None or not self.resources.holds(outcome):
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

    async def _execute(self, unit: Unit) -> None:
        step = unit.step
        self.running += 1
        self.active.add(unit)
        unit.started = time.perf_counter()
        if unit.items is None or self.states.begins(step.index):
            self.emit("step.started", step.id)
        try:
            if step.type.effects and step.sources and self.recorder.durable:
                # What it does cannot be undone: its inputs must not be lost and made anew after a crash.
                await self.recorder.flushed()
            returned = await Leash(self._call(unit), unit)
            outcome = read_outcome(step.type, returned) if not unit.dead else None
        except asyncio.CancelledError:
            self._left(unit, self._interrupted)
            raise
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its step's failure
            self._left(unit, self.failed, error)
        else:
            self._left(unit, self._returned, outcome)
        finally:
            if unit.context is not None:
                unit.context.close()

    def _call(self, unit: Unit) -> t.Coroutine[t.Any, t.Any, t.Any]:
        """The unit's function at work."""
        self.prepare(unit)
        node_type = unit.step.type
        if node_type.context is not None:
            self._give_context(unit, node_type.context)
        body = self.bodies[unit.step.index]
        if body is not None:
            return body(unit)
        return t.cast("t.Coroutine[t.Any, t.Any, t.Any]", node_type.function(*unit.args, **unit.kwargs))

    def _left(self, unit: Unit, then: t.Callable[..., None], *what: t.Any) -> None:
        """The unit's function has ended; if the unit was given up meanwhile, nobody wants to know how."""
        if not unit.dead:
            self.leave(unit)
            then(unit, *what)

    def _returned(self, unit: Unit, outcome: Outcome) -> None:
        if self.stopping in ("cancelled", "timeout"):
            self.stopped(unit)
        else:
            self.finish(unit, outcome, False)

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
