"""The result of a run: its steps, the values of its ports, and the ports that are results of the flow."""

from typing import NamedTuple

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import SKIP, Text, execute, node
from impasto.runtime.run_result import StepResult
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Parts(NamedTuple):
    head: Text
    tail: Text
    rest: Text = ""


@node
async def cut(text: Text) -> Parts:
    return Parts(text[:1], text[1:], SKIP)


@pytest.fixture
async def result():
    plan = plan_of(
        [*NODES, cut],
        {"p": "say", "c": "cut", "s": "shout", "f": "fail", "after": "shout"},
        [("p.output", "c.text"), ("c.head", "s.text"), ("c.tail", "f.text"), ("f.output", "after.text")],
    )
    return await execute(plan, run_id="r")


async def test_outputs_are_the_open_ports_in_the_order_of_the_plan(result):
    assert dict(result.outputs) == {"p.output": "hi", "c.head": "h", "c.tail": "i", "s.output": "H"}
    assert (len(result.outputs), list(result.outputs)) == (4, ["p.output", "c.head", "c.tail", "s.output"])
    assert repr(result.outputs) == "{'p.output': 'hi', 'c.head': 'h', 'c.tail': 'i', 's.output': 'H'}"
    assert "c.rest" not in result.outputs


async def test_results_are_the_open_ports_that_are_results_of_the_flow(result):
    assert dict(result.results) == {"s.output": "H"}
    assert len(result.results) == 1


@pytest.mark.parametrize(
    "name", ["c.rest", "c.gone", "gone.output", "f.output", "after.output", "c", "", ".output", "c."]
)
async def test_port_without_a_value_is_no_output(result, name):
    for outputs in (result.outputs, result.results):
        with pytest.raises(KeyError) as raised:
            outputs[name]
        assert raised.value.args == (name,)
    with pytest.raises(KeyError):
        result.results["c.head"]


async def test_steps_say_how_each_step_ended(result):
    assert list(result.steps) == ["p", "c", "s", "f", "after"]
    assert len(result.steps) == 5
    with pytest.raises(KeyError):
        result.steps["gone"]
    steps = dict(result.steps)
    error, seconds = steps["f"].error, {name: step.seconds for name, step in steps.items()}
    assert steps == {
        "p": StepResult(id="p", status="finished", seconds=seconds["p"], outputs={"output": "hi"}),
        "c": StepResult(id="c", status="finished", seconds=seconds["c"], outputs={"head": "h", "tail": "i"}),
        "s": StepResult(id="s", status="finished", seconds=seconds["s"], outputs={"output": "H"}),
        "f": StepResult(id="f", status="failed", seconds=seconds["f"], error=error),
        "after": StepResult(id="after", status="skipped", because="f", reason="failed"),
    }
    assert [seconds[name] > 0 for name in ("p", "c", "s", "f", "after")] == [True] * 4 + [False]


async def test_run_says_how_it_ended(result):
    assert (result.run_id, result.status, result.cost_usd) == ("r", "failed", 0.0)
    assert result.error is result.steps["f"].error
    assert 0 < result.seconds < 20
    assert result.events[-1].data == {
        "seconds": result.seconds,
        "cost_usd": 0.0,
        "error": result.error.to_dict(),
    }
    assert repr(result) == "<RunResult r failed>"


async def test_error_of_the_run_is_that_of_the_first_failed_step_of_the_plan():
    plan = plan_of(
        NODES,
        {
            "p": "say",
            "s": "shout",
            "late": ("fail", {"why": "late"}),
            "early": ("fail", {"why": "early"}),
        },
        [("p.output", "s.text"), ("s.output", "late.text"), ("p.output", "early.text")],
    )
    result = await execute(plan)
    failed = [event.step for event in result.events if event.type == "step.failed"]
    first = min(failed, key=[step.id for step in plan.steps].index)
    assert len(failed) == 2
    assert result.error is result.steps[first].error
    assert result.events[-1].data["error"] == result.error.to_dict()


async def test_reused_steps_take_no_time_and_are_marked():
    plan = plan_of(
        NODES,
        {"p": "say", "a": "shout", "b": "shout"},
        [("p.output", "a.text"), ("p.output", "b.text")],
    )
    result = await execute(plan)
    first, second = sorted((result.steps["a"], result.steps["b"]), key=lambda step: step.cached)
    assert (first.cached, second.cached, second.seconds, second.cost_usd) == (False, True, 0.0, 0.0)
