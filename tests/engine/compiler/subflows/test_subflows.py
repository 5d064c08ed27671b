"""Flows as nodes of other flows."""

from typing import Annotated
from typing import Any as Anything

import pytest

from impasto import Catalog, FlowInvalid, Integer, MemoryCache, Problem, Setting, Text, compile, execute, node
from impasto.testing import flow_of

pytestmark = pytest.mark.anyio
calls: list[str] = []


@pytest.fixture(autouse=True)
def no_calls():
    calls.clear()


@node
async def say(*, text: Annotated[str, Setting(input=True)]) -> Text:
    return text


@node
async def shout(text: Text) -> Text:
    calls.append(text)
    return text.upper()


@node
async def count(text: Text) -> Integer:
    return len(text)


@node
async def lines(text: Text) -> list[Text]:
    return text.split()


@node
async def optional(text: Text = "") -> Text:
    return text


@node(subflow="flow")
async def inner(
    *, flow: Annotated[dict[str, Anything] | str, Setting()] = "", inputs: dict[str, Anything] | None = None
) -> None:
    raise AssertionError("a subflow is laid flat: its node never runs")


CATALOG = Catalog([say, shout, count, lines, optional, inner])
LOUD = flow_of(
    {"prompt": "say", "speak": "shout", "n": "count"},
    [("prompt.output", "speak.text"), ("prompt.output", "n.text")],
).to_dict()


def outer(flow: Anything = LOUD, edges: Anything = (), **more: Anything) -> Anything:
    return flow_of(
        {"p": "say", "teaser": ("inner", {"flow": flow}), **more}, [("p.output", "teaser.prompt"), *edges]
    )


async def test_flow_runs_as_a_node_and_its_steps_have_paths():
    plan = compile(outer(edges=[("teaser.speak", "again.text")], again="shout"), CATALOG)
    result = await execute(plan, {"p": "hi"})
    assert [step.id for step in plan.steps] == ["p", "again", "teaser/prompt", "teaser/speak", "teaser/n"]
    assert result.outputs["teaser/speak.output"] == "HI"
    assert result.outputs["again.output"] == "HI"
    assert list(plan.inputs["properties"]) == ["p"]
    assert [item["node"] for item in plan.results] == ["again"]


async def test_results_of_a_terminal_subflow_are_results_of_the_flow():
    plan = compile(outer(), CATALOG)
    assert [(item["node"], item["port"]) for item in plan.results] == [
        ("teaser/speak", "output"),
        ("teaser/n", "output"),
    ]


async def test_results_of_a_terminal_subflow_that_feed_a_step_inside_it_are_results_of_the_flow():
    inner = outer(edges=[("teaser.speak", "again.text")], again="shout").to_dict()
    next(node for node in inner["nodes"] if node["id"] == "teaser")["result"] = True
    top = flow_of({"q": "say", "x": ("inner", {"flow": inner})}, [("q.output", "x.p")])
    plan = compile(top, CATALOG)
    assert [item["node"] for item in plan.results] == ["x/teaser/speak", "x/teaser/n", "x/again"]


async def test_flows_are_found_by_id_and_nest():
    flows = {"loud": LOUD, "middle": outer("loud", [("teaser.speak", "m.text")], m="shout").to_dict()}
    top = flow_of({"q": "say", "x": ("inner", {"flow": "middle"})}, [("q.output", "x.p")])
    plan = compile(top, CATALOG, flows=flows.get)
    result = await execute(plan, {"q": "deep"})
    assert result.outputs["x/m.output"] == "DEEP"
    assert result.outputs["x/teaser/n.output"] == 4


async def test_flow_that_contains_itself_is_refused_naming_the_circle():
    flows = {"a": outer("b").to_dict(), "b": outer("a").to_dict()}
    with pytest.raises(FlowInvalid) as raised:
        compile(outer("b"), CATALOG, flows=flows.get, flow_id="a")
    problem = next(problem for problem in raised.value.problems if problem.code == "self_containing")
    assert "a → b → a" in problem.message
    assert problem.node == "teaser/teaser"


@pytest.mark.parametrize(
    ("flow", "edges", "code", "words"),
    [
        ("gone", [], "bad_setting", "no flow 'gone'"),
        ("", [], "bad_setting", "choose which"),
        ({"nodes": 3}, [], "bad_setting", "damaged"),
        (LOUD, [("teaser.song", "s.text")], "unknown_port", "no result 'song'"),
        (LOUD, [("p.output", "teaser.tempo")], "unknown_port", "no input 'tempo'"),
        ({"nodes": [{"id": "x", "type": "ghost"}]}, [], "unknown_type", "teaser/x"),
    ],
)
def test_problems_inside_and_outside_a_subflow_are_reported(flow, edges, code, words):
    with pytest.raises(FlowInvalid) as raised:
        compile(outer(flow, edges, s="shout"), CATALOG)
    assert any(problem.code == code and words in problem.message for problem in raised.value.problems)


DAMAGED = [
    ("gone", ("bad_setting", "teaser")),
    ({"nodes": 3}, ("bad_setting", "teaser")),
    ({"nodes": [{"id": "x", "type": "ghost"}]}, ("unknown_type", "teaser/x")),
    (outer("gone", p="say").to_dict(), ("bad_setting", "teaser/teaser")),
]


@pytest.mark.parametrize(("flow", "problem"), DAMAGED, ids=["missing", "damaged", "unknown type", "nested"])
@pytest.mark.parametrize("pinned", [False, True], ids=["as a target", "beside a pinned node"])
def test_damaged_subflow_is_a_problem_if_its_results_are_wanted(flow, problem, pinned):
    document = outer(flow, [("p.output", "s.text"), ("s.output", "n.text")], s="shout", n="count")
    document.edges = [edge for edge in document.edges if edge.target != "teaser.prompt"]
    if pinned:
        document.node("s").pin = {"outputs": {"output": {"type": "Text", "depth": 0, "value": "PINNED"}}}
    with pytest.raises(FlowInvalid) as raised:
        compile(document, CATALOG, targets=None if pinned else ["teaser"])
    assert problem in [(each.code, each.node) for each in raised.value.problems]
    assert [step.id for step in compile(document, CATALOG, targets=["n"]).steps][-2:] == ["s", "n"]


@pytest.mark.parametrize("source", ["ghost.output", "teaser.song", "teaser", "hum"])
def test_target_is_refused_if_what_should_feed_it_is_missing(source):
    document = outer(edges=[(source, "o.text"), ("p.output", "s.text")], o="optional", s="shout")
    with pytest.raises(FlowInvalid) as raised:
        compile(document, CATALOG, targets=["o"])
    assert [each.node for each in raised.value.problems] == [source.partition(".")[0]]
    assert [step.id for step in compile(document, CATALOG, targets=["s"]).steps] == ["p", "s"]


def test_unconnected_inner_input_is_a_problem_unless_the_node_has_a_value():
    flow = flow_of({"teaser": ("inner", {"flow": LOUD})})
    with pytest.raises(FlowInvalid) as raised:
        compile(flow, CATALOG)
    problem = raised.value.problems[0]
    assert (problem.code, problem.node, problem.port) == ("required_input", "teaser", "prompt")
    held = flow_of({"teaser": ("inner", {"flow": LOUD, "inputs": {"prompt": "held"}})})
    assert compile(held, CATALOG).steps[0].settings == {"text": "held"}


async def test_targets_and_fresh_apply_to_the_steps_of_a_subflow():
    plan = compile(outer(), CATALOG)
    cache = MemoryCache()
    result = await execute(plan, {"p": "hi"}, targets=["teaser/speak"], cache=cache)
    assert set(result.steps) == {"p", "teaser/prompt", "teaser/speak"}
    result = await execute(plan, {"p": "hi"}, targets=["teaser"], cache=cache, fresh=["teaser"])
    assert result.steps["teaser/speak"].cached is False
    assert result.steps["p"].cached is True
    assert calls == ["hi", "hi"]


def test_target_may_be_a_node_or_a_subflow_at_any_depth():
    top = flow_of({"x": ("inner", {"flow": outer(edges=[("p.output", "s.text")], s="shout").to_dict()})})
    top.node("x").settings["inputs"] = {"p": "hi"}
    plans = {name: compile(top, CATALOG, targets=[name]) for name in ("x", "x/teaser", "x/teaser/speak")}
    assert {name: [step.id for step in plan.steps] for name, plan in plans.items()} == {
        "x": ["x/p", "x/s", "x/teaser/prompt", "x/teaser/speak", "x/teaser/n"],
        "x/teaser": ["x/p", "x/teaser/prompt", "x/teaser/speak", "x/teaser/n"],
        "x/teaser/speak": ["x/p", "x/teaser/prompt", "x/teaser/speak"],
    }
    for name in ("teaser", "x/", "x/gone"):
        with pytest.raises(FlowInvalid) as raised:
            compile(top, CATALOG, targets=[name])
        assert [(each.code, each.message, each.node) for each in raised.value.problems] == [
            ("unknown_node", f"This flow has no node '{name}' to run up to.", name)
        ]


async def test_list_into_a_subflow_runs_it_for_each_item():
    flow = outer(edges=[("p.output", "l.text")], l="lines")
    flow.edges = [edge for edge in flow.edges if edge.target != "teaser.prompt"]
    flow.edges.append(type(flow.edges[0])("l.output", "teaser.prompt"))
    result = await execute(compile(flow, CATALOG), {"p": "one three"})
    assert result.outputs["teaser/speak.output"] == ["ONE", "THREE"]
    assert result.outputs["teaser/n.output"] == [3, 5]


async def test_equal_steps_inside_and_outside_a_subflow_run_once():
    flow = outer(edges=[("p.output", "s.text")], s="shout")
    await execute(compile(flow, CATALOG), {"p": "hi"})
    assert calls == ["hi"]


async def test_plan_for_targets_has_no_steps_of_other_subflows():
    flow = flow_of({"p": "say", "a": ("inner", {"flow": LOUD}), "b": ("inner", {"flow": LOUD})},
                   [("p.output", "a.prompt"), ("p.output", "b.prompt")])  # fmt: skip
    plan = compile(flow, CATALOG, targets=["a"])
    result = await execute(plan, {"p": "hi"}, targets=["a"], fresh=["a", "b"])
    assert {name.partition("/")[0] for name in result.steps} == {"p", "a"}
    with pytest.raises(FlowInvalid, match="no node 'c'"):
        await execute(plan, {"p": "hi"}, targets=["c"])


async def test_flows_nest_a_thousand_deep():
    flows = {f"f{i}": flow_of({"x": ("inner", {"flow": f"f{i + 1}"})}).to_dict() for i in range(1200)}
    flows["f1200"] = flow_of({"w": ("say", {"text": "x"})}).to_dict()
    result = await execute(compile(flows["f0"], CATALOG, flows=flows.get, flow_id="f0"))
    assert list(result.outputs) == ["x/" * 1200 + "w.output"]


def test_subflows_that_expand_to_too_many_steps_are_refused():
    flows = {
        f"f{i}": flow_of({side: ("inner", {"flow": f"f{i + 1}"}) for side in ("left", "right")}).to_dict()
        for i in range(60)
    }
    flows["f60"] = LOUD
    with pytest.raises(FlowInvalid, match=r"more than 100,000 steps") as raised:
        compile(flows["f0"], CATALOG, flows=flows.get)
    assert raised.value.problems[-1].code == "too_large"


def test_subflow_is_loaded_once():
    asked = []

    def load(flow_id):
        asked.append(flow_id)
        return LOUD

    flow = flow_of({"p": "say", "a": ("inner", {"flow": "x"}), "b": ("inner", {"flow": "x"})},
                   [("p.output", "a.prompt"), ("p.output", "b.prompt")])  # fmt: skip
    assert len(compile(flow, CATALOG, flows=load).steps) == 7
    assert asked == ["x"]


def test_nodes_of_the_document_do_not_count_as_expanded_steps(monkeypatch):
    monkeypatch.setattr("impasto.compiler.subflows.expansion.MAX_EXPANDED_STEPS", 5)
    many = {f"n{i}": "say" for i in range(50)}
    assert (
        len(
            compile(
                flow_of({**many, "in": ("inner", {"flow": LOUD, "inputs": {"prompt": "x"}})}), CATALOG
            ).steps
        )
        == 53
    )
    with pytest.raises(FlowInvalid, match="more than 5 steps"):
        compile(flow_of({**many, "in": ("inner", {"flow": flow_of(many)})}), CATALOG)


def test_subflow_that_cannot_be_loaded_is_a_problem_of_its_node():
    def load(flow_id):
        raise FlowInvalid([Problem(code="bad_version", message=f"{flow_id} is of a newer format.")])

    with pytest.raises(FlowInvalid) as raised:
        compile(flow_of({"in": ("inner", {"flow": "new"}), "odd": "nothing"}), CATALOG, flows=load)
    first, second = raised.value.problems
    assert (first.code, first.node, first.setting) == ("bad_setting", "in", "flow")
    assert "new is of a newer format" in first.message
    assert second.code == "unknown_type"
