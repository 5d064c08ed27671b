"""How far results are shared, which items are generated again, and keys of steps that have not run."""

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import Text, node
from impasto.cache.reuse import NEVER, RUN, SHARED, SOME, WHOLE, modes, structural_keys, wanted
from impasto.hashing import digest
from impasto.testing import plan_of


@node(generative=True)
async def paint(text: Text) -> Text:
    return text


PLAN = plan_of(
    [*NODES, paint],
    {"p": "say", "g": "paint", "s": "shout"},
    [("p.output", "g.text"), ("p.output", "s.text")],
)
P, G, S = (next(step.index for step in PLAN.steps if step.id == name) for name in "pgs")


@pytest.mark.parametrize(
    ("reuse", "fresh", "some", "found"),
    [
        ("changed", "", "", {P: SHARED, G: SHARED, S: SHARED}),
        ("pure", "", "", {P: SHARED, G: RUN, S: SHARED}),
        ("none", "", "p", {P: NEVER, G: NEVER, S: NEVER}),
        ("changed", "g", "p", {P: SOME, G: NEVER, S: SHARED}),
        ("changed", "g", "g", {P: SHARED, G: NEVER, S: SHARED}),
        ("pure", "", "gs", {P: SHARED, G: NEVER, S: SOME}),
    ],
    ids=["changed", "pure", "none", "one item", "whole step", "item of a generative step"],
)
def test_result_is_shared_as_far_as_the_options_allow(
    reuse: str, fresh: str, some: str, found: dict[int, int]
) -> None:
    index = {"p": P, "g": G, "s": S}
    shared = modes(PLAN, reuse, {index[name] for name in fresh}, [index[name] for name in some])
    assert dict(enumerate(shared)) == found


@pytest.mark.parametrize(
    ("some", "path", "found"),
    [
        ([], (), None),
        ([(1,)], (1,), WHOLE),
        ([(1,)], (1, 2), WHOLE),
        ([(1,)], (2,), None),
        ([(1, 4), (1, 2), (0, 3)], (1,), {2, 4}),
        ([(3,), (5,)], (), {3, 5}),
        ([(1, 4), (1,)], (1,), WHOLE),
        ([(1, 2, 3)], (1,), {2}),
        ([()], (7,), WHOLE),
    ],
)
def test_call_generates_what_the_paths_ask_for(
    some: list[tuple[int, ...]], path: tuple[int, ...], found: set[int] | None
) -> None:
    again = wanted(some, path)
    assert again == (None if found is None else frozenset(found))


def test_structural_key_has_the_settings_and_the_keys_of_the_sources() -> None:
    keys = structural_keys(PLAN, {})
    source = PLAN.steps[P]
    own = digest(source.static + b"|" * len(source.inputs))
    assert keys[P] == own
    assert keys[S] == digest(PLAN.steps[S].static + own + b"\0|")
    assert keys[G] == digest(PLAN.steps[G].static + own + b"\0|")
    given = structural_keys(PLAN, {P: b"other"})
    assert given[P] == digest(b"other" + b"|" * len(source.inputs))
    assert given[S] == digest(PLAN.steps[S].static + given[P] + b"\0|")
