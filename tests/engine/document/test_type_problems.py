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


ALLOWED = [("title", None), ("version", None), ("result", None), ("version", 5), ("nodes", []), ("edges", [])]
PARTS = {
    "node": ("id", "type", "settings", "title", "version", "result"),
    "edge": ("source", "target"),
    "flow": ("nodes", "edges"),
}


@pytest.mark.parametrize(
    ("part", "name", "wrong"),
    [
        (part, name, wrong)
        for part, names in PARTS.items()
        for name in names
        for wrong in (None, 5, 1.5, [], (), b"x", object)
        if (name, wrong) not in ALLOWED
    ],
)
def test_wrong_types_in_a_flow_object_are_problems(part, name, wrong):
    node_a, edge = FlowNode(id="a", type="give"), FlowEdge("a.output", "b.value")
    flow = Flow(nodes=[node_a, FlowNode(id="b", type="take")], edges=[edge])
    setattr({"node": node_a, "edge": edge, "flow": flow}[part], name, wrong)

    @node
    async def give() -> Json:
        return 1

    @node
    async def take(value: Json) -> Json:
        return value

    with pytest.raises(FlowInvalid) as raised:
        compile(flow, Catalog([give, take]))
    assert {problem["code"] for problem in raised.value.problems} == {"bad_document"}


def test_wrong_types_in_a_subflow_object_are_problems():
    @node(subflow="flow")
    def sub(*, flow: str = "") -> Json:
        """Runs another flow."""

    inner = Flow(nodes=[FlowNode(id=5, type="give")])  # type: ignore[arg-type]
    outer = Flow(nodes=[FlowNode(id="s", type="sub", settings={"flow": "inner"})])
    with pytest.raises(FlowInvalid, match="inside 's' is damaged: Node 1"):
        compile(outer, Catalog([sub]), flows={"inner": inner}.get)
