"""What a step and a plan would cost, asked before anything runs."""

import typing as t
from collections.abc import Mapping, Sequence

from impasto.step import Step


def step_estimate(
    step: Step, settings: Mapping[str, t.Any], inputs: Mapping[str, t.Any]
) -> tuple[float, float | None]:
    """Dollars and seconds that the node type's cost function expects; (0, None) if it has none."""
    if step.type.cost is None:
        return 0.0, None
    answer = step.type.cost(settings, inputs)
    if isinstance(answer, Mapping):
        seconds = answer.get("seconds")
        return float(answer.get("usd") or 0.0), None if seconds is None else float(seconds)
    return float(answer or 0.0), None


def step_estimates(
    steps: Sequence[Step], order: Sequence[int], inputs: Mapping[int, t.Any]
) -> dict[int, tuple[float, float | None]]:
    """Each step's dollars and seconds, by its index, as far as they are known before anything ran."""
    found = {}
    for index in order:
        step = steps[index]
        settings = step.settings
        if index in inputs:
            settings = {**settings, t.cast("str", step.type.input): inputs[index]}
        found[index] = step_estimate(step, settings, dict.fromkeys(port.name for port in step.ports))
    return found


def estimate(
    steps: Sequence[Step], order: Sequence[int], inputs: Mapping[int, t.Any]
) -> dict[str, float | None]:
    """The sum of the dollars, and the seconds along the slowest path (None if no step knows its own)."""
    found = step_estimates(steps, order, inputs)
    done_at = [0.0] * len(steps)
    for index, (_, seconds) in found.items():
        sources = (source.step for binding in steps[index].bindings() for source in binding.sources)
        done_at[index] = max((done_at[source] for source in sources), default=0.0) + (seconds or 0.0)
    known = any(seconds is not None for _, seconds in found.values())
    dollars = sum(usd for usd, _ in found.values())
    return {"usd": round(dollars, 6), "seconds": max(done_at, default=0.0) if known else None}
