"""Outputs of an earlier run of the same plan, which a run takes instead of the newest known ones."""

from collections.abc import Mapping, Sequence

from impasto.cache.reuse import SHARED, SOME
from impasto.compiler.plan import Plan
from impasto.hashing import canonical_json, parse_json


class EarlierOutputs:
    """The outputs that a run may take from an earlier run with the same plan and inputs.

    `outputs` has each step's outputs by port as JSON, by step id. A step takes its own as long as every step
    before it does; a step of which single items run again takes the rest of its list. `modes` says how far
    each step's output may be shared, by step index.
    """

    def __init__(self, plan: Plan, outputs: Mapping[str, bytes], modes: Sequence[int]) -> None:
        self._bodies: dict[int, bytes] = {}
        unchanged: set[int] = set()
        for index in plan.order:
            step = plan.steps[index]
            body, mode = outputs.get(step.id), modes[index]
            sources = {source.step for binding in step.bindings() for source in binding.sources}
            if body is None or mode not in (SHARED, SOME) or not sources <= unchanged:
                continue
            self._bodies[index] = body
            if mode == SHARED:
                unchanged.add(index)

    def body_of(self, index: int, path: tuple[int, ...] | None) -> bytes | None:
        """Return the earlier outputs of a step, or of its item at `path`; None if there are none."""
        body = self._bodies.get(index)
        if body is None or not path:
            return body
        try:
            return canonical_json({port: _at(value, path) for port, value in parse_json(body).items()})
        except (AttributeError, IndexError, TypeError, ValueError):
            return None


def _at(value: object, path: tuple[int, ...]) -> object:
    for position in path:
        if not isinstance(value, list):
            raise TypeError(f"a list was expected at {path}")
        value = value[position]
    return value
