"""How steps are opened: which are left out, what a resume counts, and arguments that calls cannot share."""

from typing import Annotated

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    Integer,
    Json,
    MemoryCache,
    MemoryJournal,
    NodeError,
    Record,
    Setting,
    Text,
    execute,
    node,
    resume,
)
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    calls.append(f"say {text}")
    return text


@node
async def given(*, text: Annotated[Text, Setting(input=True)]) -> Text:
    calls.append("given")
    return text


@node
async def shout(text: Text) -> Text:
    return text.upper()


@node(generative=True)
async def dream(text: Text) -> Text:
    calls.append(f"dream {text}")
    return f"{text} {len(calls)}"


@node
async def once(text: Text) -> Text:
    calls.append("once")
    if calls.count("once") == 1:
        raise NodeError("No.")
    return text


NODES = [say, given, shout, dream, once]


async def test_input_that_nothing_reads_and_that_has_no_value_is_left_out():
    plan = plan_of(NODES, {"g": "given", "p": "say", "s": "shout"}, [("p.output", "s.text")])
    result = await execute(plan)
    assert {name: (step.status, step.reason) for name, step in result.steps.items()} == {
        "g": ("skipped", "closed"),
        "p": ("finished", None),
        "s": ("finished", None),
    }
    assert calls == ["say hi"]
    assert dict(result.outputs) == {"p.output": "hi", "s.output": "HI"}
    assert (await execute(plan, {"g": "tea"})).outputs["g.output"] == "tea"


async def test_resumed_step_costs_what_it_was_charged_before_and_what_was_under_way():
    plan = plan_of(NODES, {"p": "say", "o": "once"}, [("p.output", "o.text")])
    journal = MemoryJournal()
    await execute(plan, journal=journal, run_id="r")
    lease = await journal.claim("r", "died", 30)
    records = [
        Record("charge", "", "o", 0, 0.0, b'{"usd":0.25,"units":{}}'),
        Record("reserve", "o #1", "o", 0, 0.0, b'{"usd":0.5,"held":0.0}'),
        Record("charge", "", "o", 0, 0.0, b'{"usd":0.125,"units":{},"call":"o #1","reserved":0.125}'),
    ]
    await journal.append(lease, records)
    await journal.release(lease)
    for _ in range(2):
        result = await resume("r", catalog=Catalog(NODES), journal=journal)
        assert (result.status, result.cost_usd, result.steps["o"].cost_usd) == ("finished", 0.75, 0.75)
        assert (result.steps["p"].status, result.steps["p"].cost_usd) == ("finished", 0.0)
    kinds = [(record.kind, record.name) for record in await journal.read("r") if record.kind == "settle"]
    assert kinds == [("settle", "o #1")]


async def test_resumed_run_gives_an_equal_generative_step_a_result_of_its_own():
    nodes = {"p": "say", "q": ("say", {"text": "hi"}), "a": "dream", "b": "dream", "o": "once"}
    edges = [("p.output", "a.text"), ("o.output", "b.text"), ("q.output", "o.text")]
    plan, journal, cache = plan_of(NODES, nodes, edges), MemoryJournal(), MemoryCache()
    first = await execute(plan, journal=journal, run_id="r", cache=cache)
    assert [first.steps[name].status for name in "abo"] == ["finished", "skipped", "failed"]
    again = await resume("r", catalog=Catalog(NODES), journal=journal, cache=cache)
    assert again.outputs["a.output"] == first.outputs["a.output"]
    assert again.outputs["b.output"] != again.outputs["a.output"]
    assert calls.count("dream hi") == 2


@pytest.mark.parametrize("size", [1, 3000])
async def test_item_that_its_call_changes_is_unchanged_for_others(size):
    @node
    async def rows() -> list[Json]:
        return [{"n": [0] * size}, {"n": [1] * size}]

    @node
    async def spoil(row: Json, *, more: list[int]) -> Integer:
        row["n"].append(9)
        more.append(9)
        return len(row["n"]) + len(more)

    @node
    async def look(row: Json, after: Integer) -> Integer:
        return len(row["n"])

    plan = plan_of(
        [rows, spoil, look],
        {"r": "rows", "s": ("spoil", {"more": [1]}), "l": "look"},
        [("r.output", "s.row"), ("r.output", "l.row"), ("s.output", "l.after")],
    )
    for _ in range(2):
        result = await execute(plan)
        assert result.outputs["s.output"] == [size + 3] * 2
        assert result.outputs["l.output"] == [size] * 2
