import asyncio

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import SKIP, Boolean, Lazy, MemoryCache, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def make(*, name: str) -> Text:
    calls.append(name)
    await asyncio.sleep(0)
    return name


@node
async def use(text: Text, *, name: str = "use") -> Text:
    calls.append(name)
    return text + "!"


@node
async def flag(*, on: bool) -> Boolean:
    return on


@node
async def pick(first: Boolean, a: Lazy[Text], b: Lazy[Text]) -> Text:
    return await (a if first else b)


@node
async def ignore(a: Lazy[Text]) -> Text:
    return "never asked"


@node
async def broken() -> Text:
    raise ValueError("x")


@node
async def closed() -> Text:
    return SKIP


NODES = [make, use, flag, pick, ignore, broken, closed]


def branches(*, picks_first):
    """Return a plan that picks one of two lazy branches: `a`, or `b` behind `b0`."""
    return plan_of(
        NODES,
        {
            "f": ("flag", {"on": picks_first}),
            "a": ("make", {"name": "a"}),
            "b0": ("make", {"name": "b0"}),
            "b": "use",
            "p": "pick",
        },
        [("f.output", "p.first"), ("a.output", "p.a"), ("b0.output", "b.text"), ("b.output", "p.b")],
    )


async def test_lazy_input_that_is_not_awaited_does_not_run():
    result = await execute(branches(picks_first=True))
    assert (result.status, result.outputs["p.output"], calls) == ("finished", "a", ["a"])
    assert {name: step.status for name, step in result.steps.items()} == {
        "f": "finished",
        "a": "finished",
        "b0": "skipped",
        "b": "skipped",
        "p": "finished",
    }


async def test_chain_behind_a_lazy_input_runs_when_awaited():
    result = await execute(branches(picks_first=False))
    assert (result.outputs["p.output"], calls) == ("b0!", ["b0", "use"])


async def test_lazy_input_behind_a_lazy_input():
    @node
    async def through(a: Lazy[Text]) -> Text:
        return await a

    nodes = {"m": ("make", {"name": "m"}), **{f"t{i}": "through" for i in range(6)}}
    edges = [("m.output", "t0.a"), *((f"t{i}.output", f"t{i + 1}.a") for i in range(5))]
    for max_concurrency in (None, 1):
        result = await execute(plan_of([*NODES, through], nodes, edges), max_concurrency=max_concurrency)
        assert (result.status, result.outputs["t5.output"]) == ("finished", "m")
    nodes["i"] = "ignore"
    calls.clear()
    result = await execute(plan_of([*NODES, through], nodes, [*edges, ("t5.output", "i.a")]))
    assert calls == []


async def test_concurrency_slot_is_released_while_a_lazy_input_is_awaited():
    @node(limit="one")
    async def through(a: Lazy[Text]) -> Text:
        return await a

    @node(limit="one")
    async def source() -> Text:
        return "s"

    plan = plan_of([through, source], {"s": "source", "t": "through"}, [("s.output", "t.a")])
    assert (await execute(plan, limits={"one": 1})).outputs["t.output"] == "s"


@pytest.mark.parametrize(("feeder", "reason"), [("broken", "failed"), ("closed", "closed")])
async def test_awaiting_a_failed_or_closed_input_skips_the_step(feeder, reason):
    plan = plan_of(
        NODES,
        {"f": ("flag", {"on": True}), "x": feeder, "y": ("make", {"name": "y"}), "p": "pick"},
        [("f.output", "p.first"), ("x.output", "p.a"), ("y.output", "p.b")],
    )
    step = (await execute(plan)).steps["p"]
    assert (step.status, step.reason, step.because) == ("skipped", reason, "x")


async def test_def_node_waits_for_its_lazy_input():
    @node
    def wait(a: Lazy[Text]) -> Text:
        return a.wait() + "?"

    plan = plan_of([*NODES, wait], {"a": ("make", {"name": "a"}), "w": "wait"}, [("a.output", "w.a")])
    assert (await execute(plan)).outputs["w.output"] == "a?"


async def test_node_with_lazy_inputs_is_reused_until_their_sources_change():
    cache = MemoryCache()

    def plan(name):
        return plan_of(
            NODES,
            {
                "f": ("flag", {"on": True}),
                "a": ("make", {"name": name}),
                "b": ("make", {"name": "b"}),
                "p": "pick",
            },
            [("f.output", "p.first"), ("a.output", "p.a"), ("b.output", "p.b")],
        )

    for name in ("a", "a", "c"):
        result = await execute(plan(name), cache=cache)
        assert result.outputs["p.output"] == name
    assert calls == ["a", "c"]


async def test_lazy_input_is_a_plain_argument_in_a_unit_test():
    assert await pick(True, Lazy.of("x"), Lazy.of("y")) == "x"
