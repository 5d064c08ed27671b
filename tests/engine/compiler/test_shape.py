"""The shape of a plan: which steps wait for, read and need which, and what is named by an id."""

from typing import Annotated, Any, NamedTuple

import orjson
import pytest

from impasto import (
    Catalog,
    Flow,
    InputsInvalid,
    Integer,
    Lazy,
    Setting,
    Text,
    compile,
    node,
)
from impasto.compiler.plan import Plan
from impasto.testing import flow_of


class Both(NamedTuple):
    words: Text
    count: Integer


@node(title="Say")
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node
async def both(text: Text = "") -> Both:
    return Both(text, len(text))


@node
async def gather(*texts: Text, first: Text = "") -> Text:
    return "".join(texts)


@node(generative=True)
async def choose(first: Lazy[Text], second: Text = "", *, times: int = 1) -> Text:
    return await first


@node
async def split(text: Text) -> list[Text]:
    return list(text)


@node
async def join(texts: list[Text]) -> Text:
    return "".join(texts)


@node
async def trim(text: Text = "", *, mark: str = "!") -> Text:
    return text.strip() + mark


@node(generative=True, cost=1.0)
async def paint(text: Text = "") -> Text:
    return text


@node(subflow="flow")
def agent(*, flow: Any) -> None:
    """Run a flow."""


CATALOG = Catalog([say, both, gather, choose, split, join, trim, paint, agent])
NODES: dict[str, Any] = {
    "unused": "both",
    "s": "say",
    "b": "both",
    "c": "choose",
    "x": "split",
    "m": "trim",
    "j": "join",
    "alone": "paint",
}
EDGES = [
    ("s.output", "b.text"),
    ("b.words", "c.first"),
    ("s.output", "c.second"),
    ("b.count", "c.times"),
    ("c.output", "x.text"),
    ("x.output", "m.text"),
    ("m.output", "j.texts"),
    ("s.output", "j.texts"),
    ("x.output", "j.texts"),
    ("s.output", "unused.text"),
]


def plan_of(nodes: dict[str, Any] = NODES, edges: Any = EDGES, **options: Any) -> Plan:
    return compile(flow_of(nodes, edges), CATALOG, **options)


def connections(plan: Plan) -> list[Any]:
    """Return what each step gets from which, by ids and names of ports."""

    def shown(binding: Any) -> Any:
        if binding is None:
            return None
        sources = [
            (plan.steps[each.step].id, each.port, each.prepare is None, each.joins)
            for each in binding.sources
        ]
        return sources, binding.fan_out, binding.lazy, binding.gather

    def fed(feed: Any) -> Any:
        many = feed.many and [plan.steps[each.step].id for each in feed.many]
        return plan.steps[feed.step].id if feed.step >= 0 else None, feed.port, many, feed.default

    return [
        (
            step.id,
            [shown(binding) for binding in step.inputs],
            [(spec.name, shown(binding)) for spec, binding in step.dynamic],
            [plan.steps[index].id for index in step.sources],
            step.fan_out,
            step.feeds and [fed(feed) for feed in step.feeds],
        )
        for step in plan.steps
    ]


def test_steps_are_connected_as_the_edges_are() -> None:
    plan = plan_of()
    assert [step.id for step in plan.steps] == [*NODES]
    assert [step.index for step in plan.steps] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [plan.steps[index].id for index in plan.order] == ["s", "alone", "b", "unused", "c", "x", "m", "j"]
    assert plan.by_id == {name: index for index, name in enumerate(NODES)}
    names = [*NODES]
    waiting = {
        step.id: [names[index] for index in plan.successors[step.index]]
        for step in plan.steps
        if plan.successors[step.index]
    }
    assert waiting == {
        "s": ["unused", "b", "c", "j"],
        "b": ["c"],
        "c": ["x"],
        "x": ["m", "j"],
        "m": ["j"],
    }
    assert plan.indegree == [1, 0, 1, 2, 1, 1, 3, 0]
    assert plan.readers == [0, 4, 2, 1, 2, 1, 0, 0]
    assert plan.lazy
    found = {step: more for step, *more in connections(plan)}
    assert found["c"] == [
        [([("b", 0, True, None)], 0, True, False), ([("s", 0, True, None)], 0, False, False)],
        [("times", ([("b", 1, True, None)], 0, False, False))],
        ["s", "b"],
        0,
        None,
    ]
    assert found["m"] == [[([("x", 0, True, None)], 1, False, False)], [], ["x"], 1, None]
    assert found["j"] == [
        [([("m", 0, True, True), ("s", 0, False, False), ("x", 0, True, True)], 0, False, True)],
        [],
        ["m", "s", "x"],
        0,
        [(None, 0, ["m", "s", "x"], None)],
    ]
    assert found["b"] == [
        [([("s", 0, True, None)], 0, False, False)],
        [],
        ["s"],
        0,
        [("s", 0, None, None)],
    ]
    assert found["alone"] == [[None], [], [], 0, [(None, 0, None, "")]]


def test_plan_without_lazy_inputs_has_none() -> None:
    plan = plan_of({"s": "say", "b": "both"}, [("s.output", "b.text")])
    assert not plan.lazy
    assert (plan.successors, plan.indegree, plan.readers) == ([[1], []], [0, 1], [1, 0])


def test_plan_up_to_a_target_is_that_of_the_flow_without_the_rest() -> None:
    found = plan_of(targets=["j"])
    rest = {name: kind for name, kind in NODES.items() if name not in ("unused", "alone")}
    alone = plan_of(rest, EDGES[:-1])
    assert connections(found) == connections(alone)
    assert [step.index for step in found.steps] == [0, 1, 2, 3, 4, 5]
    for name in ("order", "successors", "by_id", "indegree", "readers", "lazy", "results", "result_ports"):
        assert getattr(found, name) == getattr(alone, name)
    assert [each["node"] for each in plan_of(targets=["b", "alone"]).results] == ["alone"]


def test_step_needs_what_it_depends_on() -> None:
    plan = plan_of()
    found = plan.needed([plan.by_id["m"]])
    assert [step.id for step in plan.steps if step.index in found] == ["s", "b", "c", "x", "m"]


def test_step_needs_its_lazy_inputs_only_once_they_are_awaited() -> None:
    plan = plan_of({"s": "say", "c": "choose"}, [("s.output", "c.first")])
    assert (plan.needed([1]), plan.needed([1], lazy=False), plan.needed([])) == ({0, 1}, {1}, set())


DEEP = flow_of({"t": "trim", "u": "trim", "v": "both"}, [("t.output", "u.text")]).to_dict()
NESTED = {
    "a": "say",
    "g": ("agent", {"flow": flow_of({"in": ("agent", {"flow": DEEP}), "w": "trim"}).to_dict()}),
    "gg": ("agent", {"flow": DEEP}),
}


@pytest.mark.parametrize(
    ("names", "every", "results"),
    [
        (["a"], {"a"}, {"a"}),
        (["g"], {"g/in/t", "g/in/u", "g/in/v", "g/w"}, {"g/in/u", "g/in/v", "g/w"}),
        (["g/in", "a"], {"a", "g/in/t", "g/in/u", "g/in/v"}, {"a", "g/in/u", "g/in/v"}),
        (["g/in/t"], {"g/in/t"}, {"g/in/t"}),
        (["gg"], {"gg/t", "gg/u", "gg/v"}, {"gg/u", "gg/v"}),
        ([], set(), set()),
        (None, set(), set()),
    ],
    ids=["step", "subflow", "inner subflow", "inner step", "longer name", "nothing", "none"],
)
def test_id_of_a_subflow_means_its_steps_or_those_of_its_results(
    names: Any, every: Any, results: Any
) -> None:
    plan = plan_of(NESTED, [])
    assert {plan.steps[index].id for index in plan.expand(names, "all")} == every
    assert {plan.steps[index].id for index in plan.expand(names, "results")} == results


def test_each_unknown_id_is_a_problem() -> None:
    with pytest.raises(InputsInvalid) as raised:
        plan_of(NESTED, []).expand(["a", "b", "g/", "g/in/t/u"], "all")
    assert [(each.code, each.message, each.node) for each in raised.value.problems] == [
        ("unknown_node", f"This flow has no node '{name}'.", name) for name in ("b", "g/", "g/in/t/u")
    ]


def test_items_to_run_again_are_named_by_their_paths() -> None:
    plan = plan_of(NESTED, [])
    g_w, a = plan.by_id["g/w"], plan.by_id["a"]
    assert plan.afresh(["g/w#2", "g/w#1.0", "g/w#1.0", "a#0", "gg/t"]) == (
        {plan.by_id["gg/t"]},
        {g_w: {(2,), (1, 0)}, a: {(0,)}},
    )
    for name in ("a#", "a#x", "a#1.", "a#-1", "a#\u0661", "g#1", "b#1"):
        with pytest.raises(InputsInvalid, match=f"no node '{name}'"):
            plan.afresh([name])


def test_item_of_a_step_whose_id_has_the_mark_is_not_confused_with_the_step() -> None:
    plan = plan_of({"a": "say", "a#1": "say"}, [])
    assert plan.afresh(["a#1", "a#2"]) == ({1}, {0: {(2,)}})


def test_dependants_are_the_named_steps_and_all_that_depend_on_them_in_order() -> None:
    assert plan_of().dependants(["b"]) == ["b", "c", "x", "m", "j"]
    assert plan_of(NESTED, []).dependants(["g/in"]) == ["g/in/t", "g/in/u", "g/in/v"]


def test_only_generative_steps_without_a_cost_function_have_no_price() -> None:
    assert plan_of().has_unpriced_steps
    assert not plan_of({"s": "say", "p": "paint"}, []).has_unpriced_steps


def test_steps_of_disabled_nodes_and_of_bypasses_that_pass_nothing_on_are_known() -> None:
    nodes = {"s": "say", "b": "both", "m": "trim", "n": "trim"}
    flow = flow_of(nodes, [("s.output", "b.text"), ("s.output", "m.text")])
    assert compile(flow, CATALOG).disabled == set()
    flow.node("b").mode = "disabled"
    flow.node("m").mode = flow.node("n").mode = "bypassed"
    assert compile(flow, CATALOG).disabled == {1, 3}


def test_document_of_a_plan_has_its_flow_and_the_flows_inside_it() -> None:
    flow = flow_of({"g": ("agent", {"flow": "deep"}), "h": ("agent", {"flow": "deep"})})
    plan = compile(flow, CATALOG, flows={"deep": DEEP}.get)
    assert orjson.loads(plan.document) == {"flow": flow.to_dict(), "flows": {"deep": DEEP}}
    assert plan.document is plan.document
    assert orjson.loads(plan_of({"s": "say"}, []).document)["flows"] == {}


def test_graph_of_a_plan_has_each_connection_with_its_ports() -> None:
    graph = plan_of().to_networkx()
    assert graph.graph == {"name": "test"}
    assert graph.nodes["s"] == {"type": "say", "title": "Say"}
    assert [*graph.nodes] == [*NODES]
    assert sorted((*edge[:2], *edge[2].values()) for edge in graph.edges(data=True)) == sorted(
        (source.split(".")[0], target.split(".")[0], source.split(".")[1], target.split(".")[1])
        for source, target in EDGES
    )


@pytest.mark.parametrize(
    ("options", "kept"),
    [({}, 1), ({"targets": ["s"]}, 0), ({"checks": False}, 0), ({"configured": frozenset("k")}, 1)],
    ids=str,
)
def test_whole_plans_that_were_checked_are_kept(options: Any, kept: int) -> None:
    catalog = Catalog(iter(CATALOG))
    compile(flow_of({"s": "say"}), catalog, **options)
    assert len([*catalog.compiled]) == kept


@pytest.mark.parametrize("settings", [{"flow": "deep"}, {"flow": DEEP}], ids=["by id", "inside"])
def test_plan_with_an_inner_flow_which_may_change_is_not_kept(settings: Any) -> None:
    catalog = Catalog(iter(CATALOG))
    compile(flow_of({"g": ("agent", settings)}), catalog, flows={"deep": DEEP}.get)
    assert [*catalog.compiled] == []


def test_plan_is_that_of_the_flow_it_was_compiled_from() -> None:
    flow = Flow.parse({"nodes": [{"id": "s", "type": "say", "variables": {"text": "tone"}}],
                       "variables": [{"name": "tone", "type": "Text", "value": "dry"}]})  # fmt: skip
    for _ in range(2):
        plan = compile(flow, CATALOG)
        assert plan.flow is flow
        assert plan.steps[0].settings == {"text": "dry"}
