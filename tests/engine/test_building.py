import pytest

from impasto import Catalog, Flow, FlowInvalid, FlowNode, Json, compile, node


@node
async def keep(*, data: Json = None, more: Json = None) -> Json:
    return data


@pytest.mark.parametrize(
    ("value", "words"),
    [(object(), "something that is not JSON"), ("\ud800", "lone surrogate"), ([[]], None)],
)
def test_a_setting_that_a_program_gave_and_json_cannot_hold_is_a_problem(value, words):
    flow = Flow(nodes=[FlowNode("k", "keep", settings={"more": 1, "data": value})])
    if words is None:
        assert compile(flow, Catalog([keep])).steps[0].settings["data"] == value
        return
    with pytest.raises(FlowInvalid, match=words) as raised:
        compile(flow, Catalog([keep]))
    [problem] = raised.value.problems
    assert (problem.code, problem.node, problem.setting) == ("bad_setting", "k", "data")


def test_a_setting_nested_too_deeply_is_a_problem():
    value = []
    for _ in range(3000):
        value = [value]
    with pytest.raises(FlowInvalid, match="nested too deeply"):
        compile(Flow(nodes=[FlowNode("k", "keep", settings={"data": value})]), Catalog([keep]))


def test_a_plan_stays_as_it_is_when_its_flow_is_edited():
    flow = Flow.parse(
        {"nodes": [{"id": "k", "type": "keep", "settings": {"data": {"list": [1]}, "more": 1}}]}
    )
    plan = compile(flow, Catalog([keep]))
    flow.node("k").settings["data"]["list"].append(2)
    flow.node("k").settings["more"] = 2
    assert plan.steps[0].settings == {"data": {"list": [1]}, "more": 1}
