import asyncio
from typing import NamedTuple

import pytest

from impasto import (
    SKIP,
    Any,
    Catalog,
    FlowInvalid,
    Integer,
    Json,
    MemoryCache,
    MemoryJournal,
    Number,
    Text,
    compile,
    execute,
    node,
    resume,
)
from impasto.testing import flow_of, plan_of

pytestmark = pytest.mark.anyio


@node
async def numbers(*, items: list[int]) -> list[Integer]:
    return items


@node
async def grid(*, rows: list[list[int]]) -> list[list[Integer]]:
    return rows


@node
async def double(number: Number) -> Number:
    return number * 2


@node
async def add(a: Number, b: Number, c: Number = 100) -> Number:
    return a + b + c


@node
async def total(items: list[Number]) -> Number:
    return sum(items)


@node
async def text(value: Text) -> Text:
    return f"<{value}>"


class Sides(NamedTuple):
    even: Any
    odd: Any


@node
async def split(value: Integer) -> Sides:
    return Sides(value, SKIP) if value % 2 == 0 else Sides(SKIP, value)


@node
async def merge(first: Any = None, second: Any = None) -> Any:
    return first if first is not None else second


@node
async def picky(number: Integer) -> Integer:
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number * 10


NODES = [numbers, grid, double, add, total, text, split, merge, picky]


async def run(nodes, edges, **options):
    return await execute(plan_of(NODES, nodes, edges), **options)


async def test_list_into_a_single_port_runs_the_node_once_per_item_in_order():
    result = await run({"n": ("numbers", {"items": [3, 1, 2]}), "d": "double"}, [("n.output", "d.number")])
    assert result.outputs["d.output"] == [6, 2, 4]


async def test_plan_describes_a_fanned_out_result_as_a_list():
    edges = [("n.output", "d.number")]
    plan = plan_of(NODES, {"n": ("numbers", {"items": [1]}), "d": "double"}, edges)
    assert [(item["node"], item["list"]) for item in plan.results] == [("d", True)]


@pytest.mark.parametrize("max_concurrency", [None, 2])
async def test_items_run_concurrently(max_concurrency):
    meeting = asyncio.Barrier(max_concurrency or 8)
    now: set[int] = set()

    @node
    async def slow(number: Integer) -> Integer:
        now.add(number)
        assert len(now) <= meeting.parties
        await meeting.wait()
        now.discard(number)
        return number

    plan = plan_of(
        [numbers, slow],
        {"n": ("numbers", {"items": list(range(8))}), "s": "slow"},
        [("n.output", "s.number")],
    )
    async with asyncio.timeout(30):
        assert (await execute(plan, max_concurrency=max_concurrency)).outputs["s.output"] == list(range(8))


async def test_several_lists_are_zipped_and_a_single_value_is_repeated():
    result = await run(
        {
            "a": ("numbers", {"items": [1, 2]}),
            "b": ("numbers", {"items": [10, 20]}),
            "t": "total",
            "s": "add",
        },
        [("a.output", "s.a"), ("b.output", "s.b"), ("a.output", "t.items"), ("t.output", "s.c")],
    )
    assert result.outputs["s.output"] == [14, 25]


async def test_each_item_gets_its_own_copy_of_a_repeated_value_and_of_the_settings():
    @node
    async def facts() -> Json:
        return {"seen": []}

    @node
    async def note(number: Number, facts: Json, *, tags: list[str]) -> Json:
        facts["seen"].append(number)
        tags.append("changed")
        return [facts["seen"], tags]

    plan = plan_of(
        [numbers, facts, note],
        {"a": ("numbers", {"items": [1, 2]}), "f": "facts", "n": ("note", {"tags": ["new"]})},
        [("a.output", "n.number"), ("f.output", "n.facts")],
    )
    result = await execute(plan)
    assert result.outputs["n.output"] == [[[1], ["new", "changed"]], [[2], ["new", "changed"]]]


async def test_lists_of_different_lengths_fail_naming_both_ports():
    result = await run(
        {"a": ("numbers", {"items": [1, 2]}), "b": ("numbers", {"items": [1, 2, 3]}), "s": "add"},
        [("a.output", "s.a"), ("b.output", "s.b")],
    )
    error = result.steps["s"].error
    assert error.code == "length_mismatch"
    assert all(word in error.message for word in ("'a'", "'b'", "2", "3"))


async def test_empty_list_gives_an_empty_list_without_a_call():
    result = await run(
        {"n": ("numbers", {"items": []}), "p": "picky", "t": "total"},
        [("n.output", "p.number"), ("p.output", "t.items")],
    )
    assert (result.status, result.outputs["p.output"], result.outputs["t.output"]) == ("finished", [], 0)
    assert result.steps["p"].cached is False


async def test_nested_lists_fan_out_twice():
    rows = [[1, 2], [], [3]]
    result = await run({"g": ("grid", {"rows": rows}), "d": "double"}, [("g.output", "d.number")])
    assert result.outputs["d.output"] == [[2, 4], [], [6]]


async def test_nested_list_zips_with_a_flat_list():
    result = await run(
        {"g": ("grid", {"rows": [[1, 2], [3]]}), "n": ("numbers", {"items": [10, 20]}), "s": "add"},
        [("g.output", "s.a"), ("n.output", "s.b")],
    )
    assert result.outputs["s.output"] == [[111, 112], [123]]


async def test_nested_list_into_a_list_port_fans_out_over_the_outer_list():
    result = await run({"g": ("grid", {"rows": [[1, 2], [3]]}), "t": "total"}, [("g.output", "t.items")])
    assert result.outputs["t.output"] == [3, 3]


async def test_items_are_converted_one_by_one():
    result = await run({"n": ("numbers", {"items": [1, 2]}), "t": "text"}, [("n.output", "t.value")])
    assert result.outputs["t.output"] == ["<1>", "<2>"]


async def test_single_value_into_a_list_port_becomes_a_list_of_one():
    result = await run(
        {"n": ("numbers", {"items": [1, 2]}), "t": "total", "u": "total"},
        [("n.output", "t.items"), ("t.output", "u.items")],
    )
    assert result.outputs["u.output"] == 3


async def test_branch_is_chosen_per_item_and_merging_keeps_the_order():
    result = await run(
        {
            "n": ("numbers", {"items": [1, 2, 3, 4]}),
            "s": "split",
            "d": "double",
            "t": "text",
            "m": "merge",
            "all": "total",
        },
        [
            ("n.output", "s.value"),
            ("s.even", "d.number"),
            ("s.odd", "t.value"),
            ("d.output", "m.first"),
            ("t.output", "m.second"),
            ("d.output", "all.items"),
        ],
    )
    assert result.outputs["s.even"] == [2, 4]
    assert result.outputs["d.output"] == [4, 8]
    assert result.outputs["m.output"] == ["<1>", 4, "<3>", 8]
    assert result.outputs["all.output"] == 12
    finished = next(event for event in result.events if event.type == "step.finished" and event.step == "s")
    assert finished.data["outputs"] == {"even": [2, 4], "odd": [1, 3]}


async def test_branch_without_items_is_closed():
    result = await run(
        {"n": ("numbers", {"items": [2, 4]}), "s": "split", "e": "double", "o": "double"},
        [("n.output", "s.value"), ("s.even", "e.number"), ("s.odd", "o.number")],
    )
    assert result.outputs["e.output"] == [4, 8]
    assert (result.steps["o"].status, result.steps["o"].because) == ("skipped", "s")


async def test_resume_runs_only_the_failed_items():
    calls: list[int] = []
    good = False

    @node
    async def careful(number: Integer) -> Integer:
        calls.append(number)
        if number < 0 and not good:
            raise ValueError(str(number))
        return number * 10

    functions = [numbers, careful, total]
    plan = plan_of(
        functions,
        {"n": ("numbers", {"items": [1, -2, 3, -4]}), "c": "careful", "t": "total"},
        [("n.output", "c.number"), ("c.output", "t.items")],
    )
    journal = MemoryJournal()
    result = await execute(plan, journal=journal)
    error = result.steps["c"].error
    assert (result.status, error.code) == ("failed", "items_failed")
    assert error.message.startswith("Items 2, 4 of 4 failed")
    assert [item["index"] for item in error.items] == [1, 3]
    assert result.steps["c"].items == {(0,): {"output": 10}, (2,): {"output": 30}}
    assert result.steps["t"].status == "skipped"
    good = True
    calls.clear()
    again = await resume(result.run_id, catalog=Catalog(functions), journal=journal)
    assert sorted(calls) == [-4, -2]
    assert (again.status, again.outputs["c.output"]) == ("finished", [10, -20, 30, -40])


async def test_unchanged_item_is_reused_when_others_change():
    calls: list[int] = []

    @node
    async def costly(number: Integer) -> Integer:
        calls.append(number)
        return number

    cache = MemoryCache()
    for items in ([1, 2, 3], [1, 9, 3, 4]):
        await execute(
            plan_of(
                [numbers, costly],
                {"n": ("numbers", {"items": items}), "c": "costly"},
                [("n.output", "c.number")],
            ),
            cache=cache,
        )
    assert calls == [1, 2, 3, 9, 4]


async def test_fanned_out_step_reports_progress():
    result = await run({"n": ("numbers", {"items": [1, 2, 3]}), "d": "double"}, [("n.output", "d.number")])
    said = [event.data["message"] for event in result.events if event.type == "step.progress"]
    assert said == ["1 of 3", "2 of 3"]


async def test_list_drives_a_setting_item_by_item():
    @node
    async def repeat(value: Text, *, times: int) -> Text:
        return value * times

    plan = plan_of(
        [numbers, text, repeat],
        {"n": ("numbers", {"items": [1, 2]}), "one": ("numbers", {"items": [7]}), "r": "repeat"},
        [("n.output", "r.times"), ("n.output", "r.value")],
    )
    assert (await execute(plan)).outputs["r.output"] == ["1", "22"]


async def test_several_edges_with_lists_too_deep_are_refused():
    flow = flow_of(
        {"g": ("grid", {"rows": []}), "t": "total"}, [("g.output", "t.items"), ("g.output", "t.items")]
    )
    with pytest.raises(FlowInvalid, match="cannot be used as list"):
        compile(flow, Catalog(NODES))
