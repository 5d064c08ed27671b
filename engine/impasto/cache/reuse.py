"""Which results a run may reuse, and the keys of steps that have not run yet."""

import typing as t
from collections.abc import Iterable, Mapping, Sequence

from impasto.hashing import digest

if t.TYPE_CHECKING:
    from typing import Protocol

    class _NodeType(Protocol):
        @property
        def generative(self) -> bool: ...

    class _Source(Protocol):
        @property
        def step(self) -> int: ...
        @property
        def port(self) -> int: ...

    class _Binding(Protocol):
        @property
        def sources(self) -> Sequence[_Source]: ...

    class _Step(Protocol):
        @property
        def index(self) -> int: ...
        @property
        def type(self) -> _NodeType: ...
        @property
        def static(self) -> bytes: ...
        @property
        def inputs(self) -> Sequence[_Binding | None]: ...
        @property
        def dynamic(self) -> Sequence[tuple[t.Any, _Binding]]: ...

    class _Plan(Protocol):
        @property
        def steps(self) -> Sequence[_Step]: ...
        @property
        def order(self) -> Sequence[int]: ...


Path = tuple[int, ...]
# How far a step's result may be shared.
NEVER: t.Final = 0
SOME: t.Final = 1  # all but the items that `fresh` names
RUN: t.Final = 2  # within the run
SHARED: t.Final = 3  # with other runs too
WHOLE: frozenset[int] = frozenset()


def modes(plan: "_Plan", reuse: str, fresh: set[int], some: Iterable[int]) -> list[int]:
    """Return how far each step's result may be shared, by step index.

    `reuse` is the run's option ("changed", "pure" or "none"), `fresh` the steps to run again, `some` the
    steps of which single items run again.
    """
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
    """Return what the call at `path` must regenerate, given the paths of the items to regenerate.

    `path` is () for a step that is not fanned out. The answer is `WHOLE` for everything, a set of positions
    in the list that the call returns, or None for nothing.
    """
    positions = set()
    for each in some:
        if path[: len(each)] == each:
            return WHOLE
        if each[: len(path)] == path:
            positions.add(each[len(path)])
    return frozenset(positions) or None


def structural_keys(plan: "_Plan", statics: Mapping[int, bytes]) -> list[bytes]:
    """Return a key for every step, by index, from its settings and its sources alone; nothing has to run.

    `statics` replaces the static part of the key of steps that run inputs reach.
    """
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
