"""Disabled, bypassed and pinned nodes."""

from typing import Annotated, NamedTuple
from typing import Any as Anything

import pytest

from impasto import (
    Catalog,
    Flow,
    FlowInvalid,
    Integer,
    MemoryCache,
    Setting,
    Text,
    compile,
    execute,
    node,
)
from impasto.testing import flow_of

pytestmark = pytest.mark.anyio
calls: list[str] = []


@pytest.fixture(autouse=True)
def no_calls():
    calls.clear()


@node
async def ask(*, text: Annotated[str, Setting(input=True)] = "hello") -> Text:
    calls.append("ask")
    return text


@node(cost=1.0)
async def shout(text: Text, *, mark: str = "!") -> Text:
    calls.append("shout")
    return text.upper() + mark


@node
async def words(text: Text) -> list[Text]:
    calls.append("words")
    return text.split()


@node
async def count(text: Text) -> Integer:
    calls.append("count")
    return len(text)


@node
async def join(first: Text = "-", second: Text = "-") -> Text:
    calls.append("join")
    return f"{first} {second}"


@node(variables="template")
async def fill(*, template: str = "", variables: dict[str, str]) -> Text:
    return template.replace("{{it}}", variables["it"])


class Halves(NamedTuple):
    left: Text
    right: Text


@node
async def halves(text: Text) -> Halves:
    return Halves(text[:2], text[2:])


@node(subflow="flow")
async def inner(*, flow: dict[str, Anything] | None = None) -> None:
    raise AssertionError("the engine expands it")


CATALOG = Catalog([ask, shout, words, count, join, fill, halves, inner])
EDGES = [("a.output", "s.text"), ("s.output", "n.text")]


def chain(**changes: Anything) -> Flow:
    """Return `ask -> shout -> count` with these attributes of the node `s`."""
    flow = flow_of({"a": "ask", "s": "shout", "n": "count"}, EDGES)
    for name, value in changes.items():
        setattr(flow.node("s"), name, value)
    return flow


def agent_between() -> Flow:
    """Return `ask -> t -> count`, where the node `t` runs another flow."""
    loud = flow_of({"p": "ask", "speak": "shout"}, [("p.output", "speak.text")]).to_dict()
    nodes = {"a": "ask", "t": ("inner", {"flow": loud}), "n": "count"}
    return flow_of(nodes, [("a.output", "t.p"), ("t.speak", "n.text")])


def pin(value: Anything, *, type_: str = "Text", depth: int = 0, port: str = "output") -> Anything:
    return {"outputs": {port: {"type": type_, "depth": depth, "value": value}}}


async def test_disabled_node_and_what_needs_it_are_skipped():
    result = await execute(compile(chain(mode="disabled"), CATALOG))
    assert calls == ["ask"]
    assert {name: step.status for name, step in result.steps.items()} == {
        "a": "finished", "s": "skipped", "n": "skipped",
    }  # fmt: skip
    assert result.status == "finished"


async def test_disabled_node_leaves_optional_inputs_of_others_at_their_default():
    flow = flow_of(
        {"a": "ask", "s": "shout", "j": "join"},
        [("a.output", "s.text"), ("s.output", "j.first"), ("a.output", "j.second")],
    )
    flow.node("s").mode = "disabled"
    result = await execute(compile(flow, CATALOG))
    assert result.steps["j"].outputs == {"output": "- hello"}


async def test_problems_of_a_disabled_node_do_not_refuse_a_run():
    flow = chain(mode="disabled", settings={"mark": 5})
    flow.edges = [edge for edge in flow.edges if edge.target != "s.text"]
    plan = compile(flow, CATALOG)
    assert [(warning["code"], warning["node"]) for warning in plan.warnings] == [("disabled", "s")]


async def test_bypassed_node_passes_the_value_of_the_same_type():
    plan = compile(chain(mode="bypassed"), CATALOG)
    result = await execute(plan)
    assert result.steps["n"].outputs == {"output": 5}
    assert calls == ["ask", "count"]
    assert plan.estimate()["usd"] == 0


async def test_bypassed_node_without_an_input_of_the_type_closes_its_output():
    flow = flow_of(
        {"a": "ask", "n": "count", "j": "join"},
        [("a.output", "n.text"), ("n.output", "j.first"), ("a.output", "j.second")],
    )
    flow.node("n").mode = "bypassed"
    result = await execute(compile(flow, CATALOG))
    assert result.steps["j"].outputs == {"output": "- hello"}
    assert result.steps["n"].status == "skipped"


async def test_estimate_leaves_out_what_needs_a_bypassed_node_that_passes_nothing_on():
    flow = flow_of({"a": "ask", "s": "shout"}, [("a.output", "s.text")])
    assert compile(flow, CATALOG).estimate()["usd"] == 1
    flow.node("a").mode = "bypassed"
    plan = compile(flow, CATALOG)
    assert plan.estimate()["usd"] == 0
    result = await execute(plan)
    assert [(step.status, step.reason) for step in result.steps.values()] == [("skipped", "closed")] * 2


async def test_bypass_of_a_mapped_node_passes_every_item():
    flow = flow_of(
        {"a": ("ask", {"text": "one two"}), "w": "words", "s": "shout", "n": "count"},
        [("a.output", "w.text"), ("w.output", "s.text"), ("s.output", "n.text")],
    )
    flow.node("s").mode = "bypassed"
    result = await execute(compile(flow, CATALOG))
    assert result.steps["n"].outputs == {"output": [3, 3]}


async def test_bypass_passes_the_value_of_a_template_variable():
    flow = flow_of(
        {"a": "ask", "f": ("fill", {"template": "<{{it}}>"}), "n": "count"},
        [("a.output", "f.it"), ("f.output", "n.text")],
    )
    assert (await execute(compile(flow, CATALOG))).steps["n"].outputs == {"output": 7}
    flow.node("f").mode = "bypassed"
    assert (await execute(compile(flow, CATALOG))).steps["n"].outputs == {"output": 5}


async def test_bypass_passes_the_value_to_each_output_of_the_type():
    flow = flow_of(
        {"a": "ask", "h": "halves", "j": "join"},
        [("a.output", "h.text"), ("h.left", "j.first"), ("h.right", "j.second")],
    )
    flow.node("h").mode = "bypassed"
    assert (await execute(compile(flow, CATALOG))).steps["j"].outputs == {"output": "hello hello"}


async def test_pinned_result_is_used_and_what_only_it_needed_does_not_run():
    plan = compile(chain(pin=pin("PINNED")), CATALOG)
    result = await execute(plan)
    assert calls == ["count"]
    assert result.steps["n"].outputs == {"output": 6}
    assert plan.inputs["properties"] == {}
    assert [port["node"] for port in plan.results] == ["n"]
    assert plan.estimate()["usd"] == 0


async def test_source_of_a_pinned_node_runs_if_another_node_takes_it():
    flow = flow_of(
        {"a": "ask", "s": "shout", "j": "join"},
        [("a.output", "s.text"), ("s.output", "j.first"), ("a.output", "j.second")],
    )
    flow.node("s").pin = pin("PINNED")
    assert (await execute(compile(flow, CATALOG))).steps["j"].outputs == {"output": "PINNED hello"}


def agent_before_a_pinned_node(*edges: tuple[str, str], result: bool | None = None, **more: Anything) -> Flow:
    """Return `ask -> t -> shout -> count`: `t` runs another flow, and the result of `shout` is pinned."""
    loud = flow_of(
        {"p": "ask", "speak": "shout", "w": "words"}, [("p.output", "speak.text"), ("p.output", "w.text")]
    ).to_dict()
    nodes = {"a": "ask", "t": ("inner", {"flow": loud}), "s": "shout", "n": "count", **more}
    flow = flow_of(nodes, [("a.output", "t.p"), ("t.speak", "s.text"), ("s.output", "n.text"), *edges])
    flow.node("s").pin = pin("PINNED")
    flow.node("t").result = result
    return flow


@pytest.mark.parametrize(
    ("flow", "steps", "results"),
    [
        (agent_before_a_pinned_node(), ["n", "s"], ["n"]),
        (
            agent_before_a_pinned_node(result=True),
            ["a", "n", "s", "t/p", "t/speak", "t/w"],
            ["t/speak", "t/w", "n"],
        ),
        (
            agent_before_a_pinned_node(("t.w", "j.first"), j="join"),
            ["a", "j", "n", "s", "t/p", "t/w"],
            ["n", "j"],
        ),
        (
            flow_of({"o": ("inner", {"flow": agent_before_a_pinned_node().to_dict()})}),
            ["o/n", "o/s"],
            ["o/n"],
        ),
    ],
    ids=["nothing else", "its results are shown", "another node takes a result", "inside an agent"],
)
async def test_agent_before_a_pinned_node_runs_only_what_is_needed(flow, steps, results):
    plan = compile(flow, CATALOG)
    assert sorted(step.id for step in plan.steps) == steps
    assert [result["node"] for result in plan.results] == results


async def test_agent_with_several_outputs_does_not_run_for_a_pinned_node():
    inner = flow_of({"h": ("halves", {})}).to_dict()
    flow = flow_of({"t": ("inner", {"flow": inner}), "s": "shout"}, [("t.h.left", "s.text")])
    flow.node("s").pin = pin("PINNED")
    assert [step.id for step in compile(flow, CATALOG).steps] == ["s"]


async def test_agent_whose_flow_has_an_agent_does_not_run_for_a_pinned_node():
    deep = flow_of({"use": ("inner", {"flow": flow_of({"p": "ask"}).to_dict()})}).to_dict()
    flow = flow_of({"t": ("inner", {"flow": deep}), "s": "shout"}, [("t.use", "s.text")])
    flow.node("s").pin = pin("PINNED")
    assert [step.id for step in compile(flow, CATALOG).steps] == ["s"]


async def test_pinned_list_runs_the_next_node_once_per_item():
    flow = flow_of({"a": "ask", "s": "shout", "n": "count"}, EDGES)
    flow.node("s").pin = pin(["one", "three"], depth=1)
    assert (await execute(compile(flow, CATALOG))).steps["n"].outputs == {"output": [3, 5]}


async def test_pinned_results_are_never_mistaken_for_calls_of_the_node():
    cache = MemoryCache()
    await execute(compile(chain(), CATALOG), cache=cache)
    for text in ("ONE", "THREE"):
        result = await execute(compile(chain(pin=pin(text)), CATALOG), cache=cache)
        assert result.steps["n"].outputs == {"output": len(text)}
    result = await execute(compile(chain(), CATALOG), cache=cache)
    assert result.steps["n"].outputs == {"output": 6}


async def test_pinned_agent_gives_its_results_without_its_inner_steps():
    loud = flow_of({"p": "ask", "speak": "shout"}, [("p.output", "speak.text")]).to_dict()
    flow = flow_of(
        {"a": "ask", "t": ("inner", {"flow": loud}), "n": "count"},
        [("a.output", "t.p"), ("t.speak", "n.text")],
    )
    flow.node("t").pin = pin("PINNED", port="speak")
    assert (await execute(compile(flow, CATALOG))).steps["n"].outputs == {"output": 6}
    assert calls == ["count"]


async def test_disabled_agent_is_skipped_with_what_needs_it():
    loud = flow_of({"p": "ask", "speak": "shout"}, [("p.output", "speak.text")]).to_dict()
    flow = flow_of(
        {"a": "ask", "t": ("inner", {"flow": loud}), "n": "count"},
        [("a.output", "t.p"), ("t.speak", "n.text")],
    )
    flow.node("t").mode = "disabled"
    result = await execute(compile(flow, CATALOG))
    assert result.steps["n"].status == "skipped"
    flow.node("t").mode = "bypassed"
    with pytest.raises(FlowInvalid, match="cannot be bypassed"):
        compile(flow, CATALOG)


@pytest.mark.parametrize(
    ("stored", "fault"),
    [
        (pin(5), "is not Text"),
        (pin("x", depth=1), "is not list"),
        (pin("x", type_="Unknown"), "which is not installed"),
        (pin("x", port="other"), "which the node does not have"),
    ],
)
def test_pin_that_does_not_fit_its_node_is_a_problem(stored: Anything, fault: str):
    with pytest.raises(FlowInvalid, match=fault):
        compile(chain(pin=stored), CATALOG)


@pytest.mark.parametrize(
    "faulty", [{"mode": "off"}, {"pin": 5}, {"pin": {"outputs": {"output": {"value": 1}}}}]
)
def test_document_with_a_malformed_mode_or_pin_is_refused(faulty: dict[str, Anything]):
    with pytest.raises(FlowInvalid):
        Flow.parse({"nodes": [{"id": "s", "type": "shout", **faulty}], "edges": []})


def test_mode_and_pin_survive_a_round_trip_and_a_diff_shows_them():
    flow = chain(mode="bypassed", pin=pin("x"))
    again = Flow.loads(flow.dumps())
    assert again.dumps() == flow.dumps()
    assert (again.node("s").mode, again.node("s").pin) == ("bypassed", pin("x"))
    changed = chain().diff(flow)["nodes"]["changed"]
    assert changed[0]["mode"] == {"before": None, "after": "bypassed"}


async def test_compiling_again_after_a_mode_changed_is_not_served_from_an_earlier_plan():
    assert (await execute(compile(chain(), CATALOG))).steps["n"].outputs == {"output": 6}
    assert (await execute(compile(chain(mode="bypassed"), CATALOG))).steps["n"].outputs == {"output": 5}
    assert (await execute(compile(chain(), CATALOG))).steps["n"].outputs == {"output": 6}
