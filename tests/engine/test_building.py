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
