"""Charges by the key that pays them, runs that are stopped for money, and estimates by provider."""

import asyncio
from typing import Any

import orjson
import pytest

import impasto
from impasto import Catalog, Context, NodeError, Text, node
from impasto.journal.memory import MemoryJournal

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
