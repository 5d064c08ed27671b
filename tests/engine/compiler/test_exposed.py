"""Settings that a flow offers to its launchers: schema, limits, runs, subflows."""

from typing import Annotated, Any

import pytest

from impasto import Catalog, Flow, FlowInvalid, InputsInvalid, Setting, Text, compile, execute, node


def refuse_loud(settings, configured):
    if settings["voice"] == "loud" and settings["count"] > 2:
        yield {"code": "too_loud", "message": "A loud voice speaks at most twice.", "hint": "Choose another."}


@node(check=refuse_loud, cost=lambda settings, inputs: settings["count"] * 0.5)
async def speak(
    text: Text = "",
    *,
    count: Annotated[int, Setting(ge=1, le=8, title="Number")] = 1,
    voice: str = "calm",
    on: bool = True,
) -> Text:
    return f"{voice} {text} {on} " * count


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node(subflow="flow")
def agent(*, flow: dict[str, Any], inputs: dict[str, Any] | None = None) -> None:
    """Run a flow."""


CATALOG = Catalog([speak, say, agent])


def flow_with(exposed: dict[str, Any], edges=(), **settings: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "name": "",
        "nodes": [
            {"id": "say", "type": "say"},
            {"id": "it", "type": "speak", "settings": settings, "exposed": exposed},
        ],
        "edges": [{"from": "say.output", "to": "it.text"}, *edges],
    }


LIMITED = {
    "count": {"label": "How often", "help": "More costs more.", "maximum": 3, "order": 2},
    "voice": {"choices": ["calm", "loud"], "order": 1},
}


def test_the_form_has_exposed_settings_after_the_inputs_in_their_order():
    properties = compile(flow_with(LIMITED, count=2), CATALOG).inputs["properties"]
    assert list(properties) == ["say", "it.voice", "it.count"]
    count = properties["it.count"]
    assert (count["minimum"], count["maximum"], count["default"]) == (1, 3, 2)
    assert (count["title"], count["description"], count["x-group"]) == (
        "How often",
        "More costs more.",
        "Speak",
    )
    assert properties["it.voice"]["enum"] == ["calm", "loud"]
    assert count["x-makes"] == "Text"


@pytest.mark.anyio
async def test_a_run_takes_the_value_of_an_exposed_setting():
    plan = compile(flow_with(LIMITED), CATALOG)
    result = await execute(plan, {"it.count": 2, "it.voice": "loud"})
    assert result.outputs["it.output"] == "loud hi True " * 2
    assert (await execute(plan)).outputs["it.output"] == "calm hi True "
    assert plan.estimate({"it.count": 3})["usd"] == 1.5


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"it.count": 4}, "The input 'Speak: How often' must be at most 3."),
        ({"it.count": "2"}, "The input 'Speak: How often' expected a whole number, got text."),
        ({"it.voice": "shrill"}, "The input 'Speak: Voice' must be one of calm, loud."),
        ({"it.on": False}, "This flow has no input 'it.on' (its inputs: say, it.voice, it.count)."),
        ({"it.voice": "loud", "it.count": 3}, "Speak: A loud voice speaks at most twice. Choose another."),
    ],
)
def test_what_the_author_did_not_allow_is_refused(inputs, message):
    with pytest.raises(InputsInvalid) as raised:
        compile(flow_with(LIMITED), CATALOG).decode_inputs(inputs)
    assert [problem.message for problem in raised.value.problems] == [message]


@pytest.mark.parametrize(
    ("exposed", "settings", "words"),
    [
        ({"pitch": {}}, {}, "cannot offer 'pitch' to launchers: it has no such setting"),
        (
            {"count": {"maximum": 3}},
            {"count": 5},
            "the setting 'count' of node 'it': must be at most 3",
        ),
        ({"count": {"minimum": 4, "maximum": 3}}, {}, "its limits allow no value"),
        ({"voice": {"minimum": 4}}, {}, "only numbers have a smallest and a largest value"),
        ({"count": {"choices": ["two"]}}, {}, "expected a whole number"),
    ],
)
def test_limits_that_do_not_fit_are_problems_of_the_flow(exposed, settings, words):
    with pytest.raises(FlowInvalid, match=words) as raised:
        compile(flow_with(exposed, **settings), CATALOG)
    assert [(problem.code, problem.node) for problem in raised.value.problems] == [("bad_exposed", "it")]


@pytest.mark.parametrize("exposed", [[], {"count": 3}, {"count": {"maximum": "3"}}, {"count": {"most": 3}}])
def test_a_document_with_malformed_limits_is_refused(exposed):
    with pytest.raises(FlowInvalid, match="expose"):
        Flow.parse(flow_with(exposed))


def test_the_document_keeps_what_is_exposed():
    flow = Flow.parse(flow_with(LIMITED))
    assert Flow.loads(flow.dumps()).nodes[1].exposed == LIMITED
    assert flow.diff(Flow.parse(flow_with({})))["nodes"]["changed"][0]["exposed"]["before"] == LIMITED


def test_a_connected_setting_is_not_an_input():
    plan = compile(flow_with({"voice": {}}, [{"from": "say.output", "to": "it.voice"}]), CATALOG)
    assert list(plan.inputs["properties"]) == ["say"]
    assert [problem.code for problem in plan.warnings] == ["connected_exposed"]


def test_an_edit_of_the_limits_changes_the_form():
    maxima = []
    for maximum in (3, 5, 3):
        plan = compile(flow_with({"count": {"maximum": maximum}}), CATALOG)
        maxima.append(plan.inputs["properties"]["it.count"]["maximum"])
    assert maxima == [3, 5, 3]


def nested(inputs: dict[str, Any], edges=()) -> dict[str, Any]:
    settings = {"flow": flow_with(LIMITED), "inputs": inputs}
    nodes = [{"id": "say", "type": "say"}, {"id": "inner", "type": "agent", "settings": settings}]
    return {"format": 1, "name": "", "nodes": nodes, "edges": list(edges)}


@pytest.mark.anyio
async def test_an_agent_node_sets_the_exposed_settings_of_its_flow():
    result = await execute(compile(nested({"it.count": 2}), CATALOG))
    assert result.outputs["inner/it.output"] == "calm hi True " * 2
    edge = {"from": "say.output", "to": "inner.it.voice"}
    wired = await execute(compile(nested({}, [edge]), CATALOG), {"say": "loud"})
    assert wired.outputs["inner/it.output"] == "loud hi True "


def test_an_agent_node_keeps_to_the_limits_of_its_flow():
    with pytest.raises(FlowInvalid, match=r"The input 'it.count' of node 'inner' must be at most 3"):
        compile(nested({"it.count": 4}), CATALOG)


@pytest.mark.anyio
async def test_a_connection_to_an_agent_node_keeps_to_the_limits_of_its_flow():
    edge = {"from": "say.output", "to": "inner.it.voice"}
    result = await execute(compile(nested({}, [edge]), CATALOG), {"say": "low"})
    error = result.steps["inner/it"].error
    assert error is not None
    assert "must be one of" in error.message
    assert "inner/it.output" not in result.outputs


def test_a_setting_that_is_connected_to_the_result_of_an_agent_is_not_an_input():
    inner = flow_with({})
    settings = {"flow": {**inner, "nodes": [{"id": "deep", "type": "agent", "settings": {"flow": inner}}]}}
    settings["flow"]["edges"] = []
    document = flow_with({"voice": {}, "count": {}}, [{"from": "other.deep", "to": "it.voice"}])
    document["nodes"].append({"id": "other", "type": "agent", "settings": settings})
    plan = compile(document, CATALOG)
    assert list(plan.inputs["properties"]) == ["say", "it.count"]
    assert [(each.code, each.setting) for each in plan.warnings] == [("connected_exposed", "voice")]


@pytest.mark.parametrize(
    ("own", "limits", "found"),
    [
        ({}, {}, {}),
        ({}, {"minimum": 2, "maximum": 5}, {"minimum": 2, "maximum": 5}),
        ({"ge": 1, "le": 8}, {}, {"minimum": 1, "maximum": 8}),
        ({"ge": 1, "le": 8}, {"minimum": 2, "maximum": 5}, {"minimum": 2, "maximum": 5}),
        ({"ge": 1, "le": 8}, {"minimum": 0, "maximum": 9}, {"minimum": 1, "maximum": 8}),
        ({"choices": [1, 2, 3]}, {"choices": [3, 1]}, {"enum": [3, 1]}),
        ({"choices": [1, 2, 3]}, {}, {"enum": [1, 2, 3]}),
        ({"title": "Own", "help": "Own help."}, {}, {"title": "Own", "description": "Own help."}),
        (
            {"title": "Own", "help": "Own help."},
            {"label": "New", "help": "New help."},
            {"title": "New", "description": "New help."},
        ),
        ({"title": "Own"}, {"label": "", "help": ""}, {"title": "Own"}),
    ],
    ids=str,
)
def test_limits_of_the_author_narrow_those_of_the_node_type(own, limits, found):
    async def count(*, size: int = 3) -> Text: ...

    count.__annotations__["size"] = Annotated[int, Setting(**own)]
    use = {"id": "c", "type": "count", "exposed": {"size": limits}}
    schema = compile({"nodes": [use]}, Catalog([node(count)])).inputs["properties"]["c.size"]
    shown = {key: schema.get(key) for key in ("title", "description", "minimum", "maximum", "enum")}
    assert {key: value for key, value in shown.items() if value is not None} == {"title": "Size"} | found


@node(variables="template")
async def fill(*, template: str = "", variables: dict[str, str]) -> Text:
    return template


def test_settings_that_cannot_be_offered_say_why():
    nodes = [
        {"id": "say", "type": "say", "exposed": {"text": {}}},
        {"id": "fill", "type": "fill", "exposed": {"template": {}}},
        {"id": "it", "type": "speak", "exposed": {"pitch": {}, "count": {"minimum": 2}}},
    ]
    with pytest.raises(FlowInvalid) as raised:
        compile({"nodes": nodes}, Catalog([say, fill, speak]))
    assert [(each.message, each.node, each.setting, each.hint) for each in raised.value.problems] == [
        ("Node 'say' cannot offer 'text' to launchers: it is an input already.", "say", "text", "Hide it."),
        (
            "Node 'fill' cannot offer 'template' to launchers: its placeholders are ports of the node.",
            "fill",
            "template",
            "Hide it.",
        ),
        ("Node 'it' cannot offer 'pitch' to launchers: it has no such setting.", "it", "pitch", "Hide it."),
        (
            "The limits for launchers do not fit the setting 'count' of node 'it': must be at least 2.",
            "it",
            "count",
            "Change the limits, or the value of the setting.",
        ),
    ]


def test_value_of_a_connected_setting_need_not_fit_the_limits():
    edge = {"from": "say.output", "to": "it.voice"}
    plan = compile(flow_with({"voice": {"choices": ["loud"]}}, [edge], voice="calm"), CATALOG)
    (warning,) = plan.warnings
    assert (warning.code, warning.message, warning.node, warning.setting, warning.hint, warning.severity) == (
        "connected_exposed",
        "Launchers cannot set 'voice' of node 'it', because it is connected.",
        "it",
        "voice",
        "Remove the connection, or hide the setting from launchers.",
        "warning",
    )


def test_inputs_are_not_refused_because_a_check_fails():
    def check(settings, configured):
        if settings["size"] > 1:
            raise RuntimeError("broken")

    @node(check=check)
    async def call(*, size: int = 1) -> Text: ...

    use = {"id": "c", "type": "call", "exposed": {"size": {}}}
    plan = compile({"nodes": [use]}, Catalog([call]))
    assert [plan.decode_inputs({"c.size": size}) for size in (1, 2)] == [{0: {"size": 1}}, {0: {"size": 2}}]
