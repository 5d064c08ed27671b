"""How units, items and steps come to an end, and what that sets free."""

import typing as t

import orjson

from impasto.cache.keys import key_digest as fixed
from impasto.cache.reuse import NEVER
from impasto.compiler.step import Step
from impasto.errors import InputUnavailable, NodeError
from impasto.runtime.fan_out import assemble, failure
from impasto.runtime.run_state import RunState, clock
from impasto.runtime.step_output import Outcome, closed
from impasto.runtime.step_status import PENDING
from impasto.runtime.task import Items, Unit
from impasto.sdk.node_type import NodeType


@t.final
class Finished:
    """The data of a `step.finished` event, made when somebody looks at it."""

    __slots__ = ("cached", "cost", "made_by", "outcome", "seconds", "type", "units")

    def __init__(
        self,
        outcome: Outcome,
        node_type: NodeType,
        seconds: float,
        cost: float,
        cached: bool,
        units: dict[str, t.Any] | None,
        made_by: dict[str, t.Any] | None,
    ) -> None:
        self.outcome = outcome
        self.type = node_type
        self.seconds = seconds
        self.cost = cost
        self.cached = cached
        self.units = units
        self.made_by = made_by

    def __call__(self) -> dict[str, t.Any]:
        """The data."""
        return {
            "outputs": self.outcome.shown(self.type),
            "seconds": self.seconds,
            "cost_usd": self.cost,
            "cached": self.cached,
            "units": self.units or {},
            "made_by": self.made_by,
        }

    def body(self) -> bytes:
        """The data as JSON, without reading the outputs."""
        if self.outcome.holes:
            return orjson.dumps(self())
        said = {
            "seconds": self.seconds,
            "cost_usd": self.cost,
            "cached": self.cached,
            "units": self.units or {},
            "made_by": self.made_by,
        }
        return b'{"outputs":%s,%s' % (self.outcome.body(self.type), orjson.dumps(said)[1:])


class Settling(RunState):
    """Ends steps."""

    __slots__ = ()

    def finish(self, unit: Unit, outcome: Outcome, cached: bool) -> None:
        """A unit has its result: a step or an item is done, and whoever followed the unit has it too."""
        step = unit.step
        if self.modes[step.index] != NEVER:
            self.by_key[unit.key] = outcome
        unit.outcome = outcome
        if unit.items is None:
            seconds = 0.0 if cached else clock() - unit.started
            self._finish_step(step, outcome, seconds, cached, unit)
        else:
            self._item_done(unit, unit.items, outcome, cached)
        if unit.followers is not None:
            self.lead(unit, None)
        if self.cache is not None and not cached:
            self.log.keep(unit.key.hex(), outcome.body(step.type), unit)
        elif unit.home is not None:
            unit.land(unit.key)

    def _finish_step(
        self, step: Step, outcome: Outcome, seconds: float, cached: bool, work: Unit | Items
    ) -> None:
        cost = work.cost
        self.outcomes[step.index] = outcome
        self.states.finish(step.index, seconds, cost, cached)
        log = self.log
        if outcome.holes:
            log.write("outcome", "", step.id, outcome.body(step.type))
        if not log.closed:
            data = Finished(outcome, step.type, seconds, cost, cached, work.units, work.made_by)
            log.emit("step.finished", step.id, data)
        self.settled(step)

    def fail(self, step: Step, error: NodeError, seconds: float = 0.0, cost: float = 0.0) -> None:
        """A step has failed."""
        self.states.fail(step.index, error, seconds, cost)
        self.log.emit(
            "step.failed", step.id, {"error": error.to_dict(), "seconds": seconds, "cost_usd": cost}
        )
        self.settled(step)

    def skip(self, index: int, because: str | None, reason: str, cancelled: bool = False) -> None:
        """A step does not run (or, `cancelled`, does not run any longer)."""
        step = self.steps[index]
        reason = "cancelled" if reason == "timeout" else reason
        self.states.skip(index, because, reason, cancelled)
        if reason == "closed":
            self.outcomes[index] = closed(len(step.type.outputs))
        self.log.emit("step.skipped", step.id, {"because": because, "reason": reason})
        self.settled(step)

    def settled(self, step: Step) -> None:
        """A step has come to an end, whichever: those that wait for it wait for one less."""
        steps, waiting, readers = self.steps, self.waiting, self.readers
        self.left -= 1
        for after in self.successors[step.index]:
            waiting[after] = missing = waiting[after] - 1
            if not missing and self.states.codes[after] == PENDING:
                follower = steps[after]
                self.log.emit("step.queued", follower.id)
                self.ready.append(follower)
        for source in step.sources:
            readers[source] = left = readers[source] - 1
            if not left and (outcome := self.outcomes[source]) is not None:
                outcome.values = None  # after the last reader the value itself is let go; its JSON stays
        if self.lazy:
            self._settled_lazily(step)
        if not self.left and not self.running:
            self.end()

    def _settled_lazily(self, step: Step) -> None:
        for binding in step.bindings():
            for source in binding.sources if binding.lazy else ():
                self.readers[source.step] -= 1
                if not self.readers[source.step] and (outcome := self.outcomes[source.step]) is not None:
                    outcome.values = None
        for future in self.asked.pop(step.index, ()):
            if not future.done():
                future.set_result(None)

    def failed(self, unit: Unit, raised: BaseException) -> None:
        """A unit has failed: so has its step, or its item."""
        error = NodeError.wrap(raised)
        if unit.items is not None:
            self._item_failed(unit, unit.items, error)
        elif isinstance(raised, InputUnavailable):
            self.skip(unit.step.index, raised.because, raised.reason)
        else:
            self.fail(unit.step, error, clock() - unit.started, unit.cost)
        unit.land(unit.key)
        self.lead(unit, error)

    def lead(self, unit: Unit, error: NodeError | None) -> None:
        """Tell its followers how the unit went; on an error those of other runs try for themselves."""
        followers, unit.followers = unit.followers, None
        for follower in followers or ():
            run: Settling = follower.run
            if follower.dead or run.over:
                continue
            run.parked.discard(follower)
            if unit.outcome is not None:
                run.finish(follower, unit.outcome, True)
            elif error is not None and run is self:
                follower.started = clock()
                run.failed(follower, error)
            else:
                run.ready.append(follower)
            run.wake()

    # -- items of lifted steps -----------------------------------------------------------------

    def _item_done(self, unit: Unit, items: Items, outcome: Outcome, cached: bool) -> None:
        path = unit.path or ()
        items.outcomes[path] = outcome
        items.done += 1
        items.cached = items.cached and cached
        items.made_by = unit.made_by or items.made_by
        for name, amount in (unit.units or {}).items():
            items.units[name] = items.units.get(name, 0) + amount
        parts = (fixed(unit.key).hex().encode(), outcome.body(unit.step.type), orjson.dumps(unit.cost))
        body = b'{"key":"%s","outputs":%s,"cost_usd":%s}' % parts
        self.log.write("item", ".".join(map(str, path)), unit.step.id, body)
        self.item_settled(unit, items)

    def _item_failed(self, unit: Unit, items: Items, error: NodeError) -> None:
        if isinstance(error, InputUnavailable) and error.reason == "closed":
            items.done += 1
        else:
            items.errors[unit.path or ()] = error
        self.item_settled(unit, items)

    def item_settled(self, unit: Unit, items: Items) -> None:
        """One item less to wait for."""
        items.left -= 1
        items.cost += unit.cost
        if not items.left:
            self.items_done(unit.step, items)
        elif not items.stopped:
            message = f"{items.done} of {items.total}"
            self.log.emit(
                "step.progress", unit.step.id, {"fraction": items.done / items.total, "message": message}
            )

    def items_done(self, step: Step, items: Items) -> None:
        """Every item has come to an end: so has the step."""
        self.lifted.pop(step.index, None)
        self.states.items[step.index] = items.outcomes
        seconds = clock() - items.started
        if items.stopped:
            self.skip(step.index, None, str(self.stopping), cancelled=True)
        elif items.errors:
            self.fail(step, failure(items.errors, items.total), seconds, items.cost)
        else:
            outcome = assemble(items.shape, items.outcomes, len(step.type.outputs))
            cached = items.cached and items.total > 0
            self._finish_step(step, outcome, seconds, cached, items)
