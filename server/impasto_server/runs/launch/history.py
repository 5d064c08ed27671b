"""Estimates corrected by what earlier runs of the same agent cost and how long they took.

Each run keeps the estimate that was computed from its agent and inputs. An earlier run says how far that was
off, so the new estimate is multiplied by the median of these ratios. It still follows the inputs: twice as
many items of a mapped step are twice the cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from impasto_server.flows.schemas import LaunchEstimate, StepCost
from impasto_server.http.schemas import money

MIN_RUNS = 3
MAX_RUNS = 20


@dataclass(frozen=True)
class EarlierRun:
    """What a finished run was estimated at and what it needed; None is an estimate that was not known."""

    usd: float
    seconds: float
    estimated_usd: float | None
    estimated_seconds: float | None

    @property
    def is_reused(self) -> bool:
        """Whether the run paid for nothing of what it was estimated at, because its results were reused."""
        return self.usd == 0 and bool(self.estimated_usd)


def corrected(estimate: LaunchEstimate, earlier: Sequence[EarlierRun]) -> LaunchEstimate:
    """Return the estimate by the earlier runs, of which at least `MIN_RUNS` must not have been reused.

    The costs of nodes change in proportion to the sum, unless the price of one is not known.
    """
    known = [run for run in earlier if not run.is_reused]
    if len(known) < MIN_RUNS:
        return estimate
    usd = _corrected(
        None if estimate.usd is None else float(estimate.usd), [(run.estimated_usd, run.usd) for run in known]
    )
    seconds = _corrected(estimate.seconds, [(run.estimated_seconds, run.seconds) for run in known])
    changes = {
        "usd": money(Decimal(str(usd))),
        "seconds": seconds,
        "price_unknown": False,
        "based_on_runs": len(known),
        "steps": _scaled(estimate, usd),
    }
    return estimate.model_copy(update=changes)


def _scaled(estimate: LaunchEstimate, usd: float) -> list[StepCost]:
    total = sum(float(step.usd) for step in estimate.steps)
    if not total or any(step.price_unknown for step in estimate.steps):
        return estimate.steps
    return [step.model_copy(update={"usd": money(float(step.usd) * usd / total)}) for step in estimate.steps]


def _corrected(value: float | None, runs: Sequence[tuple[float | None, float]]) -> float:
    """Return the value times the median ratio of `runs`, (estimated, actual) each.

    The median of what they needed, if there is no value, or if too few of them had one.
    """
    ratios = [actual / estimated for estimated, actual in runs if estimated]
    if value and len(ratios) >= MIN_RUNS:
        return value * median(ratios)
    return median(actual for _, actual in runs)
