"""Variables of a flow: what their problems say, how much they may add, and what is left as it is."""

from dataclasses import replace
from typing import Annotated, Any

import pytest
from tests.engine.compiler.test_variables import CATALOG, compiled, document, problems_of, repeat, variable

from impasto import Catalog, Flow, FlowInvalid, Setting, Text, bind_variables, compile, node
from impasto.compiler.variables import MAX_ADDED_CHARACTERS, VariableBinder


def test_problems_of_variables_say_what_to_do() -> None:
    nodes = [
        {"id": "r", "type": "repeat", "variables": {"times": "cuont"}},
        {"id": "s", "type": "repeat", "variables": {"times": "zzz"}},
        {"id": "g", "type": "agent", "variables": {"flow": "count", "version": "count"}},
        {"id": "t", "type": "repeat", "variables": {"inputs.x": "count"}},
    ]
    with pytest.raises(FlowInvalid) as caught:
        compiled(*nodes, variables=[variable("count", 4, "Integer"), variable("tone", "dry")])
    found = [(each.code, each.message, each.node, each.setting, each.hint) for each in caught.value.problems]
    missing = "which the flow does not have."
    choose = ("A variable cannot choose the flow that node 'g' runs.", "g")
    assert found == [
        (
            "unknown_variable",
            f"The setting 'times' of node 'r' is set to the variable 'cuont', {missing}",
            "r",
            "times",
            "Did you mean 'count'?",
        ),
        (
            "unknown_variable",
            f"The setting 'times' of node 's' is set to the variable 'zzz', {missing}",
            "s",
            "times",
            "It has: count, tone.",
        ),
        ("wrong_variable", *choose, "flow", "Choose the flow in the setting itself."),
        ("wrong_variable", *choose, "version", "Choose the flow in the setting itself."),
        (
            "bad_setting",
            "Node 'g' runs another flow: choose which.",
            "g",
            "flow",
            "Choose the flow that this node runs.",
        ),
        (
            "unknown_setting",
            "Node 't' (Repeat) has no setting 'inputs.x'.",
            "t",
            "inputs.x",
            "It has: times, mood.",
        ),
    ]


@pytest.mark.parametrize(
    ("uses", "codes"), [(200, []), (201, [("too_large", "n200", "text")])], ids=["all of it", "too much"]
)
def test_variables_add_at_most_four_million_characters(uses: int, codes: list[Any]) -> None:
    nodes = [{"id": f"n{at}", "type": "ask", "variables": {"text": "v"}} for at in range(uses)]
    data = document(*nodes, variables=[variable("v", "x" * 20_000)])
    try:
        problems = compile(data, CATALOG).warnings
    except FlowInvalid as error:
        problems = error.problems
    assert [(each.code, each.node, each.setting) for each in problems if each.severity == "error"] == codes
    for each in problems if codes else ():
        assert each.message == "The variables add more than 4,000,000 characters to this flow."
        assert each.hint == "Shorten their values, or use them in fewer places."


def test_each_node_says_once_that_variables_add_too_much() -> None:
    node = {"id": "r", "type": "repeat", "settings": {}, "variables": {"mood": "v", "times": "v"}}
    big = {"id": "b", "type": "fill", "settings": {"template": "{{v}}" * 200}}
    found = problems_of(big, node, {**node, "id": "q"}, variables=[variable("v", "x" * 20_000)])
    assert [each for each in found if each[0] == "too_large"] == [
        ("too_large", "r", "mood"),
        ("too_large", "q", "mood"),
    ]


@pytest.mark.parametrize(
    ("value", "kind", "size"),
    [("é" * 20_000, "Text", 20_000), (["x" * 19_996], "Json", 20_000), (10, "Integer", 2)],
    ids=["text", "data", "number"],
)
def test_a_variable_counts_with_its_characters_or_its_json(value: Any, kind: str, size: int) -> None:
    binder = VariableBinder(CATALOG)
    binder.add(MAX_ADDED_CHARACTERS - size)
    made = Flow.parse(
        document(
            {"id": "a", "type": "ask", "variables": {"text": "v"}}, variables=[variable("v", value, kind)]
        )
    )
    assert binder.bind(made).nodes[0].settings == {"text": value}
    assert binder.problems == []
    assert binder.bind(made).nodes[0].settings == {}
    assert [problem.code for _, problem in binder.problems] == ["too_large"]


def test_a_flow_whose_nodes_use_no_variables_stays_as_it_is() -> None:
    plain = Flow.parse(document({"id": "a", "type": "ask", "settings": {"text": "{{v}}"}}))
    assert bind_variables(plain, CATALOG) is plain
    named = replace(plain, variables=Flow.parse(document(variables=[variable("w", "x")])).variables)
    bound = bind_variables(named, CATALOG)
    assert bound == named
    assert bound.nodes[0] is named.nodes[0]


def test_only_texts_are_templates() -> None:
    @node
    async def listed(*, texts: Annotated[list[str], Setting(input=True)] = []) -> Text: ...  # noqa: B006

    @node
    async def numbered(*, size: Annotated[int, Setting(input=True)] = 1, text: str = "") -> Text: ...

    nodes = [
        {"id": "l", "type": "listed", "settings": {"texts": ["{{v}}"]}},
        {"id": "n", "type": "numbered", "settings": {"text": "{{v}}"}},
        {"id": "r", "type": "repeat", "settings": {"mood": "{{v}}"}},
        {"id": "x", "type": "unknown", "settings": {"text": "{{v}}"}},
    ]
    flow = Flow.parse(document(*nodes, variables=[variable("v", "filled")]))
    bound = bind_variables(flow, Catalog([listed, numbered, repeat]))
    assert [each.settings for each in bound.nodes] == [each["settings"] for each in nodes]


@pytest.mark.parametrize(
    ("kind", "setting", "value"),
    [("ask", "text", "{{a}} {b}"), ("repeat", "mood", "{{a}}"), ("fill", "template", 5)],
    ids=["input", "setting", "number for a template"],
)
def test_values_with_braces_stay_as_they_are_where_nothing_parses_them(
    kind: str, setting: str, value: Any
) -> None:
    use = {"id": "x", "type": kind, "variables": {setting: "v"}}
    of_type = "Text" if isinstance(value, str) else "Integer"
    flow = Flow.parse(document(use, variables=[variable("v", value, of_type)]))
    assert bind_variables(flow, CATALOG).nodes[0].settings == {setting: value}
