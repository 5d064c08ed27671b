"""Whether a step starts: it may wait for a slot, for dollars or for the cache, and end while it waits."""

import asyncio

import pytest
from tests.engine.runtime.run_nodes import NODES, calls

from impasto import Context, Integer, MemoryCache, NodeError, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def note(*, text: str = "hi") -> Text:
    calls.append(text)
    return text


class AwaitedCache(MemoryCache):
    """A cache that answers once the test lets it."""

    can_peek = False

    def __init__(self):
        super().__init__()
        self.is_asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def get(self, key):
        self.is_asked.set()
        await self.may_answer.wait()
        return self.peek(key)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("end", ["run", "step", "spending"])
async def test_step_that_is_stopped_while_the_cache_is_asked_does_not_run(end, is_known):
    cache = AwaitedCache()
    plan = plan_of([note], {"n": "note"})
    if is_known:
        cache.may_answer.set()
        await execute(plan, cache=cache)
        cache.may_answer.clear()
        cache.is_asked.clear()
        calls.clear()
    async with asyncio.timeout(20), start(plan, cache=cache) as run:
        await cache.is_asked.wait()
        if end == "run":
            ending = asyncio.create_task(run.cancel())
            await asyncio.sleep(0)
        elif end == "step":
            run.cancel_steps(["n"])
        else:
            run.stop_spending(NodeError("You spent too much."))
        cache.may_answer.set()
        result = await (ending if end == "run" else run.result())
    assert calls == []
    assert result.status == {"run": "cancelled", "step": "finished", "spending": "failed"}[end]
    assert (result.steps["n"].status, dict(result.outputs)) == ("skipped", {})
    assert result.steps["n"].reason == ("budget" if end == "spending" else "cancelled")
    assert cache.inflight == {}


async def test_output_is_reused_while_it_is_being_written_to_the_cache():
    is_writing, release = asyncio.Event(), asyncio.Event()

    class SlowCache(MemoryCache):
        async def put(self, key, outputs):
            is_writing.set()
            await release.wait()
            await super().put(key, outputs)

    plan, cache = plan_of([note], {"n": "note"}), SlowCache()
    async with asyncio.timeout(20), start(plan, cache=cache) as run:
        await is_writing.wait()
        second = await start(plan, cache=cache).begin()
        async for event in second.events():
            if event.type == "step.finished":
                break
        release.set()
        result = await second.result()
        await run.result()
    assert calls == ["hi"]
    assert (event.data["cached"], result.outputs["n.output"]) == (True, "hi")
    assert len(cache) == 1
    assert cache.inflight == {}


async def test_follower_that_has_ended_is_not_ended_again_when_the_run_is_cancelled():
    release, is_held = asyncio.Event(), asyncio.Event()

    @node
    async def slow(text: Text) -> Text:
        calls.append("slow")
        await release.wait()
        return text

    @node
    async def hold(one: Text, two: Text) -> Text:
        is_held.set()
        await asyncio.Event().wait()
        return one

    plan = plan_of(
        [*NODES, slow, hold],
        {"p": "say", "a": "slow", "b": "slow", "h": "hold"},
        [("p.output", "a.text"), ("p.output", "b.text"), ("a.output", "h.one"), ("b.output", "h.two")],
    )
    async with asyncio.timeout(20), start(plan) as run:
        while not calls:
            await asyncio.sleep(0)
        release.set()
        await is_held.wait()
        result = await run.cancel()
    assert {name: (step.status, step.cached) for name, step in result.steps.items()} == {
        "p": ("finished", False),
        "a": ("finished", False),
        "b": ("finished", True),
        "h": ("cancelled", False),
    }
    ended = [event.step for event in result.events if event.type in ("step.finished", "step.skipped")]
    assert sorted(ended) == ["a", "b", "h", "p"]


def paying(gate, meeting, names):
    """Nodes with a price: `costly` waits for the gate, `meets` for the others."""

    @node(cost=lambda usd: usd)
    async def costly(*, usd: float) -> Text:
        names.append("costly")
        await gate.wait()
        return "made"

    @node(cost=lambda usd: usd)
    async def meets(*, usd: float, n: int = 0) -> Integer:
        names.append("meets")
        await meeting.wait()
        return n

    return [costly, meets]


async def test_steps_that_wait_for_dollars_start_together_once_they_fit():
    gate, meeting = asyncio.Event(), asyncio.Barrier(2)
    nodes = {"c": ("costly", {"usd": 0.8})}
    nodes |= {f"m{n}": ("meets", {"usd": 0.4, "n": n}) for n in range(2)}
    plan = plan_of(paying(gate, meeting, calls), nodes)
    async with asyncio.timeout(20), start(plan, budget_usd=0.8) as run:
        while not calls:
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)
        assert calls == ["costly"]
        gate.set()
        result = await run.result()
    assert (result.status, calls) == ("finished", ["costly", "meets", "meets"])


async def test_step_that_waits_for_dollars_holds_no_slot():
    gate = asyncio.Event()

    @node(limit="acme")
    async def opens(*, n: int = 0) -> Text:
        calls.append("opens")
        gate.set()
        return "open"

    @node(limit="acme", cost=0.5)
    async def dear() -> Text:
        calls.append("dear")
        return "dear"

    @node(cost=0.8)
    async def costly() -> Text:
        calls.append("costly")
        await gate.wait()
        return "made"

    plan = plan_of([costly, dear, opens], {"c": "costly", "d": "dear", "o": "opens"})
    async with asyncio.timeout(20):
        result = await execute(plan, budget_usd=1, limits={"acme": 1})
    assert (result.status, calls) == ("finished", ["costly", "opens", "dear"])


async def test_step_that_waits_for_a_slot_is_skipped_at_once_when_no_more_may_be_spent():
    has_started, release = asyncio.Event(), asyncio.Event()

    @node(limit="acme")
    async def ask(*, n: int) -> Integer:
        calls.append(f"ask {n}")
        has_started.set()
        await release.wait()
        return n

    plan = plan_of([ask], {"a": ("ask", {"n": 1}), "b": ("ask", {"n": 2})})
    async with asyncio.timeout(20), start(plan, limits={"acme": 1}) as run:
        await has_started.wait()
        run.stop_spending(NodeError("You spent too much.", code="spending_limit"))
        async for event in run.events():
            if event.type == "step.skipped":
                break
        assert (event.step, event.data) == ("b", {"because": None, "reason": "budget"})
        release.set()
        result = await run.result()
    assert (result.status, result.error.code, calls) == ("failed", "spending_limit", ["ask 1"])
    assert (result.steps["a"].status, result.steps["b"].status) == ("finished", "skipped")


async def test_cost_function_of_a_spread_input_gets_the_inputs_before_it():
    seen = []

    @node(cost=lambda text, times: seen.append((text, times)) or 0.25)
    async def joined(text: Text, *more: Text, times: int = 2) -> Text:
        return text + "".join(more) * times

    plan = plan_of(
        [*NODES, joined],
        {"p": "say", "s": "shout", "j": "joined"},
        [("p.output", "s.text"), ("s.output", "j.text"), ("p.output", "j.more"), ("s.output", "j.more")],
    )
    result = await execute(plan, budget_usd=1)
    assert (result.outputs["j.output"], seen) == ("HIhiHIhiHI", [("HI", 2)])


@pytest.mark.parametrize(
    ("end", "messages"),
    [("returns", [None]), ("raises", ["NodeError"]), ("misfits", ["BadOutput"]), ("retries", ["NodeError"])],
)
async def test_end_of_each_call_is_reported(end, messages):
    heard = []

    @node(retries=1 if end == "retries" else 0)
    async def work(*, context: Context) -> Text:
        await asyncio.sleep(0)
        calls.append("work")
        if end == "misfits":
            return 5
        if end != "returns":
            raise NodeError("No.", retryable=True, retry_after=0)
        return "done"

    def listen(call, seconds, error):
        heard.append((call.step.id, 0 < seconds < 20, error and type(error).__name__))

    await execute(plan_of([work], {"w": "work"}), on_call_ended=listen)
    assert heard == [("w", True, message) for message in messages]
    assert len(calls) == (2 if end == "retries" else 1)
