"""Rules of the node Condition: each test of text, numbers, lists, fields and reports."""

import asyncio
import time

import pytest

from impasto import Catalog, FlowInvalid, NodeError, compile, execute
from impasto.testing import run_node
from impasto_nodes.control import condition, merge
from impasto_nodes.inputs import user_prompt
from impasto_nodes.transform import compose

pytestmark = pytest.mark.anyio
CATALOG = Catalog([condition, merge, compose, user_prompt])
REPORT = {
    "passed": False,
    "checks": [],
    "palette": {"checked": True, "passed": True},
    "tone": {"checked": True, "passed": False},
    "logo": {"checked": False, "why": "The brand has no logo."},
}


def rule(kind, test, value="", **more):
    return {"kind": kind, "test": test, "value": value, **more}


def case(*rules, name="Fits", port="case_1", join="and", groups=()):
    return {"name": name, "port": port, "join": join, "rules": list(rules), "groups": list(groups)}


async def taken(cases, value="x", **inputs):
    done = await run_node(condition, {"value": value, **inputs}, {"cases": cases})
    return list(done.outputs)


async def is_met(one, value="x", **inputs):
    return await taken([case(one)], value, **inputs) == ["case_1"]


def problems_of(cases):
    with pytest.raises(FlowInvalid) as refused:
        compile(
            {
                "format": 1,
                "nodes": [
                    {"id": "words", "type": "user_prompt", "settings": {"text": "hello"}},
                    {"id": "part", "type": "condition", "settings": {"cases": cases}},
                ],
                "edges": [{"from": "words.output", "to": "part.value"}],
            },
            CATALOG,
        )
    return refused.value.problems


@pytest.mark.parametrize(
    ("test", "value", "said", "expected"),
    [
        ("is", "red", " Red ", True),
        ("is not", "red", "blue", True),
        ("contains", "big", "a BIG cat", True),
        ("does not contain", "dog", "a cat", True),
        ("starts with", "he", "Hello", True),
        ("ends with", "lo", "Hello", True),
        ("ends with", "he", "Hello", False),
        ("matches", r"^\d{4}-\d{2}$", "2026-11", True),
        ("matches", r"^\d{4}-\d{2}$", "2026-1", False),
        ("matches", "HELLO", "say hello", True),
        ("does not match", "o$", "hello", False),
        ("is empty", "", "  ", True),
        ("is not empty", "", "", False),
    ],
)
async def test_text_rules(test, value, said, expected):
    assert await is_met(rule("text", test, value), said) is expected


@pytest.mark.parametrize(
    ("test", "value", "said", "expected"),
    [
        ("equals", "3", 3.0, True),
        ("does not equal", "3", "3,5", True),
        ("is more than", "3", "3.5", True),
        ("is at least", "3", 3, True),
        ("is less than", "-1", -2, True),
        ("is at most", "3", 4, False),
    ],
)
async def test_number_rules(test, value, said, expected):
    assert await is_met(rule("number", test, value), said) is expected


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
    found = [await is_met(rule("number", test, "3"), said) for said in (2.9, 3, "3,1")]
    assert found == [below, equal, above]


@pytest.mark.parametrize(
    ("test", "fewer", "equal", "more"),
    [
        ("has exactly", False, True, False),
        ("has at least", True, True, False),
        ("has at most", False, True, True),
    ],
)
async def test_length_of_a_list_is_compared(test, fewer, equal, more):
    found = [await is_met(rule("list", test, count), items=["a", "b"]) for count in ("1", "2", "3")]
    assert found == [fewer, equal, more]


@pytest.mark.parametrize("said", ["inf", "-inf", "nan", "1,000.5", "1,2,3", ""])
async def test_text_that_is_no_finite_number_is_an_error(said):
    with pytest.raises(NodeError, match="is not a number"):
        await condition(value=said, cases=[case(rule("number", "equals", "3"))])


async def test_items_that_are_not_plain_values_are_ignored():
    items = [{"a": 1}, None, [2], " Red ", 3.0, True]
    assert [
        await is_met(rule("list", "contains", value), items=items) for value in ("red", "3", "true", "none")
    ] == [True, True, True, False]
    assert not await is_met(rule("list", "contains", "red", match_case=True), items=["Red"])
    assert await is_met(rule("list", "contains", "Red", match_case=True), items=["Red "])


async def test_a_list_may_be_the_value_itself_or_missing():
    assert await is_met(rule("list", "has exactly", "2", field="a"), {"a": ["a", "b"]})
    assert await is_met(rule("list", "is empty", field="gone"), {"here": 1})
    assert await is_met(rule("list", "is empty"), ["a"], items=[])


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("a.0", "x"),
        ("a.1.b", "y"),
        (" a . 0 ", ""),
        ("a..0", "x"),
        ("a.2", ""),
        ("a.-1", ""),
        ("t.0", ""),
        ("t.b", ""),
        ("n", "3"),
    ],
)
async def test_a_field_is_a_path_of_names_and_positions(field, expected):
    data = {"a": ["x", {"b": "y"}], "t": "text", "n": 3}
    one = rule("text", "is", expected, field=field) if expected else rule("text", "is empty", field=field)
    assert await is_met(one, data)


async def test_a_report_may_be_the_value_and_have_no_checks():
    assert await is_met(rule("brand_check", "passed", "palette"), REPORT)
    report = {"passed": True, "checks": [], "tone": "loud"}
    assert await is_met(rule("brand_check", "was not checked", "tone"), report=report)
    assert await is_met(rule("brand_check", "passed"), report=report)
    with pytest.raises(NodeError):
        await is_met(rule("brand_check", "passed"), report={"passed": True})


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        ("contains", "RED", True),
        ("does not contain", "red", False),
        ("has exactly", "2", True),
        ("has at least", "3", False),
        ("has at most", "2", True),
        ("is empty", "", False),
        ("is not empty", "", True),
    ],
)
async def test_list_rules(test, value, expected):
    assert await is_met(rule("list", test, value), items=["red", "blue"]) is expected


@pytest.mark.parametrize(
    ("test", "check", "expected"),
    [
        ("passed", "", False),
        ("failed", "", True),
        ("passed", "palette", True),
        ("failed", "tone", True),
        ("failed", "logo", False),
        ("was not checked", "logo", True),
        ("was not checked", "names", True),
    ],
)
async def test_brand_check_rules(test, check, expected):
    assert await is_met(rule("brand_check", test, check), report=REPORT) is expected


async def test_rule_reads_a_field_of_data():
    data = {"scenes": [{"title": "Dawn"}, {"title": "Dusk"}]}
    assert await is_met(rule("text", "is", "dusk", field="scenes.1.title"), data)
    assert await is_met(rule("list", "has exactly", "2", field="scenes"), data)
    assert await is_met(rule("text", "is empty", field="scenes.9.title"), data)
    assert await is_met(rule("number", "equals", "3", field="n"), '{"n": 3}')


async def test_case_matters_when_the_rule_says_so():
    assert not await is_met(rule("text", "is", "red", match_case=True), "Red")
    assert not await is_met(rule("text", "matches", "red", match_case=True), "Red")


async def test_rules_are_joined_by_and_or_and_brackets():
    big, red, sale = (rule("text", "contains", word) for word in ("big", "red", "sale"))
    either = case(big, red, join="or")
    assert await taken([either], "a red car") == ["case_1"]
    assert await taken([case(big, red)], "a red car") == ["otherwise"]
    bracket = case(big, groups=[{"join": "or", "rules": [red, sale]}])
    assert await taken([bracket], "big sale") == ["case_1"]
    assert await taken([bracket], "big car") == ["otherwise"]
    assert await taken([bracket], "red sale") == ["otherwise"]


async def test_first_matching_case_sends_the_value_to_its_port():
    cases = [
        case(rule("text", "contains", "sale"), name="Sale", port="case_3"),
        case(rule("text", "contains", "big"), name="Big", port="case_1"),
    ]
    assert await taken(cases, "big sale") == ["case_3"]
    assert await taken(cases, "big") == ["case_1"]
    assert await taken(cases, "small") == ["otherwise"]


async def test_a_pattern_of_the_greatest_length_that_is_accepted_is_matched_in_any_case():
    assert await is_met(rule("text", "matches", "a" * 1000), "A" * 1000)


async def test_a_field_may_name_a_position_that_no_list_has():
    assert await is_met(rule("text", "is empty", field=f"scenes.{'9' * 5000}"), {"scenes": ["Dawn"]})


async def test_event_loop_runs_while_many_rules_read_a_long_text():
    turns = 0

    async def count():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    rules = [rule("text", "contains", f"z{number}") for number in range(50)]
    await condition(value="word " * 100_000, cases=[case(*rules, join="or")])
    counting.cancel()
    assert turns > 20


async def test_a_long_text_that_is_no_number_is_cut_in_the_message():
    with pytest.raises(NodeError) as refused:
        await condition(value="x" * 100_000, cases=[case(rule("number", "equals", "3"))])
    assert len(refused.value.message) < 200


async def test_a_hostile_pattern_takes_linear_time():
    started = time.process_time()
    assert not await is_met(rule("text", "matches", "^(a+)+$"), "a" * 50_000 + "b")
    assert time.process_time() - started < 2


async def test_only_the_taken_branch_runs():
    cases = [case(rule("text", "contains", "sale"), name="Sale", port="case_1")]
    plan = compile(
        {
            "format": 1,
            "nodes": [
                {"id": "words", "type": "user_prompt", "settings": {"text": "big sale"}},
                {"id": "part", "type": "condition", "settings": {"cases": cases}},
                {"id": "left", "type": "compose", "settings": {"template": "L {{x}}"}},
                {"id": "rest", "type": "compose", "settings": {"template": "O {{x}}"}},
                {"id": "meet", "type": "merge"},
            ],
            "edges": [
                {"from": "words.output", "to": "part.value"},
                {"from": "part.case_1", "to": "left.x"},
                {"from": "part.otherwise", "to": "rest.x"},
                {"from": "left.output", "to": "meet.first"},
                {"from": "rest.output", "to": "meet.second"},
            ],
        },
        CATALOG,
    )
    result = await execute(plan)
    assert result.outputs["meet.output"] == "L big sale"
    assert result.steps["rest"].status == "skipped"


def test_results_are_named_after_their_cases():
    cases = [case(rule("text", "contains", "sale"), name="Sale", port="case_2")]
    flow = {
        "format": 1,
        "nodes": [
            {"id": "words", "type": "user_prompt", "settings": {"text": "big sale"}},
            {"id": "part", "type": "condition", "settings": {"cases": cases}},
        ],
        "edges": [{"from": "words.output", "to": "part.value"}],
    }
    titles = {shown["port"]: shown["title"] for shown in compile(flow, CATALOG).results}
    assert titles == {"case_2": "Condition: Sale", "otherwise": "Condition: Otherwise"}


@pytest.mark.parametrize(
    ("cases", "setting", "words"),
    [
        ([case()], "cases[0].rules", "has no rules"),
        ([case(rule("text", "matches", "("))], "cases[0].rules[0].value", "regular expression"),
        ([case(rule("text", "matches", "(?=x)"))], "cases[0].rules[0].value", "look-around"),
        ([case(rule("number", "equals", "many"))], "cases[0].rules[0].value", "'many' is not a number"),
        (
            [case(rule("number", "equals"))],
            "cases[0].rules[0].value",
            "Rule 1 of the case 'Fits': it has no number.",
        ),
        ([case(rule("list", "has exactly"))], "cases[0].rules[0].value", "it has no number."),
        ([case(rule("text", "matches"))], "cases[0].rules[0].value", "it has no regular expression"),
        (
            [case(rule("text", "matches", "a" * 1001))],
            "cases[0].rules[0].value",
            "it is longer than 1,000 characters",
        ),
        ([case(rule("text", "contains"))], "cases[0].rules[0].value", "it has no value to compare with"),
        ([case(rule("text", "equals", "x"))], "cases[0].rules[0].test", "'equals' is not one of"),
        ([case(rule("brand_check", "passed", "smell"))], "cases[0].rules[0].value", "no check 'smell'"),
        ([case(rule("text", "is", "x"), port="case_9")], "cases[0].port", "case_9"),
        ([case(rule("text", "is", "x"), name=" ")], "cases[0].name", "has no name"),
        (
            [case(rule("text", "is", "x")), case(rule("text", "is", "y"), port="case_2")],
            "cases[1].name",
            "another case",
        ),
        (
            [case(rule("text", "is", "x")), case(rule("text", "is", "y"), name="Other")],
            "cases[1].port",
            "Case 2 has the port 'case_1'; each needs another of case_1 to case_8",
        ),
        (
            [case(rule("text", "is", "x"), groups=[{"join": "or", "rules": []}])],
            "cases[0].groups[0].rules",
            "There are no rules in group 1 of the case",
        ),
        (
            [case(rule("text", "is", "x"), groups=[{"join": "or", "rules": [rule("text", "matches", "(")]}])],
            "cases[0].groups[0].rules[0].value",
            "Rule 1 of group 1 of the case",
        ),
    ],
)
def test_a_condition_that_cannot_be_evaluated_is_refused_before_the_run(cases, setting, words):
    found = [problem for problem in problems_of(cases) if problem.node == "part"]
    assert [problem.setting for problem in found] == [setting]
    assert words in found[0].message


@pytest.mark.parametrize(
    ("one", "inputs", "code"),
    [
        (rule("number", "equals", "3"), {"value": "many"}, "not_a_number"),
        (rule("text", "is", "x"), {"value": {"a": 1}}, "not_comparable"),
        (rule("list", "is empty"), {"value": "x"}, "not_a_list"),
        (rule("brand_check", "passed"), {"value": "x"}, "not_a_report"),
    ],
)
async def test_values_that_cannot_be_compared_are_named(one, inputs, code):
    with pytest.raises(NodeError) as refused:
        await condition(**inputs, cases=[case(one)])
    assert refused.value.code == code
