"""Variables in a flow document: what is read, written, compared and refused."""

import math
from typing import Any

import pytest

from impasto import Flow, FlowInvalid, FlowVariable
from impasto.document.variables import MAX_VARIABLES


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


NAME = (
    "must have a name of letters, digits and underscores that starts with a letter from A to Z or an "
    "underscore, at most 64 long"
)
KIND = "('tone') has an unknown type (it may be Text, Number, Integer, Boolean, Json)"
LONG = "('tone') has a value longer than 20,000 characters"
FILE = "('tone') holds a file or a brand, which a variable cannot"
DEEP = "('tone') has a value nested deeper than 32 levels"
DESCRIPTION = "('tone') must have text of at most 500 characters as its description"
CHOICES = "('tone') must have a list of 1 to 100 texts as its choices"
NO_CHOICE = "('tone') has a value that is none of its choices"
WIDGET = "('tone') has a widget that is not 'colour', or is not text"


def nested(levels: int, inside: Any = 1, *, lists: bool = True) -> Any:
    for _ in range(levels):
        inside = [inside] if lists else {"in": inside}
    return inside


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (3, "is not an object"),
        ({"type": "Text", "value": ""}, "has no 'name'"),
        ({"name": "a", "value": ""}, "has no 'type'"),
        ({"name": "a", "type": "Text"}, "has no 'value'"),
        (variable(3), NAME),
        (variable(""), NAME),
        (variable("1st"), NAME),
        (variable("a b"), NAME),
        (variable("a.b"), NAME),
        (variable("a\n"), NAME),
        (variable("x" * 65), NAME),
        (variable(kind="Image"), KIND),
        (variable(kind=["Text"]), KIND),
        (variable(kind="Number", value=True), "('tone') has a value that is not a number"),
        (variable(kind="Number", value="1"), "('tone') has a value that is not a number"),
        (variable(kind="Integer", value=1.5), "('tone') has a value that is not a whole number"),
        (variable(kind="Integer", value=False), "('tone') has a value that is not a whole number"),
        (variable(kind="Integer", value=2**53 + 1), "('tone') has a number beyond 2^53"),
        (variable(kind="Number", value=-(2**53) - 1), "('tone') has a number beyond 2^53"),
        (variable(kind="Boolean", value=1), "('tone') has a value that is not true or false"),
        (variable(value=None), "('tone') has a value that is not text"),
        (variable(value="x" * 20_001), LONG),
        (variable(kind="Json", value=["ü" * 19_997]), LONG),
        (variable(kind="Json", value={"a": [{"$type": "Image", "asset_id": "x"}]}), FILE),
        (variable(kind="Json", value=nested(33)), DEEP),
        (variable(kind="Json", value=nested(33, lists=False)), DEEP),
        (variable(description=3), DESCRIPTION),
        (variable(description="x" * 501), DESCRIPTION),
        (variable(choices=[]), CHOICES),
        (variable(choices={"dry": 1}), CHOICES),
        (variable(choices=["dry", 3]), CHOICES),
        (variable(choices=["dry", "x" * 501]), CHOICES),
        (variable(choices=["dry"] * 101), CHOICES),
        (variable(choices=["warm"]), NO_CHOICE),
        (variable(kind="Number", value=1, choices=["1"]), "('tone') has choices, which only text has"),
        (variable(widget="slider"), WIDGET),
        (variable(kind="Number", value=1, widget="colour"), WIDGET),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else repr(value)[:60],
)
def test_wrong_variables_are_refused(wrong: Any, why: str) -> None:
    assert problems_of(document(variable("good"), wrong)) == [f"Variable 2 of the flow {why}."]


def test_variables_at_their_limits_are_read_and_written() -> None:
    listed = [
        variable("x" * 64),
        variable("_1", "Number", 2**53),
        variable("a", "Integer", -(2**53)),
        variable("b", value="x" * 20_000),
        variable("c", "Json", ["ü" * 19_996]),
        variable("d", "Json", nested(32)),
        variable("e", "Json", nested(32, lists=False)),
        variable("f", description="x" * 500),
        variable("g", choices=["dry"] + ["x" * 500] * 99),
        variable("h", choices=["dry"]),
        variable("i", widget="colour"),
        variable("j", "Json", {}),
        variable("k", "Json", None),
        variable("l", "Number", 0.5),
    ]
    given = [*listed, variable("m", description=None, choices=None, widget=None, extra={"z": 1, "y": 2})]
    flow = Flow.parse(document(*given))
    assert [each.to_dict() for each in flow.variables] == [*listed, variable("m", extra={"y": 2, "z": 1})]
    assert [*flow.variables[-1].to_dict()["extra"]] == ["y", "z"]


def test_data_of_a_variable_is_its_own() -> None:
    value: Any = {"a": [1]}
    (read,) = Flow.parse(document(variable(kind="Json", value=value))).variables
    read.value["a"].append(2)
    assert value == {"a": [1]}


def test_names_are_unique_and_their_number_is_limited() -> None:
    assert problems_of(document(variable(), variable())) == [
        "Two variables of the flow are called 'tone'. Rename one."
    ]
    full = [variable(f"v{number}") for number in range(MAX_VARIABLES)]
    assert len(Flow.parse(document(*full)).variables) == MAX_VARIABLES
    assert problems_of(document(*full, variable())) == [
        "This flow has 101 variables; the limit is 100. Remove some."
    ]
    assert problems_of({"nodes": [], "edges": [], "variables": {"a": 1}}) == [
        "The flow's variables must be a list."
    ]


@pytest.mark.parametrize("wrong", [[], {"text": 3}, "tone"])
def test_a_node_names_variables_by_setting(wrong: Any) -> None:
    found = problems_of(document(nodes=[{"id": "a", "type": "say", "variables": wrong}]))
    assert found == ["Node 1 of the flow ('a') has variables that are not names by setting."]


def checked(*variables: Any) -> list[str]:
    """Return what is wrong with the variables that a program has set."""
    try:
        Flow(variables=list(variables)).check()
    except FlowInvalid as error:
        return [problem.message for problem in error.problems]
    return []


def test_variables_that_a_program_made_are_checked() -> None:
    def made(name: str = "a", kind: str = "Text", value: Any = "", **more: Any) -> FlowVariable:
        return FlowVariable(name=name, type=kind, value=value, **more)

    assert checked() == checked(made(), made("b", value="x", description="d", choices=["x"])) == []
    assert checked(made(), made("a b")) == [f"Variable 2 of the flow {NAME}."]
    assert checked(made(description="x" * 501)) == [
        "Variable 1 of the flow ('a') must have text of at most 500 characters as its description."
    ]
    assert checked(made(choices=["x"])) == [
        "Variable 1 of the flow ('a') has a value that is none of its choices."
    ]
    assert checked(made(widget="slider")) == [f"Variable 1 of the flow {WIDGET.replace('tone', 'a')}."]
    assert checked(made(kind="Number", value=math.inf)) == [
        "Variable 1 of the flow ('a') has a value that is not a number."
    ]
    for wrong in ([{"name": "a"}], [made(), None]):
        assert checked(*wrong) == ["A flow's variables must be a list of FlowVariable."]
    with pytest.raises(FlowInvalid, match="must be a list of FlowVariable"):
        Flow(variables=(made(),)).check()  # type: ignore[arg-type]


def test_differences_name_variables() -> None:
    same = [variable("b"), variable("e")]
    before = Flow.parse(document(variable("a"), *same, variable("c", "Integer", 1)))
    after = Flow.parse(
        document(variable("c", "Number", 1.0), variable("b", value="warm"), same[1], variable("d"))
    )
    assert before.diff(after)["variables"] == {
        "added": ["d"],
        "removed": ["a"],
        "changed": [
            {"name": "c", "before": variable("c", "Integer", 1), "after": variable("c", "Number", 1.0)},
            {"name": "b", "before": same[0], "after": variable("b", value="warm")},
        ],
    }
    assert before.diff(before)["variables"] == {"added": [], "removed": [], "changed": []}


def test_differences_name_settings_that_variables_set() -> None:
    before = Flow.parse(document(nodes=[{"id": "a", "type": "say"}]))
    after = Flow.parse(document(nodes=[{"id": "a", "type": "say", "variables": {"text": "tone"}}]))
    assert before.diff(after)["nodes"]["changed"] == [
        {"id": "a", "settings": [], "variables": {"before": {}, "after": {"text": "tone"}}}
    ]
