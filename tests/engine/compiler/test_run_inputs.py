"""The inputs of a run: their form as a whole, and every input that is refused."""

from typing import Annotated, Any

import pytest

from impasto import Catalog, InputsInvalid, Json, Setting, Text, compile, node
from impasto.testing import flow_of, plan_of


@node(title="Brief")
async def brief(*, text: Annotated[str, Setting(input=True, max_length=5)] = "", tone: str = "dry") -> Text:
    return text


@node(title="Sizes")
async def sizes(*, value: Annotated[list[int], Setting(input=True)]) -> Json:
    return value


@node(title="Shout")
async def shout(text: Text, *, times: Annotated[int, Setting(ge=1, le=9)] = 1, mark: str = "!") -> Text:
    return text.upper() + mark * times


@node(title="Count")
async def count(items: Json) -> Text:
    return str(items)


TYPES = [brief, sizes, shout, count]


def plan(exposed: dict[str, Any] | None = None, **settings: Any) -> Any:
    document = flow_of(
        {"b": ("brief", settings), "n": "sizes", "s": "shout", "c": "count"},
        [("b.output", "s.text"), ("n.output", "c.items")],
    ).to_dict()
    if exposed:
        document["nodes"][2]["exposed"] = exposed
    return compile(document, Catalog(TYPES))


def problems_of(found: Any, inputs: Any) -> list[tuple[str, str, str | None, str | None]]:
    with pytest.raises(InputsInvalid) as raised:
        found.decode_inputs(inputs)
    return [(one.code, one.message, one.node, one.setting) for one in raised.value.problems]


def test_form_has_each_input_node_with_its_value_and_other_settings() -> None:
    inputs = plan(text="tea").inputs
    assert (inputs["type"], inputs["required"], inputs["additionalProperties"]) == ("object", ["n"], False)
    assert [*inputs["properties"]] == ["b", "n"]
    first = inputs["properties"]["b"]
    assert {name: first[name] for name in ("type", "maxLength", "default", "title")} == {
        "type": "string",
        "maxLength": 5,
        "default": "tea",
        "title": "Brief",
    }
    assert (first["x-node"], first["x-type"], first["x-settings"]) == ("brief", "Text", {"tone": "dry"})
    assert "default" not in inputs["properties"]["n"]
    assert inputs["properties"]["n"]["x-type"] == "list[Integer]"


def test_exposed_settings_follow_in_their_order() -> None:
    found = plan({"mark": {"order": 2, "label": "Mark"}, "times": {"order": 1, "maximum": 3}})
    form = found.inputs["properties"]
    assert [*form] == ["b", "n", "s.times", "s.mark"]
    times = form["s.times"]
    assert (times["x-node"], times["x-step"], times["x-group"], times["x-makes"]) == (
        "shout",
        "s",
        "Shout",
        "Text",
    )
    assert (times["minimum"], times["maximum"], times["default"], form["s.mark"]["title"]) == (
        1,
        3,
        1,
        "Mark",
    )
    unordered = plan({"mark": {}, "times": {"order": 1}})
    assert [*unordered.inputs["properties"]][2:] == ["s.times", "s.mark"]


def test_each_input_that_is_refused_is_a_problem_of_its_own() -> None:
    found = plan({"times": {"maximum": 3}})
    assert problems_of(found, {"ghost": 1, "b": "too long", "s.times": 4}) == [
        ("unknown_input", "This flow has no input 'ghost' (its inputs: b, n, s.times).", "ghost", None),
        ("bad_input", "The input 'Brief' must have a length of at most 5.", "b", "text"),
        ("bad_input", "The input 'Shout: Times' must be at most 3.", "s.times", "times"),
        ("required_input", "The input 'Sizes' is missing.", "n", "value"),
    ]
    assert problems_of(found, [1]) == [
        ("bad_input", "Inputs must be an object: a value for each node id.", None, None)
    ]


def test_inputs_are_copied_and_may_be_partial() -> None:
    found, given = plan(), [1, 2]
    decoded = found.decode_inputs({"n": given, "b": "tea"})
    given.append(3)
    assert decoded == {1: {"value": [1, 2]}, 0: {"text": "tea"}}
    assert found.decode_inputs({"b": "tea"}, partial=True) == {0: {"text": "tea"}}
    assert problems_of(found, None) == [("required_input", "The input 'Sizes' is missing.", "n", "value")]
    assert plan_of([shout], {}).inputs["properties"] == {}


def test_empty_input_that_nothing_reads_is_warned_about() -> None:
    edges = [("b.output", "s.text")]
    nodes = {"b": "brief", "c": "brief", "d": ("brief", {"text": "tea"}), "s": "shout"}
    warnings = plan_of(TYPES, nodes, edges).warnings
    assert [(one.code, one.message, one.node, one.setting, one.hint) for one in warnings] == [
        (
            "unused_input",
            "The input 'Brief' is empty, and nothing uses it: a run skips it.",
            "c",
            "text",
            "Connect it, or remove it.",
        )
    ]
    assert plan_of(TYPES, {"b": "brief", "c": "brief"}).warnings == []
