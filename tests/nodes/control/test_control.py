"""Choose, merge and collect: which branch goes on, and with what."""

import pytest

from impasto import Catalog, NodeError, compile, execute
from impasto.testing import run_node
from impasto_nodes.control import choose, collect, merge
from impasto_nodes.inputs import choice, number, user_prompt
from impasto_nodes.transform import compose

pytestmark = pytest.mark.anyio
CATALOG = Catalog([choose, collect, merge, compose, choice, number, user_prompt])


def flow(nodes, edges):
    listed = [{"id": name, "type": kind, "settings": settings} for name, (kind, settings) in nodes.items()]
    return compile({"format": 1, "nodes": listed, "edges": [{"from": a, "to": b} for a, b in edges]}, CATALOG)


def branching(by="red", match="equals"):
    """A prompt goes left or right by a choice, and meets again."""
    return flow(
        {
            "words": ("user_prompt", {"text": "hello"}),
            "by": ("choice", {"value": by}),
            "part": ("choose", {"cases": ["red", "blue"], "match": match}),
            "left": ("compose", {"template": "L {{x}}"}),
            "right": ("compose", {"template": "R {{x}}"}),
            "rest": ("compose", {"template": "O {{x}}"}),
            "meet": ("merge", {}),
        },
        [
            ("words.output", "part.value"),
            ("by.output", "part.by"),
            ("part.case_1", "left.x"),
            ("part.case_2", "right.x"),
            ("part.otherwise", "rest.x"),
            ("left.output", "meet.first"),
            ("right.output", "meet.second"),
            ("rest.output", "meet.third"),
        ],
    )


@pytest.mark.parametrize(
    ("by", "out"), [("red", "case_1"), ("BLUE ", "case_2"), ("green", "otherwise"), ("", "otherwise")]
)
async def test_value_takes_the_matching_branch(by, out):
    done = await run_node(choose, {"value": {"a": 1}, "by": by}, {"cases": ["red", "blue"]})
    assert done.outputs == {out: {"a": 1}}


@pytest.mark.parametrize(
    ("match", "value", "case", "fits"),
    [
        ("contains", "a big cat", "big", True),
        ("contains", "a cat", "dog", False),
        ("starts with", "Hello", " he ", True),
        ("starts with", "Hello", "lo", False),
        ("greater than", "3.5", "3", True),
        ("greater than", "2", "3", False),
        ("greater than", "3.0", "3", False),
        ("less than", "2,5", "3", True),
        ("less than", "3", "3.0", False),
        ("is empty", "  ", "", True),
        ("is empty", "x", "", False),
        ("equals", "Red", " red ", True),
        ("equals", "zed", "red", False),
        ("equals", "bed", "red", False),
    ],
)
async def test_every_operator_of_choose(match, value, case, fits):
    done = await run_node(choose, {"value": value}, {"cases": [case], "match": match})
    assert ("case_1" in done.outputs) is fits


async def test_numbers_and_booleans_are_compared_by_their_text():
    for value, text in ((3.0, "3"), (3.5, "3.5"), (3, "3"), (True, "true"), (False, "false")):
        assert (await run_node(choose, {"value": value}, {"cases": ["x", text]})).outputs == {"case_2": value}


async def test_match_case_compares_capitals():
    done = await run_node(choose, {"value": "Red"}, {"cases": ["red", " Red "], "same_case": True})
    assert list(done.outputs) == ["case_2"]


async def test_the_first_of_several_cases_that_fit_is_taken():
    done = await run_node(choose, {"value": "big red"}, {"cases": ["x", "red", "big"], "match": "contains"})
    assert done.outputs == {"case_2": "big red"}
    assert (await run_node(choose, {"value": "x"})).outputs == {"otherwise": "x"}


@pytest.mark.parametrize(
    ("value", "settings", "code"),
    [
        ({"a": 1}, {"cases": ["x"]}, "not_comparable"),
        ("x", {"cases": list("abcde")}, "too_many_cases"),
        ("tall", {"cases": ["3"], "match": "greater than"}, "not_a_number"),
    ],
)
async def test_unsupported_choice_value_is_an_error(value, settings, code):
    with pytest.raises(NodeError) as caught:
        await run_node(choose, {"value": value}, settings)
    assert caught.value.code == code


async def test_merge_takes_the_first_that_was_not_closed():
    ports = ("first", "second", "third", "fourth")
    for place, port in enumerate(ports):
        assert (await run_node(merge, {name: name for name in ports[place:]})).output == port
        assert (await run_node(merge, {port: None})).outputs == {"output": None}
    assert (await run_node(merge)).outputs == {}


async def test_collect_concatenates_single_values_and_lists():
    plan = flow(
        {name: ("choice", {"value": name}) for name in "abc"}
        | {"all": ("collect", {}), "more": ("collect", {})},
        [
            ("a.output", "all.items"),
            ("b.output", "all.items"),
            ("all.output", "more.items"),
            ("c.output", "more.items"),
        ],
    )
    result = await execute(plan)
    assert result.outputs["all.output"] == ["a", "b"]
    assert result.outputs["more.output"] == ["a", "b", "c"]


async def test_collect_without_inputs_is_empty():
    assert (await run_node(collect)).output == []


@pytest.mark.parametrize(("by", "said"), [("red", "L hello"), ("blue", "R hello"), ("green", "O hello")])
async def test_branches_split_and_merge(by, said):
    result = await execute(branching(by))
    assert result.status == "finished"
    assert result.outputs["meet.output"] == said


async def test_the_fourth_case_of_choose_has_its_own_port():
    done = await run_node(choose, {"value": "d"}, {"cases": list("abcd")})
    assert list(done.outputs) == ["case_4"]


async def test_a_number_has_a_point_or_a_comma_but_not_both():
    for said, fits in (("2,5", False), ("3.5", True)):
        done = await run_node(choose, {"value": said}, {"cases": ["3,0"], "match": "greater than"})
        assert ("case_1" in done.outputs) is fits
    for said in ("1,000.5", "1,000,000", "inf", "-inf", "nan"):
        with pytest.raises(NodeError, match="is not a number"):
            await run_node(choose, {"value": said}, {"cases": ["3"], "match": "greater than"})
