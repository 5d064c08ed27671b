"""How far results may be shared, and the keys of what has not run yet."""

from collections.abc import Mapping

from impasto.keys import digest
from impasto.plan import Plan

NEVER, RUN, SHARED = 0, 1, 2


def modes(plan: Plan, reuse: str, fresh: set[int]) -> bytearray:
    """How far each step's result may be shared: not at all, within the run, or with other runs too."""
    if reuse == "none":
        return bytearray(len(plan.steps))
    found = bytearray([SHARED]) * len(plan.steps)
    if reuse == "pure":
        for step in plan.steps:
            if step.type.generative:
                found[step.index] = RUN
    for index in fresh:
        found[index] = NEVER
    return found


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
