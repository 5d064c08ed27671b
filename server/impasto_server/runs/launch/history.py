"""Estimates corrected by what earlier runs of the same agent cost and how long they took.

Each run keeps the estimate that was computed from its agent and inputs. An earlier run says how far that was
off, so the new estimate is multiplied by the median of these ratios. It still follows the inputs: twice as
many items of a mapped step are twice the cost.

Durations follow the newest runs, because a machine is not always as fast. A run that took results of
earlier runs says nothing about them. Before there are enough runs of the agent, what is free is expected at
the speed that this machine had for the user's other agents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import median

from impasto_server.flows.schemas import LaunchEstimate, StepCost
from impasto_server.http.schemas import money
from impasto_server.runs.journal_repository import StepTime

MIN_RUNS = 3
MAX_RUNS = 20
MAX_TIMED_RUNS = 7
"""The newest runs whose durations count."""
_MAX_REUSED_SHARE, _MAX_REUSED_SECONDS = 0.1, 0.5
"""Of the time that a run's steps need; a run that saved more than both was not whole."""


@dataclass(frozen=True)
class EarlierRun:
    """What a finished run was estimated at and what it needed; None is an estimate that was not known.

    `steps` are the times of its steps, empty if they are not known.
    """

    usd: float
    seconds: float
    estimated_usd: float | None
    estimated_seconds: float | None
    steps: Mapping[str, StepTime] = field(default_factory=dict)

    @property
    def is_unpaid(self) -> bool:
        """Whether the run paid for nothing of what it was estimated at, because its results were reused."""
        return self.usd == 0 and bool(self.estimated_usd)


def whole_runs(runs: Sequence[EarlierRun]) -> list[EarlierRun]:
    """Return the runs of one agent that did their work: most of it was not taken from earlier runs.

    What a reused step would have needed is the median of the runs in which it worked.
    """
    worked: dict[str, list[float]] = {}
    for run in runs:
        for step, time in run.steps.items():
            if not time.cached:
                worked.setdefault(step, []).append(time.seconds)
    usual = {step: median(seconds) for step, seconds in worked.items()}
    return [run for run in runs if not run.is_unpaid and not _is_reused(run, usual)]


def _is_reused(run: EarlierRun, usual: Mapping[str, float]) -> bool:
    saved = sum(usual.get(step, 0.0) for step, time in run.steps.items() if time.cached)
    needed = saved + sum(time.seconds for time in run.steps.values() if not time.cached)
    return saved > _MAX_REUSED_SECONDS and saved > _MAX_REUSED_SHARE * needed


def corrected(estimate: LaunchEstimate, earlier: Sequence[EarlierRun]) -> LaunchEstimate:
    """Return the estimate by the earlier runs, newest first, of which at least `MIN_RUNS` must be whole.

    The costs of nodes change in proportion to the sum, unless the price of one is not known.
    """
    known = whole_runs(earlier)
    if len(known) < MIN_RUNS:
        return estimate
    usd = _corrected(
        None if estimate.usd is None else float(estimate.usd), [(run.estimated_usd, run.usd) for run in known]
    )
    timed = known[:MAX_TIMED_RUNS]
    seconds = _corrected(estimate.seconds, [(run.estimated_seconds, run.seconds) for run in timed])
    changes = {
        "usd": money(Decimal(str(usd))),
        "seconds": seconds,
        "price_unknown": False,
        "based_on_runs": len(known),
        "steps": _scaled(estimate, usd),
    }
    return estimate.model_copy(update=changes)


def at_speed_of(estimate: LaunchEstimate, whole: Sequence[EarlierRun]) -> LaunchEstimate:
    """Return the estimate of a launch that costs nothing at the speed of whole free runs of other agents."""
    ratios = [run.seconds / run.estimated_seconds for run in whole if run.estimated_seconds and run.usd == 0][
        :MAX_TIMED_RUNS
    ]
    is_free = estimate.usd is not None and float(estimate.usd) == 0 and not estimate.price_unknown
    if not is_free or not estimate.seconds or len(ratios) < MIN_RUNS:
        return estimate
    return estimate.model_copy(update={"seconds": estimate.seconds * median(ratios)})


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
