"""What a run offers its nodes: seeds, keys for providers, reports, and whether it was abandoned."""

import asyncio
from contextvars import ContextVar

import pytest

from impasto import Context, Integer, Json, Text, execute, node, start
from impasto.cache.keys import key_digest
from impasto.hashing import digest
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def numbers() -> list[Integer]:
    return [7, 8]


@pytest.mark.parametrize(
    ("generative", "options", "mixed"),
    [(False, {}, ""), (True, {}, "r"), (False, {"seed": 5}, "5"), (True, {"seed": 0}, "0")],
    ids=["pure", "generative", "given", "given to a generative step"],
)
async def test_seed_follows_from_the_key_and_for_generative_steps_from_the_run(generative, options, mixed):
    found = []

    @node(generative=generative)
    async def draw(*, context: Context) -> Integer:
        found.append((context.seed, key_digest(context._call.key)))
        return context.seed

    for _ in range(2):
        await execute(plan_of([draw], {"d": "draw"}), run_id="r", **options)
    (seed, key), again = found
    assert again == (seed, key)
    assert seed == int.from_bytes(digest(key + mixed.encode())[:4], "big") & 0x7FFFFFFF


async def test_seed_is_a_whole_number_of_31_bits():
    seeds = []

    @node(generative=True)
    async def draw(*, n: int, context: Context) -> Integer:
        seeds.append(context.seed)
        return n

    await execute(plan_of([draw], {f"d{n}": ("draw", {"n": n}) for n in range(60)}), run_id="r")
    assert len(set(seeds)) == 60
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert max(seeds) > 2**30


async def test_calls_of_a_run_have_keys_for_providers_that_their_attempts_share():
    @node
    async def key(number: Integer, *, context: Context) -> Json:
        return [context.idempotency_key, list(context.item), context.step]

    @node
    async def alone(*, context: Context) -> Json:
        return [context.idempotency_key, context.item, context.step, context.run_id]

    plan = plan_of(
        [numbers, key, alone], {"n": "numbers", "k": "key", "a": "alone"}, [("n.output", "k.number")]
    )
    result = await execute(plan, run_id="r")

    def of(name):
        return digest(f"r\0{name}".encode()).hex()

    assert result.outputs["a.output"] == [of("a"), None, "a", "r"]
    assert result.outputs["k.output"] == [[of("k#0"), [0], "k"], [of("k#1"), [1], "k"]]


async def test_reports_of_an_abandoned_step_are_dropped():
    has_started, is_abandoned, release = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @node
    async def stubborn(*, context: Context) -> Text:
        has_started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            context.progress(0.25, "in time")
            context.partial("in time")
        try:
            await asyncio.Event().wait()
        finally:
            context.progress(0.5, "late")
            context.partial("late")
            is_abandoned.set()
        return ""

    @node
    async def other() -> Text:
        await release.wait()
        return "other"

    plan = plan_of([stubborn, other], {"s": "stubborn", "o": "other"})
    async with asyncio.timeout(20), start(plan, grace=0) as run:
        await has_started.wait()
        run.cancel_steps(["s"])
        await is_abandoned.wait()
        release.set()
        result = await run.result()
    said = [event.data for event in result.events if event.step == "s" and event.type != "step.queued"]
    assert said == [
        {},
        {"fraction": 0.25, "message": "in time"},
        {"port": "output", "delta": "in time"},
        {"because": None, "reason": "cancelled"},
    ]


async def test_node_knows_whether_its_run_was_abandoned_or_cancelled():
    found = []

    @node
    async def wait(*, context: Context) -> Text:
        found.append(context.abandoned)
        try:
            await asyncio.Event().wait()
        finally:
            found.append(context.abandoned)
        return ""

    for end, is_abandoned in (("cancel", False), ("abandon", True)):
        found.clear()
        run = await start(plan_of([wait], {"w": "wait"})).begin()
        async with asyncio.timeout(20):
            while not found:
                await asyncio.sleep(0)
        await getattr(run, end)()
        assert found == [False, is_abandoned]


VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="none")


async def test_function_in_a_thread_has_the_context_variables_of_its_caller():
    @node
    def read() -> Text:
        return VARIABLE.get()

    token = VARIABLE.set("mine")
    try:
        assert (await execute(plan_of([read], {"r": "read"}))).outputs["r.output"] == "mine"
    finally:
        VARIABLE.reset(token)


async def test_memo_is_recalled_by_the_same_call_alone():
    @node
    async def note(number: Integer, *, context: Context) -> Json:
        before = await context.recall("k")
        await context.remember("k", {"n": number})
        return [before, await context.recall("k"), await context.recall("other")]

    plan = plan_of([numbers, note], {"n": "numbers", "t": "note"}, [("n.output", "t.number")])
    result = await execute(plan)
    assert result.outputs["t.output"] == [[None, {"n": 7}, None], [None, {"n": 8}, None]]
