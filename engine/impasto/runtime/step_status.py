"""What has become of each step, in flat arrays."""

import typing as t

from impasto.compiler.plan import Plan
from impasto.errors import NodeError

ABSENT: t.Final = 0
PENDING: t.Final = 1
FINISHED: t.Final = 2
FAILED: t.Final = 3
SKIPPED: t.Final = 4
CANCELLED: t.Final = 5
WORDS = ("absent", "pending", "finished", "failed", "skipped", "cancelled")


class States:
    """One code a step, and beside it what only some steps have."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.codes = [ABSENT] * len(plan.steps)
        self.seconds = [0.0] * len(plan.steps)
        self.costs: dict[int, float] = {}
        self.cached: set[int] = set()
        self.errors: dict[int, NodeError] = {}
        self.skips: dict[int, tuple[str | None, str]] = {}
        self.items: dict[int, t.Any] = {}
        self._scope: set[int] | None = None
        self._begun: set[int] = set()

    def scope(self, steps: set[int] | None) -> None:
        """The steps that the run is about; None: all of them."""
        self._scope = steps

    def all_pending(self) -> None:
        """Every step will run."""
        self.codes = [PENDING] * len(self.codes)

    def begins(self, index: int) -> bool:
        """Whether this is the first of a lifted step's items to begin."""
        if index in self._begun:
            return False
        self._begun.add(index)
        return True

    def finish(self, index: int, seconds: float, cost: float, cached: bool) -> None:
        """The step has its result."""
        self.codes[index] = FINISHED
        self.seconds[index] = seconds
        if cost:
            self.costs[index] = cost
        if cached:
            self.cached.add(index)

    def fail(self, index: int, error: NodeError, seconds: float, cost: float) -> None:
        """The step failed."""
        self.codes[index] = FAILED
        self.errors[index] = error
        self.seconds[index] = seconds
        if cost:
            self.costs[index] = cost

    def skip(self, index: int, because: str | None, reason: str, cancelled: bool = False) -> None:
        """The step did not run, or was stopped while it did."""
        self.codes[index] = CANCELLED if cancelled and reason == "cancelled" else SKIPPED
        self.skips[index] = (because, reason)

    def first_failed(self) -> NodeError | None:
        """The error of the first step, in document order, that failed."""
        return self.errors[min(self.errors)] if self.errors else None

    def unused(self) -> list[int]:
        """The steps of the run that nothing ever asked for."""
        if not self.plan.lazy and ABSENT not in self.codes:
            return []
        scope = self._scope if self._scope is not None else range(len(self.codes))
        return [index for index in sorted(scope) if self.codes[index] == ABSENT]

    def present(self) -> list[int]:
        """The steps that the run has something to say about."""
        return [index for index, code in enumerate(self.codes) if code != ABSENT]

    def root(self, index: int) -> str | None:
        """The step that is to blame for this one: itself if it failed."""
        if self.codes[index] == FAILED:
            return self.plan.steps[index].id
        because = self.skips.get(index, (None, ""))[0]
        return because if because is not None else self.plan.steps[index].id

    def reason(self, index: int) -> str:
        """Why what follows the step cannot run."""
        if self.codes[index] == FAILED:
            return "failed"
        return self.skips.get(index, (None, "failed"))[1]
