"""What a fanned-out step reports and records of its items."""

from collections.abc import AsyncIterator

import orjson
import pytest

from impasto import (
    SKIP,
    Catalog,
    Context,
    Integer,
    Lazy,
    MemoryCache,
    MemoryJournal,
    Text,
    execute,
    node,
    resume,
)
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def numbers(*, items: list[int]) -> list[Integer]:
    return items


@node
async def positive(number: Integer) -> Integer:
    return number if number > 0 else SKIP


@node
async def double(number: Integer) -> Integer:
    return 2 * number


def flow(function, *items, between=None):
    """A list of numbers, one function or two in a row."""
    nodes = {"n": ("numbers", {"items": list(items)}), "x": function}
    edges = [("n.output", "x.number")]
    if between is not None:
        nodes["b"] = between
        edges = [("n.output", "b.number"), ("b.output", "x.number")]
    return nodes, edges


def data_of(result, kind, step="x"):
    return [event.data for event in result.events if (event.type, event.step) == (f"step.{kind}", step)]


async def test_item_that_is_skipped_counts_as_done():
    plan = plan_of([numbers, positive, double], *flow("double", 1, -1, 2, 3, between="positive"))
    result = await execute(plan, max_concurrency=1)
    assert data_of(result, "progress") == [
        {"fraction": 0.5, "message": "2 of 4"},
        {"fraction": 0.75, "message": "3 of 4"},
    ]
    assert data_of(result, "started") == [{}]


async def test_items_own_progress_is_its_part_of_the_steps():
    @node
    async def slow(number: Integer, *, context: Context) -> Integer:
        context.progress(0.5, f"half of {number}")
        return number

    result = await execute(plan_of([numbers, slow], *flow("slow", 7, 8)), max_concurrency=1)
    assert data_of(result, "progress") == [
        {"fraction": 0.25, "message": "half of 7"},
        {"fraction": 0.5, "message": "1 of 2"},
        {"fraction": 0.75, "message": "half of 8"},
    ]


async def test_parts_of_an_items_output_name_the_item():
    @node
    async def stream(number: Integer) -> AsyncIterator[Text]:
        yield f"{number}"
        yield f"{number} more"
        yield "other"

    @node
    async def lines(number: Integer, *, context: Context) -> list[Text]:
        context.partial("first", place=1)
        return ["a", "first"]

    nodes, edges = flow("stream", 7)
    plan = plan_of([numbers, stream, lines], {**nodes, "l": "lines"}, [*edges, ("n.output", "l.number")])
    result = await execute(plan)
    assert data_of(result, "partial") == [
        {"port": "output", "item": [0], "delta": "7"},
        {"port": "output", "item": [0], "delta": " more"},
        {"port": "output", "item": [0], "value": "other"},
    ]
    assert data_of(result, "partial", "l") == [{"port": "output", "item": [0, 1], "delta": "first"}]


async def test_costs_and_units_of_items_are_added_up_and_each_item_is_recorded():
    @node
    async def pay(number: Integer, *, context: Context) -> Integer:
        context.record_generation(provider="shop", model=f"m{number}")
        context.charge(0.25 * number, images=number, calls=1)
        return number

    journal = MemoryJournal()
    plan = plan_of([numbers, pay], *flow("pay", 1, 2))
    result = await execute(plan, journal=journal, run_id="r", max_concurrency=1)
    (finished,) = data_of(result, "finished")
    assert 0 < finished.pop("seconds") < 20
    made_by = finished.pop("made_by")
    assert (made_by["provider"], made_by["model"]) == ("shop", "m2")
    assert finished == {
        "outputs": {"output": [1, 2]},
        "cost_usd": 0.75,
        "cached": False,
        "units": {"images": 3, "calls": 2},
    }
    items = [record for record in await journal.read("r") if record.kind == "item"]
    assert [(record.name, record.step) for record in items] == [("0", "x"), ("1", "x")]
    bodies = [orjson.loads(record.body) for record in items]
    assert [len(body.pop("key")) for body in bodies] == [32, 32]
    assert bodies == [
        {"outputs": {"output": 1}, "cost_usd": 0.25},
        {"outputs": {"output": 2}, "cost_usd": 0.5},
    ]


async def test_step_is_cached_only_if_all_its_items_are():
    cache, found = MemoryCache(), []
    for items in ([1, 2], [1, 3], [3, 4], [4, 2], [4], [5]):
        result = await execute(plan_of([numbers, double], *flow("double", *items)), cache=cache)
        found.append(result.steps["x"].cached)
    assert found == [False, False, False, True, True, False]


async def test_item_whose_lazy_input_is_closed_is_a_hole():
    @node
    async def closed() -> Text:
        return SKIP

    @node
    async def label(number: Integer, text: Lazy[Text]) -> Text:
        return "one" if number == 1 else await text

    nodes, edges = flow("label", 1, 2, 3)
    plan = plan_of([numbers, closed, label], {**nodes, "c": "closed"}, [*edges, ("c.output", "x.text")])
    result = await execute(plan, max_concurrency=1)
    assert (result.status, result.outputs["x.output"]) == ("finished", ["one"])
    assert [part["message"] for part in data_of(result, "progress")] == ["1 of 3", "2 of 3"]


async def test_resumed_step_counts_the_items_that_are_done():
    attempts = []

    @node
    async def moody(number: Integer) -> Integer:
        attempts.append(number)
        if number == 2 and attempts.count(2) == 1:
            raise ValueError
        return number

    journal, cache = MemoryJournal(), MemoryCache()
    plan = plan_of([numbers, moody], *flow("moody", 1, 2, 3))
    first = await execute(plan, journal=journal, run_id="r", max_concurrency=1)
    assert [part["message"] for part in data_of(first, "progress")] == ["1 of 3", "1 of 3"]
    again = await resume("r", catalog=Catalog([numbers, moody]), journal=journal, cache=cache)
    assert (attempts, again.outputs["x.output"]) == ([1, 2, 3, 2], [1, 2, 3])
    assert data_of(again, "progress")[2:] == []
    assert data_of(again, "finished")[-1]["cached"] is False
