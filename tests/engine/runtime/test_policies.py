import asyncio
import math
import time
from decimal import Decimal

import pytest
from tests.engine.runtime.run_nodes import FAST, NODES, say, types_of

from impasto import Context, NodeError, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


async def test_only_retryable_errors_are_retried():
    tries = {"a": 0, "b": 0, "c": 0}

    @node(retries=2)
    async def flaky(*, name: str, good_after: int, retryable: bool, context: Context) -> Text:
        tries[name] += 1
        assert context.attempt == tries[name]
        if tries[name] <= good_after:
            raise NodeError("Busy.", code="busy", retryable=retryable, retry_after=0.001)
        return name + context.idempotency_key[:0]

    def step(name, good_after, retryable):
        return ("flaky", {"name": name, "good_after": good_after, "retryable": retryable})

    plan = plan_of([flaky], {"a": step("a", 2, True), "b": step("b", 9, True), "c": step("c", 1, False)})
    result = await execute(plan, backoff=FAST)
    assert tries == {"a": 3, "b": 3, "c": 1}
    assert [result.steps[name].status for name in "abc"] == ["finished", "failed", "failed"]
    retrying = [event.data for event in result.events if event.type == "step.retrying" and event.step == "a"]
    assert [data["attempt"] for data in retrying] == [2, 3]
    assert retrying[0]["seconds"] == 0.001
    assert retrying[0]["error"]["code"] == "busy"


async def test_dropped_connections_and_timeouts_are_retryable():
    tries = []

    @node(retries=3)
    async def call() -> Text:
        tries.append(1)
        raise (ConnectionResetError if len(tries) == 1 else TimeoutError)("gone")

    result = await execute(plan_of([call], {"c": "call"}), backoff=FAST)
    assert len(tries) == 4
    assert (result.steps["c"].error.code, result.steps["c"].error.retryable) == ("timeout", True)


async def test_retry_delay_beyond_the_deadline_is_not_started():
    @node(retries=5, timeout=20)
    async def call() -> Text:
        raise NodeError("Busy.", code="busy", retryable=True, retry_after=60)

    started = time.perf_counter()
    result = await execute(plan_of([call], {"c": "call"}))
    assert time.perf_counter() - started < 20
    assert result.steps["c"].error.code == "busy"


@pytest.mark.parametrize("stubborn", [False, True])
async def test_step_that_exceeds_its_timeout_fails(stubborn):
    release = asyncio.Event()

    @node(timeout=0.02)
    async def hang() -> Text:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                if not stubborn:
                    raise
        return "late"

    result = await execute(plan_of([hang], {"h": "hang"}))
    release.set()
    assert (result.status, result.steps["h"].error.code) == ("failed", "timeout")


async def test_run_that_exceeds_its_timeout_fails_and_keeps_finished_steps():
    plan = plan_of(
        NODES,
        {"p": "say", "n": ("nap", {"seconds": 30}), "s": "shout"},
        [("p.output", "n.text"), ("n.output", "s.text")],
    )
    result = await execute(plan, timeout=0.02)
    assert (result.status, result.error.code) == ("failed", "timeout")
    assert result.outputs["p.output"] == "hi"
    assert (result.steps["n"].status, result.steps["s"].status) == ("cancelled", "skipped")
    assert types_of(result)[-1] == "run.failed"


async def test_step_whose_estimate_exceeds_the_budget_does_not_start():
    ran = []

    @node(cost=0.4)
    async def costly(text: Text, *, n: int, context: Context) -> Text:
        ran.append(n)
        context.charge(0.4, images=1)
        return text

    plan = plan_of(
        [say, costly],
        {"p": "say", "a": ("costly", {"n": 1}), "b": ("costly", {"n": 2}), "c": ("costly", {"n": 3})},
        [("p.output", "a.text"), ("a.output", "b.text"), ("b.output", "c.text")],
    )
    result = await execute(plan, budget_usd=1.0)
    assert ran == [1, 2]
    assert (result.status, result.error.code) == ("failed", "budget_exceeded")
    assert (result.steps["c"].status, result.steps["c"].reason) == ("skipped", "budget")
    assert result.cost_usd == pytest.approx(0.8)
    assert result.steps["a"].cost_usd == pytest.approx(0.4)
    finished = next(event for event in result.events if event.type == "step.finished" and event.step == "a")
    assert finished.data["units"] == {"images": 1}


async def test_step_that_does_not_fit_the_budget_waits_for_what_running_steps_give_back():
    gate, ran = asyncio.Event(), []

    @node(cost=0.4)
    async def costly(*, n: int, context: Context) -> Text:
        ran.append(n)
        await gate.wait()
        context.charge(0.1, images=1)
        return "made"

    @node
    async def opens() -> Text:
        gate.set()
        return f"open beside {len(ran)}"

    steps = {f"n{n}": ("costly", {"n": n}) for n in range(3)}
    result = await execute(plan_of([costly, opens], {**steps, "o": "opens"}), budget_usd=1.0, timeout=5)
    assert (result.status, sorted(ran)) == ("finished", [0, 1, 2])
    assert result.outputs["o.output"] == "open beside 2"
    assert result.cost_usd == pytest.approx(0.3)


async def test_charge_beyond_the_budget_stops_later_steps():
    @node
    async def dear(text: Text, *, context: Context) -> Text:
        context.charge(5)
        return text

    plan = plan_of(
        [*NODES, dear],
        {"p": "say", "d": "dear", "s": "shout"},
        [("p.output", "d.text"), ("d.output", "s.text")],
    )
    result = await execute(plan, budget_usd=1)
    assert (result.steps["d"].status, result.steps["s"].status, result.error.code) == (
        "finished", "skipped", "budget_exceeded",
    )  # fmt: skip


async def test_cost_function_gets_the_arguments_that_it_names():
    seen = []

    @node(cost=lambda text, times: seen.append((text, times)) or 0)
    async def priced(text: Text, *, times: int = 2) -> Text:
        return text

    plan = plan_of([say, priced], {"p": "say", "x": "priced"}, [("p.output", "x.text")])
    plan.estimate()
    await execute(plan, budget_usd=1)
    assert seen == [("hi", 2), ("hi", 2)]


@pytest.mark.parametrize(
    "options",
    [
        {"budget_usd": math.nan},
        {"budget_usd": -0.1},
        {"timeout": 0},
        {"timeout": math.nan},
        {"lease_seconds": -1},
        {"max_concurrency": 0},
        {"max_concurrency": math.nan},
        {"max_concurrency": 1.5},
        {"timeout": "5"},
        {"budget_usd": Decimal(1)},
        {"grace": -1},
        {"lease_seconds": None},
        {"targets": [5]},
        {"targets": b"p"},
        {"fresh": 5},
        {"limits": {"openai": 0}},
        {"targets": "p"},
        {"fresh": "p"},
    ],
    ids=str,
)
async def test_invalid_option_is_refused_before_the_run_begins(options):
    with pytest.raises(ValueError, match=next(iter(options)).removesuffix("s")):
        await execute(plan_of(NODES, {"p": "say"}), **options)
