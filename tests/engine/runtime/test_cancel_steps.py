"""Cancelling single steps of a run, while the others go on."""

import asyncio
import contextlib
import threading

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import Context, Text, execute, node, start
from impasto.errors import InputsInvalid
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Gates:
    """Nodes that wait until the test lets them go."""

    def __init__(self) -> None:
        self.has_started = {"a": asyncio.Event(), "b": asyncio.Event()}
        self.release = asyncio.Event()

    def node(self):
        @node(id="hold")
        async def hold(text: Text, *, name: str = "a") -> Text:
            self.has_started[name].set()
            await self.release.wait()
            return f"{text} {name}"

        return hold


async def test_cancelled_step_ends_and_the_others_finish():
    gates = Gates()
    plan = plan_of(
        [*NODES, gates.node()],
        {"p": "say", "a": ("hold", {"name": "a"}), "b": ("hold", {"name": "b"}), "s": "shout"},
        [("p.output", "a.text"), ("p.output", "b.text"), ("a.output", "s.text")],
    )
    async with start(plan) as run:
        await asyncio.gather(*(has_started.wait() for has_started in gates.has_started.values()))
        run.cancel_steps(["a"])
        run.cancel_steps(["a"])
        gates.release.set()
        result = await run.result()
    assert result.status == "finished"
    assert {name: step.status for name, step in result.steps.items()} == {
        "p": "finished",
        "a": "cancelled",
        "b": "finished",
        "s": "skipped",
    }
    assert result.outputs["b.output"] == "hi b"


async def test_step_that_ended_in_time_is_not_ended_again_after_the_grace_period():
    gates = Gates()
    plan = plan_of(
        [*NODES, gates.node()],
        {"p": "say", "a": ("hold", {"name": "a"}), "b": ("hold", {"name": "b"}), "s": "shout"},
        [("p.output", "a.text"), ("p.output", "b.text"), ("b.output", "s.text")],
    )
    async with start(plan, grace=0, max_concurrency=2) as run:
        await asyncio.gather(*(has_started.wait() for has_started in gates.has_started.values()))
        run.cancel_steps(["a"])
        for _ in range(10):
            await asyncio.sleep(0)
        gates.release.set()
        result = await run.result()
    assert [step.status for step in result.steps.values()] == [
        "finished",
        "cancelled",
        "finished",
        "finished",
    ]
    ended = [event.step for event in result.events if event.type in ("step.finished", "step.skipped")]
    assert ended == ["p", "a", "b", "s"]
    skipped = [event.data for event in result.events if event.type == "step.skipped"]
    assert skipped == [{"because": None, "reason": "cancelled"}]


async def test_step_that_has_not_started_never_starts():
    gates = Gates()
    calls = []

    @node
    def count(text: Text) -> Text:
        calls.append(text)
        return text

    plan = plan_of(
        [*NODES, gates.node(), count],
        {"p": "say", "a": "hold", "c": "count", "s": "shout"},
        [("p.output", "a.text"), ("a.output", "c.text"), ("a.output", "s.text")],
    )
    async with start(plan) as run:
        await gates.has_started["a"].wait()
        run.cancel_steps(["c"])
        gates.release.set()
        result = await run.result()
    assert (result.status, calls) == ("finished", [])
    assert (result.steps["c"].status, result.steps["s"].status) == ("skipped", "finished")


async def test_step_that_ignores_cancellation_does_not_hold_up_the_run():
    has_started, release = threading.Event(), threading.Event()

    @node
    def stubborn(text: Text) -> Text:
        has_started.set()
        release.wait(30)
        return "late"

    plan = plan_of([*NODES, stubborn], {"p": "say", "x": "stubborn"}, [("p.output", "x.text")])
    try:
        async with start(plan, grace=0.05) as run:
            await asyncio.to_thread(has_started.wait, 30)
            run.cancel_steps(["x"])
            result = await asyncio.wait_for(run.result(), 20)
    finally:
        release.set()
    assert (result.status, result.steps["x"].status) == ("finished", "cancelled")


@pytest.mark.parametrize("options", [{"limits": {"acme": 1}}, {"max_concurrency": 1}], ids=["slot", "place"])
async def test_step_that_is_abandoned_makes_room_for_the_next(options):
    has_started, calls = asyncio.Event(), []

    @node(limit="acme")
    async def stubborn(*, n: int) -> Text:
        calls.append(n)
        if n == 1:
            has_started.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await asyncio.Event().wait()
        return f"{n}"

    plan = plan_of([stubborn], {name: ("stubborn", {"n": n}) for n, name in enumerate("xyz", 1)})
    async with asyncio.timeout(20), start(plan, grace=0, **options) as run:
        await has_started.wait()
        run.cancel_steps(["x"])
        result = await run.result()
    assert [step.status for step in result.steps.values()] == ["cancelled", "finished", "finished"]
    assert calls == [1, 2, 3]


async def test_all_items_of_a_mapped_step_are_cancelled():
    started = asyncio.Event()

    @node
    def three() -> list[Text]:
        return [Text("a"), Text("b"), Text("c")]

    @node
    async def doze(text: Text) -> Text:
        started.set()
        await asyncio.sleep(60)
        return text

    plan = plan_of([*NODES, three, doze], {"t": "three", "n": "doze"}, [("t.output", "n.text")])
    async with start(plan, max_concurrency=2) as run:
        await started.wait()
        run.cancel_steps(["n"])
        result = await asyncio.wait_for(run.result(), 20)
    assert (result.status, result.steps["n"].status) == ("finished", "cancelled")


async def test_what_a_cancelled_step_was_charged_stays_charged():
    has_started = asyncio.Event()

    @node
    async def pay(text: Text, *, context: Context) -> Text:
        context.charge(0.25)
        has_started.set()
        await asyncio.sleep(60)
        return text

    plan = plan_of([*NODES, pay], {"p": "say", "x": "pay"}, [("p.output", "x.text")])
    async with start(plan) as run:
        await has_started.wait()
        run.cancel_steps(["x"])
        result = await run.result()
    assert (result.cost_usd, result.steps["x"].cost_usd) == (0.25, 0.25)


async def test_equal_step_runs_itself_when_the_one_that_it_followed_is_cancelled():
    gates = Gates()
    plan = plan_of(
        [*NODES, gates.node()],
        {"p": "say", "a": "hold", "b": "hold"},
        [("p.output", "a.text"), ("p.output", "b.text")],
    )
    async with start(plan) as run:
        await gates.has_started["a"].wait()
        gates.has_started["a"].clear()
        run.cancel_steps(["a"])
        await gates.has_started["a"].wait()
        gates.release.set()
        result = await run.result()
    assert (result.steps["a"].status, result.steps["b"].status) == ("cancelled", "finished")


async def test_step_that_has_ended_stays_as_it_is_and_unknown_ones_are_refused():
    plan = plan_of(NODES, {"p": "say"})
    async with start(plan) as run:
        await run.result()
        run.cancel_steps(["p"])
    assert (await execute(plan)).status == "finished"
    gates = Gates()
    held = plan_of([*NODES, gates.node()], {"p": "say", "a": "hold"}, [("p.output", "a.text")])
    async with start(held) as run:
        await gates.has_started["a"].wait()
        with pytest.raises(InputsInvalid):
            run.cancel_steps(["gone"])
        run.cancel_steps(["p"])
        gates.release.set()
        result = await run.result()
    assert [step.status for step in result.steps.values()] == ["finished", "finished"]


async def test_step_that_was_cancelled_before_the_run_begins_never_starts():
    calls = []

    @node(id="count")
    def count(text: Text) -> Text:
        calls.append(text)
        return text

    plan = plan_of(
        [*NODES, count],
        {"p": "say", "a": "count", "b": "count", "s": "shout"},
        [("p.output", "a.text"), ("p.output", "b.text"), ("a.output", "s.text")],
    )
    run = start(plan, reuse="none")
    run.cancel_steps(["a"])
    async with run:
        result = await run.result()
    statuses = {name: step.status for name, step in result.steps.items()}
    assert statuses == {"p": "finished", "a": "skipped", "b": "finished", "s": "skipped"}
    assert len(calls) == 1
    unknown = start(plan)
    unknown.cancel_steps(["gone"])
    with pytest.raises(InputsInvalid):
        await unknown.begin()
