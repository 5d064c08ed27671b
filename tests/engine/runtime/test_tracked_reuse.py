"""Reuse by what was read: a change of a field re-runs only the steps that read it."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Brand,
    Catalog,
    Context,
    DiskCache,
    MemoryCache,
    MemoryJournal,
    Record,
    Text,
    execute,
    node,
    resume,
)
from impasto.testing import plan_of

from .tracked_nodes import NODES, Theme

pytestmark = pytest.mark.anyio
BLACK = Theme(origin="t1")


def changed(**fields):
    return dataclasses.replace(BLACK, **fields)


def plan_for(kind, **settings):
    return plan_of(NODES, {"t": "theme", "r": (kind, settings)}, [("t.output", "r.look")])


async def cached(plan, cache, value, step="r", **options):
    """Run the plan with this theme; return whether the step's result was reused, and the result."""
    result = await execute(plan, {"t": value}, cache=cache, **options)
    assert result.status == "finished", result.error
    return result.steps[step].cached, result.outputs[f"{step}.output"]


@pytest.mark.parametrize("kind", ["read", "read_in_thread", "read_in_process", "read_stream", "read_any"])
@pytest.mark.parametrize("make_cache", [lambda _: MemoryCache(), DiskCache])
async def test_only_a_change_of_a_field_that_was_read_runs_the_step_again(kind, make_cache, tmp_path):
    cache, plan = make_cache(tmp_path), plan_for(kind, how="ip")
    first = await cached(plan, cache, BLACK)
    assert await cached(plan, cache, changed(tone="loud", origin="t2")) == (True, first[1])
    again, answer = await cached(plan, cache, changed(ink="navy"))
    assert (again, "navy" in answer) == (False, True)
    assert await cached(plan, cache, changed(ink="navy", tone="loud")) == (True, answer)


async def test_step_that_prints_the_whole_value_runs_again_after_any_change():
    cache, plan = MemoryCache(), plan_for("read", how="*")
    await cached(plan, cache, BLACK)
    assert (await cached(plan, cache, BLACK))[0]
    assert not (await cached(plan, cache, changed(tone="loud")))[0]


async def test_value_that_is_passed_on_is_read_as_a_whole():
    cache, plan = MemoryCache(), plan_for("pass_on_in_process")
    await cached(plan, cache, BLACK)
    assert await cached(plan, cache, changed(tone="loud")) == (False, changed(tone="loud"))
    assert (await cached(plan, cache, changed(tone="loud")))[0]


async def test_brand_that_is_converted_to_json_is_read_as_a_whole():
    plan = plan_of([*NODES, own_brand], {"b": "own_brand", "r": "read_data"}, [("b.output", "r.look")])
    result = await execute(plan)
    assert result.steps["r"].reads == {"b1": {"*"}}


async def test_field_read_on_one_path_only_matters_on_that_path():
    cache, plan = MemoryCache(), plan_for("read", how="?t")
    await cached(plan, cache, BLACK)
    assert (await cached(plan, cache, changed(tone="loud")))[0]
    await cached(plan, cache, changed(ink="navy"))
    assert not (await cached(plan, cache, changed(ink="navy", tone="loud")))[0]
    assert (await cached(plan, cache, changed(tone="soft")))[0]


async def test_read_of_a_failed_attempt_counts():
    cache, plan = MemoryCache(), plan_for("read_twice")
    await cached(plan, cache, BLACK)
    assert (await cached(plan, cache, changed(paper="grey")))[0]
    assert (await cached(plan, cache, changed(ink="navy")))[1] == "navy dry"


async def test_memo_of_a_process_that_died_counts_as_a_read_of_everything():
    journal, plan = MemoryJournal(), plan_for("read_twice")
    run = "died"
    first = await execute(plan, {"t": BLACK}, run_id=run, journal=journal, targets=["t"])
    assert first.status == "finished"
    lease = await journal.claim(run, "test", 30)
    await journal.append(lease, [Record("memo", "ink", "r", 0, 0.0, b'"black"')])
    await journal.release(lease)
    cache = MemoryCache()
    await resume(run, catalog=Catalog(NODES), journal=journal, cache=cache, plan=lambda: plan, targets=["r"])
    assert not (await cached(plan, cache, changed(paper="grey")))[0]


async def test_seed_does_not_follow_from_fields_that_are_not_read():
    cache, plan = MemoryCache(), plan_for("seeded")
    fresh = await cached(plan, None, changed(tone="loud"))
    await cached(plan, cache, BLACK)
    assert await cached(plan, cache, changed(tone="loud")) == (True, fresh[1])


async def test_mapped_step_runs_again_for_the_items_that_changed():
    cache = MemoryCache()
    plan = plan_of(NODES, {"t": "themes", "r": ("read", {"how": "i"})}, [("t.output", "r.look")])
    await cached(plan, cache, [BLACK, changed(paper="grey")])
    calls.clear()
    _, answer = await cached(plan, cache, [changed(tone="loud"), changed(ink="navy"), BLACK])
    assert (answer, calls) == (["black", "navy", "black"], ["i"])


async def test_run_reports_what_each_step_and_those_before_it_read():
    plan = plan_of(
        NODES,
        {
            "t": "theme",
            "ink": ("read", {"how": "i"}),
            "tone": ("read", {"how": "t"}),
            "passed": "first",
            "paper": ("read", {"how": "p"}),
        },
        [
            ("t.output", "ink.look"),
            ("t.output", "tone.look"),
            ("ink.output", "tone.text"),
            ("t.output", "passed.one"),
            ("passed.output", "paper.look"),
        ],
    )
    journal, cache = MemoryJournal(), MemoryCache()
    wanted = {"ink": {"ink"}, "tone": {"ink", "tone"}, "paper": {"paper"}}
    for number in range(2):
        result = await execute(plan, {"t": BLACK}, run_id=f"r{number}", journal=journal, cache=cache)
        assert {name: result.steps[name].reads.get("t1") for name in wanted} == wanted
        finished = {event.step: event.data for event in result.events if event.type == "step.finished"}
        assert finished["tone"]["reads"] == {"t1": ["ink", "tone"]}
        assert "reads" not in finished["t"]
    resumed = await resume("r1", catalog=Catalog(NODES), journal=journal, plan=lambda: plan)
    assert resumed.steps["tone"].reads == {"t1": {"ink", "tone"}}


async def test_list_that_keeps_an_item_depends_on_what_was_read_to_make_it():
    @node
    async def lines(look: Theme, *, context: Context) -> list[Text]:
        kept = context.kept()
        return [kept[0], look.paper] if kept else [look.ink, "none"]

    plan = plan_of([*NODES, lines], {"t": "theme", "r": "lines"}, [("t.output", "r.look")])
    cache = MemoryCache()
    assert await cached(plan, cache, BLACK) == (False, ["black", "none"])
    assert await cached(plan, cache, BLACK, fresh=["r#1"]) == (False, ["black", "white"])
    assert await cached(plan, cache, changed(tone="loud")) == (True, ["black", "white"])
    assert await cached(plan, cache, changed(ink="navy")) == (False, ["navy", "none"])


async def test_what_a_cost_function_reads_is_no_read_of_the_step():
    seen = []

    @node(cost=lambda look: seen.append(look.tone) or 0.25)
    async def priced(look: Theme) -> Text:
        return look.ink

    plan = plan_of([*NODES, priced], {"t": "theme", "r": "priced"}, [("t.output", "r.look")])
    cache = MemoryCache()
    assert await cached(plan, cache, BLACK, budget_usd=1) == (False, "black")
    assert await cached(plan, cache, changed(tone="loud"), budget_usd=1) == (True, "black")
    assert seen == ["dry"]
    assert await cached(plan, cache, changed(ink="navy"), budget_usd=1) == (False, "navy")


async def test_value_without_a_source_is_not_reported_but_tracked():
    cache, plan = MemoryCache(), plan_for("read", how="i")
    result = await execute(plan, {"t": Theme()}, cache=cache)
    assert result.steps["r"].reads == {}
    assert (await cached(plan, cache, Theme(tone="loud")))[0]


@node
async def own_brand() -> Brand:
    return Brand(brand_name="Dune", source="b1")


LOOKS = st.builds(
    Theme,
    ink=st.sampled_from(["black", "navy"]),
    paper=st.sampled_from(["white", "grey"]),
    tone=st.sampled_from(["dry", "loud"]),
    origin=st.sampled_from(["", "t1"]),
)
HOW = st.text("ipt?*", max_size=4)


@given(
    how=st.tuples(HOW, HOW, HOW), looks=st.lists(LOOKS, min_size=2, max_size=6), kept=st.integers(300, 5_000)
)
async def test_memoised_run_equals_a_fresh_run(how, looks, kept):
    plan = plan_of(
        NODES,
        {
            "t": "theme",
            "p": "first",
            "a": ("read", {"how": how[0]}),
            "b": ("read", {"how": how[1]}),
            "c": ("read_any", {"how": how[2]}),
        },
        [
            ("t.output", "a.look"),
            ("t.output", "b.look"),
            ("a.output", "b.text"),
            ("t.output", "p.two"),
            ("p.output", "c.look"),
        ],
    )
    cache = MemoryCache(max_bytes=kept)  # a small one forgets results and reads in any order
    for look in looks:
        memoised = await execute(plan, {"t": look}, cache=cache)
        fresh = await execute(plan, {"t": look})
        assert dict(memoised.outputs) == dict(fresh.outputs)
        reported = {name: step.reads for name, step in memoised.steps.items()}
        assert reported == {name: step.reads for name, step in fresh.steps.items()}
