"""Keys of generative calls that repeat each other in one run: each call has a result of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence

from impasto.cache.reuse import structural_keys
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.hashing import digest
from impasto.runtime.task import Path

Caller = tuple[int, Path | None]


class Repetitions:
    """Numbers the calls of generative functions that have equal keys, from 0.

    Two steps with the same settings and the same sources are numbered before the run, in the plan's order,
    so that a later run finds each one's result whichever of them it runs. Other calls whose keys turn out to
    be equal, and equal items of a list, are numbered when they are opened. A step with a seed is not
    numbered: it asks for the same result.
    """

    __slots__ = ("_callers", "statics")

    def __init__(self, plan: Plan, statics: Mapping[int, bytes]) -> None:
        self._callers: dict[bytes, dict[Caller, int]] = {}
        self.statics: dict[int, bytes] = {}
        generative = [step for step in plan.generative if not has_seed(step.settings)]
        shared = Counter(statics.get(step.index, step.static) for step in generative)
        repeated = [step for step in generative if shared[statics.get(step.index, step.static)] > 1]
        if repeated:
            self._number_steps(repeated, structural_keys(plan, statics), statics)

    def _number_steps(
        self, steps: Sequence[Step], keys: Sequence[bytes], statics: Mapping[int, bytes]
    ) -> None:
        numbers: Counter[bytes] = Counter()
        for step in steps:
            number = numbers[keys[step.index]]
            numbers[keys[step.index]] += 1
            if number:
                self.statics[step.index] = digest(statics.get(step.index, step.static) + _suffix(number))

    def suffix(self, step: Step, path: Path | None, key: bytes) -> bytes:
        """Return what distinguishes a call from earlier ones with the same key; empty for the first call."""
        callers = self._callers.setdefault(key, {})
        number = callers.setdefault((step.index, path), len(callers))
        return _suffix(number) if number else b""


def has_seed(settings: Mapping[str, object]) -> bool:
    """Return whether a step's settings ask for the result of a seed."""
    return settings.get("seed") is not None


def may_repeat(plan: Plan) -> bool:
    """Return whether a run of the plan may call generative functions twice with the same key."""
    return len(plan.generative) > 1 or any(step.fan_out for step in plan.generative)


def _suffix(number: int) -> bytes:
    return b"\0repetition %d" % number
