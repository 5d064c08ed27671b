"""How a run ends before its last step does: cancelled, out of time or money, or let go to be resumed."""

from impasto.compiler.step import Step
from impasto.errors import NodeError
from impasto.runtime.completion import Settling
from impasto.runtime.task import Unit


class Stopping(Settling):
    """Ends runs early."""

    __slots__ = ()

    def stop(self, why: str, error: NodeError | None = None) -> None:
        """Start nothing more and cancel what runs; what does not end in time is given up."""
        if self.over or self.stopping in ("cancelled", "timeout"):
            return
        self.stopping = why
        self.stop_error = error
        # Whoever closes the loop cancels every task, the spare worker before it has begun.
        self.spare = False
        self._release_parked()
        for unit in list(self.active):
            if unit.task is not None:
                unit.task.cancel()
        self.timers.append(self.loop.call_later(self.options.grace, self._give_up))

    def timed_out(self) -> None:
        """The run's own deadline has passed."""
        sentence = f"The run took longer than its limit of {self.options.timeout:g} seconds."
        self.stop("timeout", NodeError(sentence, code="timeout", retryable=True))

    def over_budget(self) -> None:
        """Something would pass the budget, or has: what runs may end, nothing more starts."""
        if self.stop_error is None:
            sentence = f"The run reached its budget of ${self.budget.most:g} and was stopped."
            self.stop_error = NodeError(sentence, code="budget_exceeded")
        self.stopping = self.stopping or "budget"
        self._release_parked()

    def _release_parked(self) -> None:
        """Those who wait for a place or for somebody else's result need not wait any more."""
        for unit in list(self.parked):
            self.parked.discard(unit)
            self.ready.append(unit)
        self.wake()

    def leave(self, unit: Unit) -> None:
        """The unit is not running any more: its places are free."""
        self.running -= 1
        if self.active:
            self.active.discard(unit)
        if unit.reserved:
            self.budget.reserved -= unit.reserved
            unit.reserved = 0.0
        if unit.limit is not None:
            self.limits.leave(unit)

    def exposed(self, step: Step) -> bool:
        """Whether something that the step reads, or does, must wait for what is not yet durable.

        What has effects waits for all that it reads. Any other step waits only for what would not be made
        again just the same: a function that is not generative, takes no Context and stays on the loop
        gives for equal inputs what it gave, as reuse takes for granted.
        """
        if self.recorder.quiet or not step.sources:
            return False
        steps = self.steps
        return step.type.effects or any(
            steps[source].type.effects or steps[source].type.generative for source in step.sources
        )

    def stopped(self, unit: Unit) -> None:
        """The unit ends because the run does."""
        unit.dead = True
        if unit.limit is not None:
            self.limits.leave(unit)
        if unit.items is not None:
            unit.items.stopped = True
            self.item_settled(unit, unit.items)
        else:
            self.skip(unit.step.index, None, self.stopping or "cancelled", cancelled=unit.started > 0)
        unit.land(unit.key)
        self.lead(unit, None)

    def _give_up(self) -> None:
        """Abandon what was cancelled and does not end: its late result is nobody's."""
        for unit in list(self.active):
            self.leave(unit)
            self.stopped(unit)
            self._drop(unit)
        self.wake()

    def _drop(self, unit: Unit) -> None:
        unit.gone = True
        if unit.task is not None:
            unit.task.cancel()

    def abandon(self) -> None:
        """Let everything go without a word: another process may take the run up."""
        self.over = self.abandoned = True
        for timer in self.timers:
            timer.cancel()
        for unit in (*self.active, *self.parked):
            unit.dead = True
            unit.land(unit.key)
            if unit.limit is not None:
                self.limits.leave(unit)
            self.lead(unit, None)
        for worker in list(self.workers):
            worker.cancel()
        if self.active:
            self.loop.call_later(self.options.grace, self.drop_all)
        self.tell_end()

    def drop_all(self) -> None:
        """Nobody waits for what was let go any longer."""
        for unit in self.active:
            self._drop(unit)
