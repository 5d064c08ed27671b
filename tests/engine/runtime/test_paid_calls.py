"""Paid calls: the worst case is reserved before, what was spent is settled after, however they end."""

import asyncio
import random
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impasto
from impasto import Catalog, Context, NodeError, Text, node
from impasto.errors import LeaseLost
from impasto.journal.memory import MemoryJournal
from impasto.runtime.budget import Budget

pytestmark = pytest.mark.anyio
ROUNDING = 1e-9
CALL = st.tuples(
    st.floats(0, 1), st.floats(0, 1), st.integers(0, 4), st.sampled_from(["ends", "fails", "stops"])
)


async def paid(budget: Budget, call: tuple[float, float, int, str], chance: random.Random) -> None:
    """Reserve, spend a part of what was granted after some turns of the event loop, and release."""
    usd, share, turns, end = call
    for _ in range(chance.randrange(4)):
        await asyncio.sleep(0)
    reservation = await budget.acquire(usd, usd * chance.random())
    if reservation is None:
        return
    try:
        for _ in range(turns):
            await asyncio.sleep(0)
        if end == "fails":
            raise ValueError
    finally:
        budget.charge(reservation.usd * share, reservation)
        budget.release(reservation)


@given(st.floats(0, 3), st.lists(CALL, max_size=12), st.integers(0, 2**16))
@settings(max_examples=150, deadline=None)
def test_parallel_calls_never_spend_more_than_the_budget(
    cap: float, calls: list[tuple[float, float, int, str]], seed: int
) -> None:
    async def scenario() -> None:
        budget, chance = Budget(cap), random.Random(seed)
        tasks = [asyncio.create_task(paid(budget, call, chance)) for call in calls]
        for task, call in zip(tasks, calls, strict=True):
            if call[3] == "stops":
                await asyncio.sleep(0)
                task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*tasks, return_exceptions=True)
        assert budget.spent <= cap + ROUNDING
        assert budget.reserved == 0
        assert not budget.is_held

    asyncio.run(scenario())


@node(id="begin")
async def begin(*, n: int = 1) -> list[int]:
    return list(range(n))


def catalog(*types: Any) -> Catalog:
    return Catalog([begin, *types])


def plan_for(buy: Any, n: int = 1) -> impasto.Plan:
    document = {
        "format": 1,
        "name": "buy",
        "nodes": [{"id": "begin", "type": "begin", "settings": {"n": n}}, {"id": "buy", "type": "buy"}],
        "edges": [{"from": "begin.output", "to": "buy.item"}],
    }
    return impasto.compile(document, catalog(buy))


async def test_parallel_steps_stay_within_the_budget_and_use_it() -> None:
    granted: list[float | None] = []

    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.3, at_least=0.1) as call:
            granted.append(call.max_usd)
            await asyncio.sleep(0)
            call.charge(min(0.15, call.max_usd or 1), images=1)
        return "made"

    result = await impasto.execute(plan_for(buy, 10), budget_usd=1.0)
    assert result.cost_usd <= 1.0 + ROUNDING
    assert len(granted) == 7, "a call waits for what the others give back, then takes what is left"
    assert granted[-2:] == [pytest.approx(0.25), pytest.approx(0.1)]
    assert (result.status, result.error.code) == ("failed", "budget_exceeded")


async def test_run_without_a_budget_sets_no_maximum() -> None:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(None) as call:
            assert call.max_usd is None
            call.charge(2.0)
        return "made"

    assert (await impasto.execute(plan_for(buy))).cost_usd == 2.0


async def test_call_without_a_price_needs_permission_in_a_run_with_a_budget() -> None:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(None) as call:
            call.charge(0.2)
        return "made"

    refused = await impasto.execute(plan_for(buy), budget_usd=1)
    assert refused.error.code == "items_failed"
    assert refused.error.items[0]["error"]["code"] == "price_unknown"
    assert refused.cost_usd == 0
    allowed = await impasto.execute(plan_for(buy), budget_usd=1, allow_unpriced=True)
    assert (allowed.status, allowed.cost_usd) == ("finished", 0.2)


async def test_money_of_a_failed_step_is_counted() -> None:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.5) as call:
            context.record_generation(provider="shop")
            call.charge(0.2)
            raise NodeError("The answer was empty.", code="empty_answer")

    result = await impasto.execute(plan_for(buy), budget_usd=1)
    assert result.steps["buy"].cost_usd == pytest.approx(0.2)
    assert result.cost_usd == pytest.approx(0.2)
    (failed,) = [event for event in result.events if event.type == "step.failed"]
    assert failed.data["made_by"]["provider"] == "shop"


async def test_cancelled_call_counts_as_spent_unless_it_says_otherwise() -> None:
    arrived = asyncio.Event()

    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.5):
            arrived.set()
            await asyncio.Event().wait()
        return "made"

    async with asyncio.timeout(20), impasto.start(plan_for(buy), budget_usd=1) as run:
        await arrived.wait()
        result = await run.cancel()
    assert (result.status, result.cost_usd) == ("cancelled", 0.5)
    assert result.steps["buy"].cost_usd == 0.5


async def test_two_calls_of_one_step_do_not_wait_for_each_other() -> None:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.6) as first, context.reserve(0.6) as second:
            first.charge(0.1)
            second.charge(0.1)
        return "made"

    async with asyncio.timeout(20):
        result = await impasto.execute(plan_for(buy), budget_usd=1)
    assert result.error.code == "budget_exceeded"


async def lost_run(name: str) -> MemoryJournal:
    """Return the journal of a run whose process died in the middle of a paid call."""
    journal, arrived = MemoryJournal(), asyncio.Event()

    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.4, name=name):
            arrived.set()
            await asyncio.Event().wait()
        return "made"

    async with asyncio.timeout(20):
        run = await impasto.start(plan_for(buy), run_id="r", journal=journal, budget_usd=1, owner="a").begin()
        await arrived.wait()
        kept = await journal.read("r")
        await run.cancel()
    lost = MemoryJournal()
    lease = await lost.create("r", "a", 30, kept[:1])
    await lost.append(lease, kept[1:])
    await lost.release(lease)
    return lost


async def resumed(journal: MemoryJournal, name: str, price: float) -> Any:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.4, name=name) as call:
            call.charge(price)
        return "made"

    return await impasto.resume("r", catalog=catalog(buy), journal=journal)


async def test_call_of_a_dead_process_counts_as_spent() -> None:
    journal = await lost_run("")
    result = await resumed(journal, "", 0.1)
    assert result.status == "finished"
    assert result.cost_usd == pytest.approx(0.5)
    assert result.steps["buy"].cost_usd == pytest.approx(0.5)
    again = await resumed(journal, "", 0.1)
    assert again.cost_usd == pytest.approx(0.5), "it is counted once"


async def test_run_that_a_dead_process_has_left_beyond_its_budget_starts_nothing() -> None:
    calls = []

    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        calls.append(item)
        return "made"

    journal = await lost_run("")
    result = await impasto.resume("r", catalog=catalog(buy), journal=journal, budget_usd=0.3)
    assert (result.status, result.error.code, result.cost_usd) == ("failed", "budget_exceeded", 0.4)
    assert (calls, result.steps["buy"].status, result.steps["buy"].cost_usd) == ([], "skipped", 0.4)


class DyingJournal(MemoryJournal):
    """Loses its lease after some appends, as if the process had died."""

    def __init__(self, appends: int) -> None:
        super().__init__()
        self.left = appends

    async def append(self, lease: Any, records: Any) -> None:
        if not self.left:
            raise LeaseLost(lease.run_id)
        self.left -= 1
        await super().append(lease, records)


@pytest.mark.parametrize("appends", range(12))
async def test_costs_of_steps_add_up_to_the_runs_wherever_its_process_dies(appends: int) -> None:
    @node(id="buy", retries=1)
    async def buy(item: int, *, context: Context) -> Text:
        if await context.recall("ordered") is None:
            async with context.reserve(0.4, name="order") as call:
                call.charge(0.25)
            await context.remember("ordered", True)
        context.charge(0.05)
        await context.remember("paid", True)
        async with context.reserve(0.2) as call:
            call.charge(0.1)
        return "made"

    dying = DyingJournal(appends)
    with suppress(LeaseLost):
        await impasto.execute(plan_for(buy, 2), run_id="r", journal=dying, owner="a", budget_usd=5)
    kept = await dying.read("r")
    lost = MemoryJournal()
    lease = await lost.create("r", "a", 30, kept[:1])
    await lost.append(lease, kept[1:])
    await lost.release(lease)
    result = await impasto.resume("r", catalog=catalog(buy), journal=lost)
    charges = [orjson.loads(record.body)["usd"] for record in await lost.read("r") if record.kind == "charge"]
    assert result.status == "finished"
    assert result.cost_usd == pytest.approx(sum(charges))
    assert sum(step.cost_usd for step in result.steps.values()) == pytest.approx(sum(charges))


@pytest.mark.parametrize("price", [0.4, 0.3, 0.0])
async def test_call_that_goes_on_after_a_crash_is_paid_once(price: float) -> None:
    result = await resumed(await lost_run("prediction"), "prediction", price)
    assert result.status == "finished"
    assert result.cost_usd == pytest.approx(price)
    assert result.steps["buy"].cost_usd == pytest.approx(price)


async def test_retry_corrects_what_the_attempt_before_it_assumed() -> None:
    @node(id="buy", retries=1)
    async def buy(item: int, *, context: Context) -> Text:
        async with context.reserve(0.4, name="order") as call:
            if context.attempt == 1:
                call.assume_spent()
                raise NodeError("No answer.", retryable=True)
            call.charge(0.25)
        return "made"

    backoff = impasto.Backoff(base=0)
    result = await impasto.execute(plan_for(buy), budget_usd=0.5, backoff=backoff)
    assert (result.status, result.cost_usd) == ("finished", 0.25)
    assert result.steps["buy"].cost_usd == pytest.approx(0.25)


class OneDollar:
    """A limit that several runs share."""

    allows_unpriced = False

    def __init__(self) -> None:
        self.left = 1.0

    async def hold(self, usd: float, at_least: float, *, may_wait: bool) -> float:
        await asyncio.sleep(0)
        taken = min(usd, self.left)
        if taken < at_least:
            raise NodeError("Your limit is reached.", code="spending_limit")
        self.left -= taken
        return taken


@pytest.mark.parametrize(("key", "is_limited"), [("mine", False), (None, True)])
async def test_limit_outside_bounds_calls_on_the_servers_key(key: str | None, is_limited: bool) -> None:
    @node(id="buy")
    async def buy(item: int, *, context: Context) -> Text:
        await context.credential("shop")
        async with context.reserve(0.7, at_least=0.2) as call:
            call.charge(0.7 if call.max_usd is None else call.max_usd)
        return "made"

    async def credentials(provider: str) -> str | None:
        return key

    journal = MemoryJournal()
    result = await impasto.execute(
        plan_for(buy, 3), run_id="r", journal=journal, spending=OneDollar(), credentials=credentials
    )
    assert result.cost_usd == pytest.approx(1.0 if is_limited else 2.1)
    records = [(record.kind, orjson.loads(record.body)) for record in await journal.read("r")]
    reserved = sum(body["usd"] for kind, body in records if kind == "reserve")
    charged = sum(body["reserved"] for kind, body in records if kind == "charge")
    assert reserved == pytest.approx(charged + sum(body["usd"] for kind, body in records if kind == "settle"))
