"""How far results may be shared, and the keys of what has not run yet."""

import typing as t
from collections.abc import Iterable, Mapping

from impasto.compiler.plan import Plan
from impasto.hashing import digest
from impasto.runtime.task import Path

NEVER: t.Final = 0
SOME: t.Final = 1
RUN: t.Final = 2
SHARED: t.Final = 3
WHOLE: frozenset[int] = frozenset()


def modes(plan: Plan, reuse: str, fresh: set[int], some: Iterable[int]) -> list[int]:
    """How far each step's result may be shared: not at all, but for some items, within the run, or with
    other runs too."""
    if reuse == "none":
        return [NEVER] * len(plan.steps)
    found = [SHARED] * len(plan.steps)
    if reuse == "pure":
        for step in plan.steps:
            if step.type.generative:
                found[step.index] = RUN
    for index in some:
        found[index] = SOME if found[index] == SHARED else NEVER
    for index in fresh:
        found[index] = NEVER
    return found


def wanted(some: Iterable[Path], path: Path) -> frozenset[int] | None:
    """What to make anew of the call at this path (() for a step that is not lifted), when these items are.

    `WHOLE`: all that it gives; some places in the list that it gives; None: nothing.
    """
    places = set()
    for each in some:
        if path[: len(each)] == each:
            return WHOLE
        if each[: len(path)] == path:
            places.add(each[len(path)])
    return frozenset(places) or None


def structural_keys(plan: Plan, statics: Mapping[int, bytes]) -> list[bytes]:
    """A key for every step from what it is and what feeds it, without running anything."""
    found = [b""] * len(plan.steps)
    for index in plan.order:
        step = plan.steps[index]
        parts = [statics.get(index, step.static)]
        for binding in (*step.inputs, *(binding for _, binding in step.dynamic)):
            sources = binding.sources if binding is not None else ()
            parts.extend(found[source.step] + bytes([source.port & 255]) for source in sources)
            parts.append(b"|")
        found[index] = digest(b"".join(parts))
    return found
