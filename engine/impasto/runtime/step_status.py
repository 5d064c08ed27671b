"""The status of every step of a run, in flat arrays."""

import typing as t

from impasto.compiler.plan import Plan
from impasto.errors import NodeError
from impasto.runtime.step_output import StepOutput

ABSENT: t.Final = 0  # not part of the run (yet)
PENDING: t.Final = 1
FINISHED: t.Final = 2
FAILED: t.Final = 3
SKIPPED: t.Final = 4
CANCELLED: t.Final = 5
STATUS_NAMES = ("absent", "pending", "finished", "failed", "skipped", "cancelled")


class StepStatusTable:
    """The status code of each step by its index, and the data that only some steps have."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.codes = [ABSENT] * len(plan.steps)
        self.seconds = [0.0] * len(plan.steps)
        self.costs: dict[int, float] = {}
        self.cached: set[int] = set()
        self.errors: dict[int, NodeError] = {}
        self.skips: dict[int, tuple[str | None, str]] = {}
        self.items: dict[int, dict[tuple[int, ...], StepOutput]] = {}
        self._scope: set[int] | None = None
        self._started: set[int] = set()

    def limit_to(self, steps: set[int] | None) -> None:
        """Set the steps that the run is about; None for all."""
        self._scope = steps

    def set_all_pending(self) -> None:
        """Mark every step as part of the run."""
        self.codes[:] = [PENDING] * len(self.codes)

    def start_once(self, index: int) -> bool:
        """Mark a fanned-out step as started; return False if one of its items already did."""
        if index in self._started:
            return False
        self._started.add(index)
        return True

    def finish(self, index: int, seconds: float, cost: float, cached: bool) -> None:
        """Mark the step as finished, after `seconds` and for `cost` dollars."""
        self.codes[index] = FINISHED
        self.seconds[index] = seconds
        if cost:
            self.costs[index] = cost
        if cached:
            self.cached.add(index)

    def fail(self, index: int, error: NodeError, seconds: float, cost: float) -> None:
        """Mark the step as failed, after `seconds` and for `cost` dollars."""
        self.codes[index] = FAILED
        self.errors[index] = error
        self.seconds[index] = seconds
        if cost:
            self.costs[index] = cost

    def skip(self, index: int, because: str | None, reason: str, cancelled: bool = False) -> None:
        """Mark the step as skipped, or as cancelled if it was running. `because` is the step to blame."""
        self.codes[index] = CANCELLED if cancelled and reason == "cancelled" else SKIPPED
        self.skips[index] = (because, reason)

    def first_error(self) -> NodeError | None:
        """Return the error of the first failed step in document order."""
        return self.errors[min(self.errors)] if self.errors else None

    def unused(self) -> list[int]:
        """Return the steps of the run that never became part of it: a lazy input was not awaited."""
        if ABSENT not in self.codes:
            return []
        scope = self._scope if self._scope is not None else range(len(self.codes))
        return [index for index in sorted(scope) if self.codes[index] == ABSENT]

    def present(self) -> list[int]:
        """Return the steps that the run has a status for."""
        return [index for index, code in enumerate(self.codes) if code != ABSENT]

    def root_cause(self, index: int) -> str:
        """Return the id of the step to blame for this one: itself if it failed."""
        if self.codes[index] == FAILED:
            return self.plan.steps[index].id
        because = self.skips.get(index, (None, ""))[0]
        return because if because is not None else self.plan.steps[index].id

    def reason(self, index: int) -> str:
        """Return why steps that depend on this one cannot run."""
        if self.codes[index] == FAILED:
            return "failed"
        return self.skips.get(index, (None, "failed"))[1]
