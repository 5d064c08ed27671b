"""Charges by the key that pays them, runs that are stopped for money, and estimates by provider."""

import asyncio
from typing import Any

import orjson
import pytest

import impasto
from impasto import Catalog, Context, NodeError, Text, node
from impasto.journal.memory import MemoryJournal
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio

LIMIT_REACHED = NodeError("You spent $1 of $1 today.", code="spending_limit")


@node(id="begin")
async def begin() -> Text:
    """Give a text."""
    return "go"


@node(id="buy", cost=lambda settings, inputs: {"usd": 0.4, "provider": "shop"})
async def buy(text: Text, *, provider: str = "shop", context: Context) -> Text:
    """Look up a key and charge for the call."""
    await context.credential(provider)
    context.charge(0.5, calls=1)
    return text


@node(id="give", cost=0.25)
async def give(text: Text) -> Text:
    """Cost something that no provider is named for."""
    return text


def flow(*types: str, **settings: Any) -> dict[str, Any]:
    """Return a chain of nodes, each with an id like its type, followed by its position."""
    nodes: list[dict[str, Any]] = [{"id": "begin", "type": "begin"}]
    edges, before = [], "begin"
    for number, kind in enumerate(types):
        nodes.append({"id": f"{kind}{number}", "type": kind, "settings": settings})
        edges.append({"from": f"{before}.output", "to": f"{kind}{number}.text"})
        before = f"{kind}{number}"
    return {"format": 1, "name": "spend", "nodes": nodes, "edges": edges}


def catalog() -> Catalog:
    return Catalog([begin, buy, give])


async def own_key(provider: str) -> str | None:
    return "key" if provider == "mine" else None


@pytest.mark.parametrize(("provider", "is_own"), [("mine", True), ("shop", False)])
async def test_charge_says_whether_the_users_own_key_pays(provider: str, is_own: bool) -> None:
    journal = MemoryJournal()
    plan = impasto.compile(flow("buy", provider=provider), catalog())
    await impasto.execute(plan, run_id="r", journal=journal, credentials=own_key)
    charges = [orjson.loads(record.body) for record in await journal.read("r") if record.kind == "charge"]
    assert [charge.get("own_key", False) for charge in charges] == [is_own]
    assert [charge["usd"] for charge in charges] == [0.5]


async def test_run_that_stops_spending_keeps_running_steps_and_starts_no_more() -> None:
    arrived, gate = asyncio.Event(), asyncio.Event()

    @node(id="wait")
    async def wait(text: Text, *, context: Context) -> Text:
        arrived.set()
        await gate.wait()
        context.charge(0.5)
        return text

    plan = impasto.compile(flow("wait", "buy"), Catalog([begin, buy, wait]))
    async with asyncio.timeout(20), impasto.start(plan) as run:
        await arrived.wait()
        run.stop_spending(LIMIT_REACHED)
        run.stop_spending(NodeError("a later reason"))
        gate.set()
        result = await run.result()
    assert (result.status, result.error.code, result.cost_usd) == ("failed", "spending_limit", 0.5)
    assert [result.steps[name].status for name in ("wait0", "buy1")] == ["finished", "skipped"]


async def test_run_that_has_ended_is_not_stopped_again() -> None:
    plan = impasto.compile(flow("buy"), catalog())
    async with impasto.start(plan) as run:
        await run.result()
        run.stop_spending(LIMIT_REACHED)
    assert (await run.result()).status == "finished"


async def test_budget_ends_the_run_with_the_given_error() -> None:
    plan = impasto.compile(flow("buy", "give"), catalog())
    result = await impasto.execute(plan, budget_usd=0.6, budget_error=LIMIT_REACHED)
    assert result.error.code == "spending_limit"
    assert result.cost_usd == 0.5


def test_costs_are_added_up_by_provider() -> None:
    plan = impasto.compile(flow("buy", "give", "buy"), catalog())
    assert plan.provider_costs() == {"shop": pytest.approx(0.8), "": 0.25}
    assert plan.estimate()["usd"] == pytest.approx(1.05)


@pytest.mark.parametrize(("cost", "is_unpriced"), [(None, True), (0.1, False)])
def test_generative_steps_without_a_cost_function_are_unpriced(cost: float | None, is_unpriced: bool) -> None:
    @node(id="write", generative=True, cost=cost)
    async def write(text: Text) -> Text:
        return text

    assert impasto.compile(flow("write"), Catalog([begin, write])).has_unpriced_steps is is_unpriced
    assert not impasto.compile(flow("give"), catalog()).has_unpriced_steps


async def run_buying(order: Any, **options: Any) -> tuple[Any, list[tuple[str, str, dict[str, Any]]]]:
    """Run a flow with this step; return its result and the journal's records of money."""
    journal = MemoryJournal()
    plan = plan_of([begin, order], {"begin": "begin", "o": order.__name__}, [("begin.output", "o.text")])
    async with asyncio.timeout(20):
        result = await impasto.execute(plan, run_id="r", journal=journal, **options)
    records = [record for record in await journal.read("r") if record.kind in {"charge", "reserve", "settle"}]
    assert {record.step for record in records} <= {"o"}
    return result, [(record.kind, record.name, orjson.loads(record.body)) for record in records]


@pytest.mark.parametrize("key", [None, "own"])
async def test_journal_has_every_reservation_charge_and_settlement(key: str | None) -> None:
    @node
    async def order(text: Text, *, context: Context) -> Text:
        await context.credential("shop")
        async with context.reserve(0.5) as call:
            call.charge(0.125, images=2)
            call.charge(0.125, images=1)
        async with context.reserve(0.25, name="again") as call:
            call.assume_spent()
        async with context.reserve(0.25, name="again") as call:
            call.charge(0.0625)
        async with context.reserve(0.25):
            pass
        async with context.reserve(0.0) as call:
            call.charge(0.0, images=1)
        context.charge(0.5, calls=1)
        return text

    async def credentials(provider: str) -> str | None:
        return key

    result, records = await run_buying(order, credentials=credentials, budget_usd=2)
    own = {"own_key": True} if key else {}
    assert records == [
        ("reserve", "o #1", {"usd": 0.5, "held": 0.0, **own}),
        ("charge", "", {"usd": 0.125, "units": {"images": 2}, "call": "o #1", "reserved": 0.125, **own}),
        ("charge", "", {"usd": 0.125, "units": {"images": 1}, "call": "o #1", "reserved": 0.125, **own}),
        ("settle", "o #1", {"usd": 0.25, **own}),
        ("reserve", "o again", {"usd": 0.25, "held": 0.0, **own}),
        (
            "charge",
            "",
            {"usd": 0.25, "units": {}, "call": "o again", "reserved": 0.25, "assumed": True, **own},
        ),
        ("settle", "o again", {"usd": 0.0, **own}),
        ("charge", "", {"usd": -0.25, "units": {}, "call": "o again", "assumed": True, **own}),
        ("reserve", "o again", {"usd": 0.25, "held": 0.0, **own}),
        ("charge", "", {"usd": 0.0625, "units": {}, "call": "o again", "reserved": 0.0625, **own}),
        ("settle", "o again", {"usd": 0.1875, **own}),
        ("reserve", "o #2", {"usd": 0.25, "held": 0.0, **own}),
        ("settle", "o #2", {"usd": 0.25, **own}),
        ("charge", "", {"usd": 0.0, "units": {"images": 1}, "call": "o #3", "reserved": 0.0, **own}),
        ("charge", "", {"usd": 0.5, "units": {"calls": 1}, **own}),
    ]
    assert (result.cost_usd, result.steps["o"].cost_usd) == (0.8125, 0.8125)
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "o"]
    assert (done.data["cost_usd"], done.data["units"]) == (0.8125, {"images": 4, "calls": 1})


class Limit:
    """A limit outside of the run that holds a quarter of a dollar a call, until it is reached."""

    def __init__(self, *, allows_unpriced: bool = False) -> None:
        self.allows_unpriced = allows_unpriced
        self.asked: list[tuple[float, float, bool]] = []
        self.is_reached = False

    async def hold(self, usd: float, at_least: float, *, may_wait: bool) -> float:
        self.asked.append((usd, at_least, may_wait))
        if self.is_reached:
            raise LIMIT_REACHED
        return min(usd, 0.25)


async def test_limit_holds_what_an_earlier_call_does_not_cover() -> None:
    limit = Limit()

    @node
    async def order(text: Text, *, context: Context) -> Text:
        async with context.reserve(0.5, at_least=0.125, name="a") as call:
            assert call.max_usd == 0.25
            call.assume_spent()
        async with (
            context.reserve(0.75, at_least=0.125, name="a") as call,
            context.reserve(0.125, name="b") as other,
        ):
            assert (call.max_usd, other.max_usd) == (0.5, 0.125)
            call.charge(0.375)
            other.charge(0.125)
        async with context.reserve(0.0) as free:
            assert free.max_usd == 0.0
            free.assume_spent()
        return text

    result, records = await run_buying(order, spending=limit)
    assert result.status == "finished", result.steps["o"].error
    assert limit.asked == [(0.5, 0.125, True), (0.5, 0.0, True), (0.125, 0.125, False)]
    assert [(name, body) for kind, name, body in records if kind == "reserve"] == [
        ("o a", {"usd": 0.25, "held": 0.25}),
        ("o a", {"usd": 0.5, "held": 0.25}),
        ("o b", {"usd": 0.125, "held": 0.125}),
    ]
    assert [body["usd"] for kind, _, body in records if kind == "charge"] == [0.25, -0.25, 0.375, 0.125]
    assert result.cost_usd == 0.5


async def test_call_that_a_limit_refuses_leaves_the_budget_and_what_was_assumed() -> None:
    limit = Limit()

    @node
    async def order(text: Text, *, context: Context) -> Text:
        async with context.reserve(0.25, name="a") as call:
            call.assume_spent()
        limit.is_reached = True
        with pytest.raises(NodeError, match="You spent"):
            async with context.reserve(1.0, name="a"):
                raise AssertionError("it was refused")
        limit.is_reached = False
        async with context.reserve(1.0, at_least=0.25) as call:
            call.charge(0.125)
        return text

    result, records = await run_buying(order, spending=limit, budget_usd=1)
    assert limit.asked[-1] == (0.75, 0.25, True)
    assert (result.status, result.cost_usd) == ("finished", 0.375)
    assert [body["usd"] for kind, _, body in records if kind == "charge"] == [0.25, -0.25, 0.25, 0.125]


@pytest.mark.parametrize(
    ("options", "is_allowed"),
    [
        ({}, True),
        ({"allow_unpriced": False}, True),
        ({"budget_usd": 1}, False),
        ({"budget_usd": 1, "allow_unpriced": True}, True),
        ({"spending": Limit()}, False),
        ({"spending": Limit(), "allow_unpriced": True}, False),
        ({"spending": Limit(allows_unpriced=True), "budget_usd": 1}, True),
    ],
    ids=["free", "no limit", "budget", "allowed", "limit", "limit and allowed", "limit allows"],
)
async def test_call_without_a_price_needs_permission_where_money_is_limited(
    options: dict[str, Any], is_allowed: bool
) -> None:
    @node
    async def order(text: Text, *, context: Context) -> Text:
        async with context.reserve(None) as call:
            assert call.max_usd is None
            call.charge(0.25)
        return text

    result, _ = await run_buying(order, **options)
    if is_allowed:
        assert (result.status, result.cost_usd) == ("finished", 0.25)
    else:
        assert (result.steps["o"].error.code, result.cost_usd) == ("price_unknown", 0)


@pytest.mark.parametrize("is_reserved", [True, False])
async def test_run_that_spent_more_than_its_budget_starts_no_more_steps(is_reserved: bool) -> None:
    @node(id="order")
    async def order(text: Text, *, context: Context) -> Text:
        if not is_reserved:
            context.charge(1.5)
            return text
        async with context.reserve(0.5) as call:
            call.charge(1.5)
        return text

    plan = impasto.compile(flow("order", "buy"), Catalog([begin, buy, order]))
    result = await impasto.execute(plan, budget_usd=1)
    assert (result.status, result.error.code, result.cost_usd) == ("failed", "budget_exceeded", 1.5)
    assert result.error.message == "The run reached its budget of $1 and was stopped."
    assert [result.steps[name].status for name in ("order0", "buy1")] == ["finished", "skipped"]


async def test_call_for_which_nothing_is_left_ends_the_run() -> None:
    @node
    async def order(text: Text, *, context: Context) -> Text:
        async with context.reserve(0.5, name="a") as call:
            call.assume_spent()
        async with context.reserve(2.0, name="a"):
            raise AssertionError("it was refused")

    result, records = await run_buying(order, budget_usd=1)
    assert (result.status, result.error.code, result.cost_usd) == ("failed", "budget_exceeded", 0.5)
    assert result.steps["o"].error.message == "The run reached its budget of $1 and was stopped."
    assert [body["usd"] for kind, _, body in records if kind == "charge"] == [0.5, -0.5, 0.5]
