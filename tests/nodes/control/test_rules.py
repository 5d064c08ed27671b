"""Rules of a condition: each test of text, numbers, lists, fields and reports."""

import pytest

from impasto import NodeError
from impasto.testing import run_node
from impasto_nodes.control import condition

pytestmark = pytest.mark.anyio
REPORT = {
    "passed": False,
    "checks": [],
    "palette": {"checked": True, "passed": True},
    "tone": {"checked": True, "passed": False},
    "logo": {"checked": False, "why": "The brand has no logo."},
}


def rule(kind, test, value="", **more):
    return {"kind": kind, "test": test, "value": value, **more}


async def is_met(one, value="x", **inputs):
    cases = [{"name": "Fits", "port": "case_1", "rules": [one]}]
    done = await run_node(condition, {"value": value, **inputs}, {"cases": cases})
    return list(done.outputs) == ["case_1"]


@pytest.mark.parametrize(
    ("test", "value", "met", "unmet"),
    [
        ("is", " red ", ["Red ", "RED"], ["re", "redder", "a red", ""]),
        ("is not", " red ", ["re", "redder", "zed", ""], ["Red ", "RED"]),
        ("contains", " big ", ["a BIG cat", "bigger"], ["bi g", "", "zzz"]),
        ("does not contain", " dog ", ["a cat", ""], ["a DOG", "doggy"]),
        ("starts with", " he ", [" Hello", "he"], ["the", "h", ""]),
        ("ends with", " lo ", ["Hello ", "LO"], ["lol", "o", ""]),
        ("matches", r"^\d{4}-\d{2}$", ["2026-11"], ["2026-1", "12026-11", " 2026-11"]),
        ("matches", "HELLO", ["say hello"], ["hell"]),
        ("matches", r"^\w{500}$", ["x" * 500], ["x" * 499]),
        ("does not match", "O$", ["hello!", ""], ["hello"]),
        ("is empty", "", ["", "  "], ["x", " 0 "]),
        ("is not empty", "", ["x", " 0 "], ["", "  "]),
    ],
)
async def test_text_is_compared_without_case_and_outer_spaces(test, value, met, unmet):
    assert [said for said in [*met, *unmet] if await is_met(rule("text", test, value), said)] == met


@pytest.mark.parametrize(
    ("test", "value", "met", "unmet"),
    [
        ("is", "Red", ["Red", " Red "], ["red", "RED"]),
        ("is not", "Red", ["red"], ["Red"]),
        ("contains", "Big", ["a Big cat"], ["a big cat"]),
        ("does not contain", "Big", ["a big cat"], ["a Big cat"]),
        ("starts with", "He", ["Hello"], ["hello"]),
        ("ends with", "LO", ["HELLO"], ["Hello"]),
        ("matches", "^Red", ["Red"], ["red"]),
        ("does not match", "^Red", ["red"], ["Red"]),
    ],
)
async def test_case_matters_when_the_rule_says_so(test, value, met, unmet):
    one = rule("text", test, value, match_case=True)
    assert [said for said in [*met, *unmet] if await is_met(one, said)] == met


@pytest.mark.parametrize(
    ("test", "below", "equal", "above"),
    [
        ("equals", False, True, False),
        ("does not equal", True, False, True),
        ("is more than", False, False, True),
        ("is at least", False, True, True),
        ("is less than", True, False, False),
        ("is at most", True, True, False),
    ],
)
async def test_number_is_compared_below_at_and_above_a_value(test, below, equal, above):
    for value in ("3", " 3,0 "):
        found = [await is_met(rule("number", test, value), said) for said in (2.9, " 3 ", "3,1")]
        assert found == [below, equal, above]
    assert await is_met(rule("number", test, "-3"), -2.9) is above


@pytest.mark.parametrize("said", ["inf", "-inf", "nan", "1,000.5", "1,2,3", ""])
async def test_text_that_is_no_finite_number_is_an_error(said):
    with pytest.raises(NodeError) as refused:
        await is_met(rule("number", "equals", "3"), f" {said} ")
    assert refused.value.message == f"'{said}' is not a number, so it can't be compared as one."


async def test_a_long_text_that_is_no_number_is_cut_in_the_message():
    with pytest.raises(NodeError) as refused:
        await condition(
            value="x" * 100_000,
            cases=[{"name": "A", "port": "case_1", "rules": [rule("number", "equals", "3")]}],
        )
    assert refused.value.message == f"'{'x' * 100}' is not a number, so it can't be compared as one."


@pytest.mark.parametrize(
    ("test", "fewer", "equal", "more"),
    [
        ("has exactly", False, True, False),
        ("has at least", True, True, False),
        ("has at most", False, True, True),
    ],
)
async def test_length_of_a_list_is_compared(test, fewer, equal, more):
    found = [await is_met(rule("list", test, count), items=["a", "b"]) for count in ("1", " 2 ", "3")]
    assert found == [fewer, equal, more]


@pytest.mark.parametrize(
    ("test", "value", "items", "expected"),
    [
        ("contains", " RED ", ["red", "blue"], True),
        ("contains", "re", ["red", "blue"], False),
        ("does not contain", " red ", ["Red", "blue"], False),
        ("does not contain", "re", ["red", "blue"], True),
        ("is empty", "", ["red"], False),
        ("is empty", "", [], True),
        ("is not empty", "", ["red"], True),
        ("is not empty", "", [], False),
    ],
)
async def test_items_of_a_list_are_compared(test, value, items, expected):
    assert await is_met(rule("list", test, value), items=items) is expected


async def test_items_that_are_not_plain_values_are_ignored():
    items = [{"a": 1}, None, [2], " Red ", 3.0, True]
    assert [
        await is_met(rule("list", "contains", value), items=items) for value in ("red", "3", "true", "none")
    ] == [True, True, True, False]
    assert not await is_met(rule("list", "contains", "red", match_case=True), items=["Red"])
    assert await is_met(rule("list", "contains", "Red", match_case=True), items=["Red "])


async def test_a_test_of_emptiness_needs_no_value():
    for kind, empty in (("text", {"value": " "}), ("list", {"items": []})):
        assert await is_met({"kind": kind, "test": "is empty"}, **empty)
        assert not await is_met({"kind": kind, "test": "is not empty"}, **empty)


async def test_a_list_may_be_the_value_itself_or_missing():
    assert await is_met(rule("list", "has exactly", "2", field="a"), {"a": ["a", "b"]})
    assert await is_met(rule("list", "is empty", field="gone"), {"here": 1})
    assert await is_met(rule("list", "is empty"), ["a"], items=[])


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("a.0", "x"),
        (" a.0 ", "x"),
        ("a.1.b", "y"),
        ("a . 0", ""),
        ("a..0", "x"),
        ("a.2", ""),
        ("a.-1", ""),
        ("a.b", ""),
        ("t.0", ""),
        ("t.b", ""),
        ("n", "3"),
        ("n.0", ""),
    ],
)
async def test_a_field_is_a_path_of_names_and_positions(field, expected):
    data = {"a": ["x", {"b": "y"}], "t": "text", "n": 3}
    one = rule("text", "is", expected, field=field) if expected else rule("text", "is empty", field=field)
    assert await is_met(one, data)


async def test_rule_reads_a_field_of_data_or_of_json():
    data = {"scenes": [{"title": "Dawn"}, {"title": "Dusk"}]}
    assert await is_met(rule("text", "is", "dusk", field="scenes.1.title"), data)
    assert await is_met(rule("list", "has exactly", "2", field="scenes"), data)
    assert await is_met(rule("text", "is empty", field="scenes.9.title"), data)
    assert await is_met(rule("number", "equals", "3", field="n"), '{"n": 3}')
    assert await is_met(rule("text", "is empty", field="n"), "no json")
    assert await is_met(rule("text", "is", '{"n": 3}', field=" "), '{"n": 3}')


async def test_a_field_may_name_a_position_that_no_list_has():
    assert await is_met(rule("text", "is empty", field=f"scenes.{'9' * 5000}"), {"scenes": ["Dawn"]})


@pytest.mark.parametrize("check", ["", "palette", "tone", "logo", "names"])
async def test_a_brand_check_passed_failed_or_was_not_made(check):
    expected = {"": "failed", "palette": "passed", "tone": "failed"}.get(check, "was not checked")
    tests = ("passed", "failed", "was not checked")
    given = [{"report": REPORT}, {"value": REPORT}]
    for inputs in given:
        found = [test for test in tests if await is_met(rule("brand_check", test, check), **inputs)]
        assert found == [expected]


async def test_a_report_may_have_no_checks():
    report = {"passed": True, "checks": [], "tone": "loud"}
    assert await is_met(rule("brand_check", "was not checked", "tone"), REPORT, report=report)
    assert await is_met({"kind": "brand_check", "test": "passed"}, REPORT, report=report)
    nothing = {"passed": "not checked", "checks": []}
    assert await is_met(rule("brand_check", "was not checked"), report=nothing)


@pytest.mark.parametrize(
    ("one", "inputs", "code"),
    [
        (rule("text", "is", "x"), {"value": {"a": 1}}, "not_comparable"),
        (rule("list", "is empty"), {"value": "x"}, "not_a_list"),
        (rule("brand_check", "passed"), {"value": "x"}, "not_a_report"),
        (rule("brand_check", "passed"), {"report": {"passed": True}}, "not_a_report"),
    ],
)
async def test_values_that_cannot_be_compared_are_named(one, inputs, code):
    with pytest.raises(NodeError) as refused:
        await is_met(one, **inputs)
    assert refused.value.code == code
