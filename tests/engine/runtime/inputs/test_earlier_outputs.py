"""Outputs of an earlier run, which a step takes as long as every step before it does."""

import pytest

from impasto import Text, node
from impasto.cache.reuse import NEVER, RUN, SHARED, SOME
from impasto.runtime.inputs.earlier_outputs import EarlierOutputs
from impasto.testing import plan_of


@node
async def say() -> Text:
    return "hi"


@node
async def join(one: Text, two: Text = "") -> Text:
    return one + two


PLAN = plan_of(
    [say, join],
    {"p": "say", "q": "say", "a": "join", "b": "join"},
    [("p.output", "a.one"), ("a.output", "b.one"), ("q.output", "b.two")],
)
ALL = {name: b'{"output":"%s"}' % name.encode() for name in "pqab"}


def taken(modes="", without=""):
    """The steps that take their earlier output, where `modes` are those of single steps."""
    given = {name: body for name, body in ALL.items() if name not in without}
    found = EarlierOutputs(PLAN, given, [dict(modes).get(step.id, SHARED) for step in PLAN.steps])
    bodies = {name: found.body_of(PLAN.by_id[name], None) for name in "pqab"}
    assert all(body in (None, ALL[name]) for name, body in bodies.items())
    return "".join(name for name, body in bodies.items() if body is not None)


@pytest.mark.parametrize(
    ("modes", "without", "steps"),
    [
        ({}, "", "pqab"),
        ({}, "p", "q"),
        ({}, "q", "pa"),
        ({}, "a", "pq"),
        ({}, "b", "pqa"),
        ({"p": NEVER}, "", "q"),
        ({"a": RUN}, "", "pq"),
        ({"a": SOME}, "", "pqa"),
        ({"b": SOME}, "", "pqab"),
        ({"q": SOME}, "", "pqa"),
    ],
)
def test_step_takes_its_output_if_it_and_all_before_it_may(modes, without, steps):
    assert taken(modes, without) == steps


BODY = b'{"other":[[1,2],[3],[4]],"output":[["a","b"],["c"],"text"]}'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (None, BODY),
        ((), BODY),
        ((1,), b'{"other":[3],"output":["c"]}'),
        ((0, 1), b'{"other":2,"output":"b"}'),
        ((3,), None),
        ((1, 1), None),
        ((2, 0), None),
        ((0, 1, 0), None),
    ],
)
def test_item_takes_its_part_of_each_port(path, body):
    found = EarlierOutputs(PLAN, {"p": BODY}, [SHARED] * 4)
    assert found.body_of(PLAN.by_id["p"], path) == body


def test_item_has_whole_numbers_of_any_size():
    found = EarlierOutputs(PLAN, {"p": b'{"output":[1,{"n":1180591620717411303425}]}'}, [SHARED] * 4)
    assert found.body_of(PLAN.by_id["p"], (1,)) == b'{"output":{"n":1180591620717411303425}}'


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"text"', b"null"])
def test_outputs_that_cannot_be_read_have_no_items(body):
    assert EarlierOutputs(PLAN, {"p": body}, [SHARED] * 4).body_of(PLAN.by_id["p"], (0,)) is None


def test_step_without_an_earlier_output_has_none_for_its_items():
    found = EarlierOutputs(PLAN, {"p": BODY}, [SHARED] * 4)
    assert [found.body_of(PLAN.by_id["q"], path) for path in (None, (), (0,))] == [None] * 3
