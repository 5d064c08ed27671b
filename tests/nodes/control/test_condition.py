"""The node Condition: which case a value takes, and the cases that are refused before a run."""

import asyncio
import time

import pytest

from impasto import Catalog, FlowInvalid, NodeError, compile, execute
from impasto.testing import run_node
from impasto_nodes.control import condition, merge
from impasto_nodes.control.rules import TESTS
from impasto_nodes.inputs import user_prompt
from impasto_nodes.transform import compose

pytestmark = pytest.mark.anyio
CATALOG = Catalog([condition, merge, compose, user_prompt])


def rule(kind, test, value="", **more):
    return {"kind": kind, "test": test, "value": value, **more}


def case(*rules, name="Fits", port="case_1", join="and", groups=()):
    return {"name": name, "port": port, "join": join, "rules": list(rules), "groups": list(groups)}


async def taken(cases, value="x", **inputs):
    done = await run_node(condition, {"value": value, **inputs}, {"cases": cases})
    return list(done.outputs)


async def is_met(one, value="x", **inputs):
    return await taken([case(one)], value, **inputs) == ["case_1"]


def flow_with(cases):
    return {
        "format": 1,
        "nodes": [
            {"id": "words", "type": "user_prompt", "settings": {"text": "big sale"}},
            {"id": "part", "type": "condition", "settings": {"cases": cases}},
        ],
        "edges": [{"from": "words.output", "to": "part.value"}],
    }


def problems_of(cases):
    with pytest.raises(FlowInvalid) as refused:
        compile(flow_with(cases), CATALOG)
    return refused.value.problems


async def test_rules_are_joined_by_and_or_and_brackets():
    big, red, sale = (rule("text", "contains", word) for word in ("big", "red", "sale"))
    either = case(big, red, join="or")
    assert await taken([either], "a red car") == ["case_1"]
    assert await taken([case(big, red)], "a red car") == ["otherwise"]
    bracket = case(big, groups=[{"join": "or", "rules": [red, sale]}])
    assert await taken([bracket], "big sale") == ["case_1"]
    assert await taken([bracket], "big car") == ["otherwise"]
    assert await taken([bracket], "red sale") == ["otherwise"]
    both = {"join": "and", "rules": [red, sale]}
    assert await taken([case(big, join="or", groups=[both])], "red sale") == ["case_1"]
    assert await taken([case(big, join="or", groups=[both])], "red") == ["otherwise"]
    alone = {"name": "Red sale", "port": "case_2", "rules": [], "groups": [both]}
    assert await taken([alone], "red sale") == ["case_2"]
    assert await taken([alone], "red") == ["otherwise"]
    unstated = {"name": "Big and red", "port": "case_2", "rules": [big, red]}
    assert await taken([unstated], "big red") == ["case_2"]
    assert await taken([unstated], "red") == ["otherwise"]


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
    titles = {shown["port"]: shown["title"] for shown in compile(flow_with(cases), CATALOG).results}
    assert titles == {"case_2": "Condition: Sale", "otherwise": "Condition: Otherwise"}


WORD = rule("text", "is", "x")
FIELDS = "Give each case a name of its own."


def in_group(*rules):
    return case(WORD, groups=[{"join": "or", "rules": [WORD]}, {"join": "or", "rules": list(rules)}])


@pytest.mark.parametrize(
    ("cases", "setting", "message", "hint"),
    [
        (
            [case(WORD), case(name="Other", port="case_8")],
            "cases[1].rules",
            "The case 'Other' has no rules.",
            "Add a rule, or remove the case.",
        ),
        (
            [case(WORD, port="case_9")],
            "cases[0].port",
            "Case 1 has the port 'case_9'; each needs another of case_1 to case_8.",
            "Change its port.",
        ),
        (
            [case(WORD), case(WORD, name="Other")],
            "cases[1].port",
            "Case 2 has the port 'case_1'; each needs another of case_1 to case_8.",
            "Change its port.",
        ),
        ([case(WORD, name=" ")], "cases[0].name", "Case 1 has no name.", FIELDS),
        (
            [case(WORD), case(WORD, name=" FITS ", port="case_2")],
            "cases[1].name",
            "Case 2 has the name 'FITS', as another case does.",
            FIELDS,
        ),
        (
            [in_group()],
            "cases[0].groups[1].rules",
            "There are no rules in group 2 of the case 'Fits'.",
            "Add a rule, or remove the group.",
        ),
        (
            [in_group(WORD, rule("text", "matches", "("))],
            "cases[0].groups[1].rules[1].value",
            "Rule 2 of group 2 of the case 'Fits': the regular expression is not supported: "
            "it is malformed, too large, or uses look-around or back-references.",
            "Correct the rule.",
        ),
    ],
    ids=["no rules", "unknown port", "port twice", "no name", "name twice", "empty group", "bad rule"],
)
async def test_a_condition_that_cannot_be_evaluated_is_refused_before_the_run(cases, setting, message, hint):
    [found] = [problem for problem in problems_of(cases) if problem.node == "part"]
    assert (found.code, found.severity) == ("bad_condition", "error")
    assert (found.setting, found.message, found.hint) == (setting, message, hint)
    with pytest.raises(NodeError) as refused:
        await condition(value="x", cases=cases)
    assert (refused.value.code, refused.value.message) == ("bad_condition", message)


def test_a_case_without_name_and_rules_has_both_problems():
    found = [(problem.setting, problem.message) for problem in problems_of([case(name="")])]
    assert found == [
        ("cases[0].name", "Case 1 has no name."),
        ("cases[0].rules", "The case 'Case 1' has no rules."),
    ]


@pytest.mark.parametrize(
    ("one", "part", "why"),
    [
        (
            rule("text", "matches", "(?=x)"),
            "value",
            "the regular expression is not supported: "
            "it is malformed, too large, or uses look-around or back-references",
        ),
        (
            rule("text", "matches", r"\w{1000}"),
            "value",
            "the regular expression is not supported: "
            "it is malformed, too large, or uses look-around or back-references",
        ),
        (
            rule("text", "matches", "a" * 1001),
            "value",
            "the regular expression is not supported: it is longer than 1,000 characters",
        ),
        (rule("text", "matches"), "value", "it has no regular expression"),
        (rule("number", "equals", "many"), "value", "'many' is not a number"),
        (rule("number", "equals", " "), "value", "it has no number"),
        ({"kind": "number", "test": "equals"}, "value", "it has no number"),
        (rule("list", "has exactly"), "value", "it has no number"),
        (rule("list", "has at least", "few"), "value", "'few' is not a number"),
        (rule("text", "contains"), "value", "it has no value to compare with"),
        ({"kind": "list", "test": "contains"}, "value", "it has no value to compare with"),
        (
            rule("list", "was not checked"),
            "test",
            f"'was not checked' is not one of {', '.join(TESTS['list'])}",
        ),
        (
            rule("brand_check", "passed", "smell"),
            "value",
            "there is no check 'smell', only palette, contrast, logo, fonts, words, names, tone",
        ),
    ],
)
def test_a_rule_that_cannot_be_evaluated_says_why(one, part, why):
    found = [(problem.setting, problem.message) for problem in problems_of([case(one)])]
    assert found == [(f"cases[0].rules[0].{part}", f"Rule 1 of the case 'Fits': {why}.")]


def test_a_pattern_may_be_larger_if_case_matters():
    compile(flow_with([case(rule("text", "matches", "x{5000}", match_case=True))]), CATALOG)
    for options, pattern in (({}, "x{5000}"), ({"match_case": True}, "x{9000}")):
        [problem] = problems_of([case(rule("text", "matches", pattern, **options))])
        assert "too large" in problem.message


@pytest.mark.parametrize(("rules", "groups"), [(50, 20), (51, 20), (50, 21)])
def test_a_case_has_at_most_50_rules_and_20_groups_of_50(rules, groups):
    listed = [WORD] * rules
    cases = [case(*listed, groups=[{"join": "or", "rules": listed}] * groups)]
    flow = flow_with(cases)
    if (rules, groups) == (50, 20):
        compile(flow, CATALOG)
    else:
        assert problems_of(cases)
