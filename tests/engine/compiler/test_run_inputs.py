"""The inputs of a run: their form as a whole, and every input that is refused."""

from typing import Annotated, Any, NamedTuple

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


@node(title="Note")
async def note(
    *, text: str = "a", size: Annotated[int, Setting(ge=1)] = 2, raw: int | str = 1, on: bool = False
) -> None:
    """Make nothing."""


@node(subflow="flow")
def agent(*, flow: Any, inputs: Any = None) -> None:
    """Run a flow."""


def test_form_of_each_kind_of_input_is_complete() -> None:
    inner = flow_of({"i": "brief", "s": "shout"}, [("i.output", "s.text")]).to_dict()
    use = {"id": "u", "type": "agent", "title": "Inner", "settings": {"flow": inner}, "exposed": {"i": {}}}
    document = {
        "nodes": [
            {"id": "b", "type": "brief", "title": "Words", "settings": {"text": "tea", "tone": "wet"}},
            {"id": "n", "type": "note", "exposed": {"raw": {"label": "Data"}, "size": {"order": 1}}},
            use,
            {"id": "s", "type": "shout"},
        ],
        "edges": [{"from": "b.output", "to": "s.text"}],
    }
    found = compile(document, Catalog([*TYPES, note, agent]))
    properties = found.inputs["properties"]
    assert [*properties] == ["b", "n.size", "n.raw", "u.i"]
    for schema in properties.values():
        assert schema.pop("x-ui")["widget"] in ("text", "json", "number")
    assert properties == {
        "b": {
            "type": "string", "maxLength": 5, "title": "Words", "x-type": "Text", "default": "tea",
            "x-node": "brief", "x-settings": {"tone": "wet"},
        },
        "n.size": {
            "type": "integer", "minimum": 1, "default": 2, "title": "Size", "x-type": "Integer",
            "x-setting": "size", "x-node": "note", "x-step": "n", "x-group": "Note",
        },
        "n.raw": {
            "anyOf": [{"type": "integer"}, {"type": "string"}], "default": 1, "title": "Data",
            "x-setting": "raw", "x-node": "note", "x-step": "n", "x-group": "Note", "x-type": "Json",
        },
        "u.i": {
            "type": "string", "maxLength": 5, "default": "", "title": "Text", "x-type": "Text",
            "x-setting": "text", "x-node": "brief", "x-step": "u/i", "x-group": "Inner",
            "x-settings": {"tone": "dry"}, "x-makes": "Text",
        },
    }  # fmt: skip
    assert [(each.name, each.title, each.group) for each in found.run_inputs()] == [
        ("b", "Words", "Words"),
        ("n.size", "Note: Size", "Note"),
        ("n.raw", "Note: Data", "Note"),
        ("u.i", "Inner: Text", "Inner"),
    ]
    assert [step.id for step in found.input_steps()] == ["b"]


class Both(NamedTuple):
    first: Json
    second: Text


@pytest.mark.parametrize(
    ("annotation", "output", "kind"),
    [
        (str, Both, "Text"),
        (int | str, Both, "Json"),
        (int | str, Text, "Text"),
        (int | str, None, "Json"),
        (list[int], None, "list[Integer]"),
    ],
    ids=str,
)
def test_input_has_the_type_of_its_setting_or_of_what_it_gives(
    annotation: Any, output: Any, kind: str
) -> None:
    async def give(*, value) -> None: ...  # type: ignore[no-untyped-def]

    give.__annotations__ |= {"value": Annotated[annotation, Setting(input=True)], "return": output}
    assert plan_of([node(give)], {"g": "give"}).inputs["properties"]["g"]["x-type"] == kind


def test_offered_setting_names_the_first_output_of_its_node() -> None:
    @node
    async def cut(*, size: int = 1) -> Both: ...

    use = {"id": "c", "type": "cut", "exposed": {"size": {}}}
    schema = compile({"nodes": [use]}, Catalog([cut])).inputs["properties"]["c.size"]
    assert schema["x-makes"] == "Json"


@pytest.mark.parametrize(
    ("value", "is_unused"),
    [
        (None, True),
        ("", True),
        ([], True),
        ({}, True),
        (0, False),
        (False, False),
        ("a", False),
        ([0], False),
    ],
    ids=repr,
)
def test_input_that_no_step_reads_is_unused_while_it_is_empty(value: Any, is_unused: bool) -> None:
    @node(title="Data")
    async def data(*, value: Annotated[Any, Setting(input=True)] = None) -> Json: ...

    nodes = {"d": ("data", {"value": value}), "read": "data", "c": "count"}
    found = plan_of([data, count], nodes, [("read.output", "c.items")])
    assert [step.id for step in found.unused_inputs()] == (["d"] if is_unused else [])
    empty = plan_of([data, count], nodes | {"d": "data"}, [("read.output", "c.items")])
    given = empty.decode_inputs({"d": value})
    assert [step.id for step in empty.unused_inputs(given)] == (["d"] if is_unused else [])
    assert found.unused_inputs({0: {"value": "given"}}) == []


def test_only_inputs_that_are_used_are_required() -> None:
    nodes = {"m": "sizes", "n": "sizes", "c": "count"}
    found = plan_of(TYPES, nodes, [("n.output", "c.items")])
    assert found.inputs["required"] == ["n"]
    assert problems_of(found, {}) == [("required_input", "The input 'Sizes' is missing.", "n", "value")]
    assert found.decode_inputs({"n": [], "m": []}) == {0: {"value": []}, 1: {"value": []}}
    alone = plan_of(TYPES, {"m": "sizes"}, [])
    assert (alone.inputs["required"], alone.unused_inputs()) == (["m"], [])


def test_input_that_an_edge_drives_is_none() -> None:
    found = plan_of(TYPES, {"a": "brief", "b": "brief"}, [("a.output", "b.text")])
    assert [step.id for step in found.input_steps()] == ["a"]


def test_estimate_needs_no_inputs_but_refuses_wrong_ones() -> None:
    assert plan().estimate() == plan().estimate({"b": "tea"}) == {"usd": 0, "seconds": None}
    with pytest.raises(InputsInvalid, match="must have a length of at most 5"):
        plan().estimate({"b": "too long"})


def test_inputs_without_input_nodes_are_none() -> None:
    found = plan_of([note], {"n": "note"})
    assert (found.decode_inputs(None), found.decode_inputs({})) == ({}, {})
    assert problems_of(found, {"n": 1}) == [
        ("unknown_input", "This flow has no input 'n' (its inputs: none).", "n", None)
    ]


def test_input_node_goes_before_a_setting_of_the_same_name() -> None:
    document = flow_of({"s": "shout", "s.times": "brief"}, [("s.times.output", "s.text")]).to_dict()
    document["nodes"][0]["exposed"] = {"times": {}}
    assert compile(document, Catalog(TYPES)).decode_inputs({"s.times": "tea"}) == {1: {"text": "tea"}}


def test_own_check_of_a_node_type_sees_all_inputs_of_a_step_at_once() -> None:
    checked: list[Any] = []

    def check(settings: Any, configured: Any) -> Any:
        checked.append((settings, configured))
        yield {"code": "a", "message": "Too loud.", "hint": "Lower it."}
        yield {"code": "b", "message": "Odd.", "severity": "warning"}
        yield {"code": "c", "message": "Long."}

    @node(title="Play", check=check)
    async def play(*, volume: int = 1, speed: int = 1, key: str = "c") -> Text: ...

    use = {"id": "p", "type": "play", "exposed": {"volume": {}, "speed": {}}}
    found = compile({"nodes": [use]}, Catalog([play]), checks=False, configured=frozenset("k"))
    assert problems_of(found, {"p.volume": 2, "p.speed": 3}) == [
        ("bad_input", "Play: Too loud. Lower it.", "p.speed", "speed"),
        ("bad_input", "Play: Long.", "p.speed", "speed"),
    ]
    assert checked == [({"volume": 2, "speed": 3, "key": "c"}, {"k"})]
    assert found.decode_inputs({}) == {}
