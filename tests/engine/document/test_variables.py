"""Variables in a flow document: what is read, written, compared and refused."""

from typing import Any

import pytest

from impasto import Flow, FlowInvalid, FlowVariable
from impasto.document.variables import MAX_DESCRIPTION_LENGTH, MAX_VALUE_LENGTH, MAX_VARIABLES


def document(*variables: Any, nodes: Any = (), **more: Any) -> dict[str, Any]:
    return {"format": 2, "nodes": list(nodes), "edges": [], "variables": list(variables), **more}


def variable(name: str = "tone", kind: str = "Text", value: Any = "dry", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "value": value, **more}


def problems_of(data: dict[str, Any]) -> list[str]:
    with pytest.raises(FlowInvalid) as caught:
        Flow.parse(data)
    return [problem.message for problem in caught.value.problems]


def test_variables_survive_reading_and_writing() -> None:
    data = document(
        variable("tone", description="How it sounds", choices=["dry", "warm"], later={"a": 1}),
        variable("accent", value="#c33", widget="colour"),
        variable("size", "Number", 2.5),
        variable("count", "Integer", 3),
        variable("loud", "Boolean", True),
        variable("größe", "Json", {"b": [1, None], "a": "x"}),
        nodes=[{"id": "a", "type": "say", "variables": {"text": "tone"}}],
    )
    flow = Flow.parse(data)
    assert flow.variables[0] == FlowVariable(
        name="tone", type="Text", value="dry", description="How it sounds", choices=["dry", "warm"],
        extra={"later": {"a": 1}},
    )  # fmt: skip
    assert Flow.loads(flow.dumps()) == flow
    assert flow.dumps() == Flow.loads(flow.dumps()).dumps()
    assert list(flow.to_dict()["variables"][5]["value"]) == ["a", "b"]


def test_only_documents_with_variables_have_the_format_that_older_versions_refuse() -> None:
    plain = {"nodes": [{"id": "a", "type": "say"}], "edges": []}
    assert Flow.parse({**plain, "format": 2}).to_dict()["format"] == 1
    assert "variables" not in Flow.parse(plain).to_dict()
    assert Flow.parse({**plain, "variables": [variable()]}).to_dict()["format"] == 2
    used = {**plain, "nodes": [{"id": "a", "type": "say", "variables": {"text": "tone"}}]}
    assert Flow.parse(used).to_dict()["format"] == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (3, "Variable 1 of the flow is not an object"),
        ({"type": "Text", "value": ""}, "has no 'name'"),
        ({"name": "a", "type": "Text"}, "has no 'value'"),
        (variable(""), "must have a name"),
        (variable("1st"), "must have a name"),
        (variable("a b"), "must have a name"),
        (variable("a.b"), "must have a name"),
        (variable("a\n"), "must have a name"),
        (variable("x" * 65), "at most 64"),
        (variable(kind="Image"), "unknown type"),
        (variable(kind="Number", value=True), "a value that is not a number"),
        (variable(kind="Integer", value=1.5), "a value that is not a whole number"),
        (variable(kind="Integer", value=2**60), "beyond 2^53"),
        (variable(kind="Boolean", value=1), "a value that is not true or false"),
        (variable(value=None), "a value that is not text"),
        (variable(value="x" * (MAX_VALUE_LENGTH + 1)), "longer than 20,000"),
        (variable(kind="Json", value=["x"] * MAX_VALUE_LENGTH), "longer than 20,000"),
        (variable(kind="Json", value={"a": [{"$type": "Image", "asset_id": "x"}]}), "holds a file"),
        (variable(description=3), "description"),
        (variable(description="x" * (MAX_DESCRIPTION_LENGTH + 1)), "description"),
        (variable(choices=[]), "list of 1 to 100"),
        (variable(choices=["warm"]), "none of its choices"),
        (variable(kind="Number", value=1, choices=["1"]), "which only text has"),
        (variable(widget="slider"), "widget"),
        (variable(kind="Number", value=1, widget="colour"), "widget"),
    ],
)
def test_wrong_variables_are_refused(wrong: Any, words: str) -> None:
    assert any(words in message for message in problems_of(document(wrong)))


def test_a_deeply_nested_value_is_refused() -> None:
    value: Any = 1
    for _ in range(60):
        value = [value]
    assert "deeper" in problems_of(document(variable(kind="Json", value=value)))[0]


def test_names_are_unique_and_their_number_is_limited() -> None:
    assert problems_of(document(variable(), variable())) == [
        "Two variables of the flow are called 'tone'. Rename one."
    ]
    full = [variable(f"v{number}") for number in range(MAX_VARIABLES)]
    assert len(Flow.parse(document(*full)).variables) == MAX_VARIABLES
    assert "the limit is 100" in problems_of(document(*full, variable()))[0]
    assert problems_of({"nodes": [], "edges": [], "variables": {"a": 1}}) == [
        "The flow's variables must be a list."
    ]


@pytest.mark.parametrize("wrong", [[], {"text": 3}, "tone"])
def test_a_node_names_variables_by_setting(wrong: Any) -> None:
    found = problems_of(document(nodes=[{"id": "a", "type": "say", "variables": wrong}]))
    assert found == ["Node 1 of the flow ('a') has variables that are not names by setting."]


def test_variables_that_a_program_made_are_checked() -> None:
    wrong = Flow(variables=[FlowVariable(name="a b", type="Text", value="")])
    with pytest.raises(FlowInvalid, match="must have a name"):
        wrong.check()
    with pytest.raises(FlowInvalid, match="list of FlowVariable"):
        Flow(variables=[{"name": "a"}]).check()  # type: ignore[list-item]
    Flow(variables=[FlowVariable(name="a", type="Text", value="")]).check()


def test_differences_name_variables() -> None:
    before = Flow.parse(document(variable("a"), variable("b"), variable("c", "Integer", 1)))
    after = Flow.parse(document(variable("c", "Number", 1.0), variable("b"), variable("d")))
    assert before.diff(after)["variables"] == {
        "added": ["d"],
        "removed": ["a"],
        "changed": [
            {"name": "c", "before": variable("c", "Integer", 1), "after": variable("c", "Number", 1.0)}
        ],
    }
    assert before.diff(before)["variables"] == {"added": [], "removed": [], "changed": []}


def test_differences_name_settings_that_variables_set() -> None:
    before = Flow.parse(document(nodes=[{"id": "a", "type": "say"}]))
    after = Flow.parse(document(nodes=[{"id": "a", "type": "say", "variables": {"text": "tone"}}]))
    assert before.diff(after)["nodes"]["changed"] == [
        {"id": "a", "settings": [], "variables": {"before": {}, "after": {"text": "tone"}}}
    ]
