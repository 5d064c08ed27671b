"""Flows built by a program: values that no document can hold are problems."""

import pytest

from impasto import Catalog, Flow, FlowEdge, FlowInvalid, FlowNode, Json, compile, node


@node
async def keep(*, data: Json = None, more: Json = None) -> Json:
    return data


@pytest.mark.parametrize(
    ("value", "words"),
    [(object(), "something that is not JSON"), ("\ud800", "lone surrogate"), ([[]], None)],
)
def test_setting_without_a_json_form_is_a_problem(value, words):
    flow = Flow(nodes=[FlowNode(id="k", type="keep", settings={"more": 1, "data": value})])
    if words is None:
        assert compile(flow, Catalog([keep])).steps[0].settings["data"] == value
        return
    with pytest.raises(FlowInvalid, match=words) as raised:
        compile(flow, Catalog([keep]))
    [problem] = raised.value.problems
    assert (problem.code, problem.node, problem.setting) == ("bad_setting", "k", "data")


def test_setting_nested_too_deeply_is_a_problem():
    value = []
    for _ in range(3000):
        value = [value]
    with pytest.raises(FlowInvalid, match="nested too deeply"):
        compile(Flow(nodes=[FlowNode(id="k", type="keep", settings={"data": value})]), Catalog([keep]))


def test_editing_a_flow_does_not_change_its_plan():
    flow = Flow.parse(
        {"nodes": [{"id": "k", "type": "keep", "settings": {"data": {"list": [1]}, "more": 1}}]}
    )
    plan = compile(flow, Catalog([keep]))
    flow.node("k").settings["data"]["list"].append(2)
    flow.node("k").settings["more"] = 2
    assert plan.steps[0].settings == {"data": {"list": [1]}, "more": 1}


ALLOWED = [
    *((name, None) for name in ("title", "version", "result", "mode", "pin")),
    ("version", 5),
    ("nodes", []),
    ("edges", []),
]
PARTS = {
    "node": (
        "id", "type", "settings", "title", "version", "result", "exposed", "mode", "pin", "variables",
    ),
    "edge": ("source", "target"),
    "flow": ("nodes", "edges"),
}  # fmt: skip
FAULTS = {
    "node": "Node 2 of the flow must be a FlowNode whose id, type and title are text, whose settings are an "
    "object, whose version is an integer and whose result is true or false.",
    "edge": "Edge 2 of the flow must be a FlowEdge with text as its source and target.",
    "flow": "A flow's nodes and edges must be lists.",
}


@pytest.mark.parametrize(
    ("part", "name", "wrong"),
    [
        *(
            (part, name, wrong)
            for part, names in PARTS.items()
            for name in names
            for wrong in (None, 5, 1.5, [], (), b"x", object)
            if (name, wrong) not in ALLOWED
        ),
        ("node", "settings", {"text": "", 5: 1}),
        ("node", "exposed", {"text": 5}),
        ("node", "exposed", {"text": {"size": 5}}),
        ("node", "exposed", {"text": {"choices": []}}),
        ("node", "mode", "paused"),
        ("node", "pin", {}),
        ("node", "pin", {"outputs": {"output": {"type": "Text", "depth": 17, "value": 1}}}),
        ("node", "variables", {"text": 5}),
    ],
)
def test_wrong_types_in_a_flow_object_are_problems(part, name, wrong):
    changed, edge = FlowNode(id="b", type="take"), FlowEdge("a.output", "b.more")
    flow = Flow(nodes=[FlowNode(id="a", type="give"), changed], edges=[FlowEdge("a.output", "b.value"), edge])
    setattr({"node": changed, "edge": edge, "flow": flow}[part], name, wrong)
    with pytest.raises(FlowInvalid) as raised:
        flow.check()
    place = "b" if part == "node" and name != "id" else None
    assert [(each.code, each.message, each.node) for each in raised.value.problems] == [
        ("bad_document", FAULTS[part], place)
    ]


@pytest.mark.parametrize("part", ["nodes", "edges"])
def test_plain_data_in_a_flow_object_is_a_problem(part):
    flow = Flow(nodes=[FlowNode(id="a", type="give")], edges=[FlowEdge("a.output", "b.value")])
    getattr(flow, part).append({"id": "b", "type": "take", "from": "a.output", "to": "b.value"})
    with pytest.raises(FlowInvalid) as raised:
        flow.check()
    assert [each.message for each in raised.value.problems] == [FAULTS[part[:-1]]]


def test_subclasses_of_text_nodes_and_edges_are_allowed():
    class Name(str):
        __slots__ = ()

    class Edge(FlowEdge):
        __slots__ = ()

    nodes = [FlowNode(id=Name("a"), type=Name("give"), title=Name("A"), settings={})]
    Flow(nodes=nodes, edges=[Edge("a.output", "a.x"), FlowEdge(Name("a.output"), Name("a.y"))]).check()


def test_wrong_types_in_a_subflow_object_are_problems():
    @node(subflow="flow")
    def sub(*, flow: str = "") -> Json:
        """Runs another flow."""

    inner = Flow(nodes=[FlowNode(id=5, type="give")])  # type: ignore[arg-type]
    outer = Flow(nodes=[FlowNode(id="s", type="sub", settings={"flow": "inner"})])
    with pytest.raises(FlowInvalid, match="inside 's' is damaged: Node 1"):
        compile(outer, Catalog([sub]), flows={"inner": inner}.get)
