"""The life of steps in a run: what is started, in which order, how often, and what ends without a result."""

import asyncio
from pathlib import Path

import pytest
from tests.engine.runtime.run_nodes import NODES, HeldCache, calls

from impasto import (
    Catalog,
    Context,
    Integer,
    Lazy,
    Limits,
    MemoryCache,
    MemoryJournal,
    NodeError,
    Text,
    execute,
    node,
    resume,
    start,
)
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def note(text: Text = "", *, name: str) -> Text:
    calls.append(name)
    return text + name


@node
async def later(text: Text = "", *, name: str) -> Text:
    calls.append(name)
    await asyncio.sleep(0)
    return text + name


@node
async def three() -> list[Text]:
    return ["a", "b", "c"]


@node
async def ask(text: Lazy[Text]) -> Text:
    return await text


ALL = [note, later, three, ask]


def events_of(result):
    return [f"{event.type.partition('.')[2]} {event.step or 'run'}" for event in result.events]


async def test_events_of_a_run_are_in_the_order_of_what_happens():
    plan = plan_of(
        ALL,
        {"t": "three", "n": ("note", {"name": "n"}), "l": ("later", {"name": "l"}), "a": "ask"},
        [("t.output", "n.text"), ("l.output", "a.text")],
    )
    result = await execute(plan, max_concurrency=1)
    assert [event for event in events_of(result) if not event.startswith("progress")] == [
        "started run", "queued t", "queued a", "started t", "finished t", "queued n", "started a",
        "queued l", "started l", "finished l", "started n", "finished n", "finished a", "finished run",
    ]  # fmt: skip
    assert calls == ["l", "n", "n", "n"]
    assert dict(result.outputs) == {
        "t.output": ["a", "b", "c"],
        "n.output": ["an", "bn", "cn"],
        "l.output": "l",
        "a.output": "l",
    }


async def test_events_of_an_empty_flow_end():
    async with asyncio.timeout(20), start(plan_of([], {})) as run:
        assert [event.type async for event in run.events()] == ["run.started", "run.finished"]


async def test_many_steps_that_never_suspend_leave_turns_to_others():
    turns = []

    async def count():
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    plan = plan_of(ALL, {f"n{n}": ("note", {"name": f"{n}"}) for n in range(300)})
    other = asyncio.create_task(count())
    heard = []
    result = await execute(plan, listener=lambda event: heard.append(len(calls)))
    other.cancel()
    assert heard[0] < 300, "events are delivered before the last step has run"
    assert (len(calls), len(result.outputs)) == (300, 300)
    assert len(turns) >= 3


@pytest.mark.parametrize(("options", "times"), [({}, 1), ({"reuse": "none"}, 2)], ids=["changed", "none"])
@pytest.mark.parametrize("cache", [None, MemoryCache], ids=["no cache", "cache"])
async def test_equal_steps_run_once_unless_nothing_is_reused(options, times, cache):
    plan = plan_of(ALL, {"a": ("later", {"name": "x"}), "b": ("later", {"name": "x"})})
    result = await execute(plan, cache=cache and cache(), **options)
    assert calls == ["x"] * times
    assert [result.outputs[f"{name}.output"] for name in "ab"] == ["x", "x"]


async def test_steps_run_at_most_as_many_at_a_time_as_the_run_allows():
    now, peak = [], []

    @node
    async def work(*, n: int) -> Integer:
        now.append(n)
        peak.append(len(now))
        for _ in range(10):
            await asyncio.sleep(0)
        now.remove(n)
        return n

    plan = plan_of([work], {f"w{n}": ("work", {"n": n}) for n in range(6)})
    for most in (1, 2, 6):
        peak.clear()
        await execute(plan, max_concurrency=most)
        assert max(peak) == most


@pytest.mark.parametrize("awaits", ["fingerprint", "cache"])
async def test_step_that_was_awaited_before_its_start_waits_for_a_place_among_the_running(awaits):
    running, peak, are_both_running = set(), [], asyncio.Event()
    cache = HeldCache(2, are_both_running) if awaits == "cache" else None  # the step "s"

    async def version(settings):
        await are_both_running.wait()
        return "1"

    async def work_for_ten_turns(name):
        running.add(name)
        peak.append(len(running))
        if {"w1", "w2"} <= running:
            are_both_running.set()
        for _ in range(10):
            await asyncio.sleep(0)
        running.remove(name)
        return name

    @node(fingerprint=version if awaits == "fingerprint" else None)
    async def awaited() -> Text:
        return await work_for_ten_turns("s")

    @node
    async def work(*, name: str) -> Text:
        return await work_for_ten_turns(name)

    w0, w1, w2 = (("work", {"name": name}) for name in ("w0", "w1", "w2"))
    plan = plan_of([awaited, work], {"w0": w0, "s": "awaited", "w1": w1, "w2": w2})
    async with asyncio.timeout(20):
        result = await execute(plan, max_concurrency=2, cache=cache)
    assert result.status == "finished"
    assert (len(peak), max(peak)) == (4, 2)
    if cache is not None:
        assert len(cache.keys) == len(set(cache.keys)) == 4


@pytest.mark.parametrize("end", ["returns", "raises", "misfits"])
@pytest.mark.parametrize("suspends", [True, False])
async def test_slot_is_free_again_however_the_call_ends(end, suspends):
    @node(limit="acme")
    async def call(*, n: int, context: Context) -> Text:
        calls.append(f"{n}")
        folders.append(context.temp_dir)
        if suspends:
            await asyncio.sleep(0)
        if end == "raises":
            raise NodeError("No.")
        return 5 if end == "misfits" else "done"

    folders: list[Path] = []
    plan = plan_of([call], {f"c{n}": ("call", {"n": n}) for n in range(3)})
    limits = Limits({"acme": 1})
    async with asyncio.timeout(20):
        for _ in range(2):
            result = await execute(plan, limits=limits, max_concurrency=1)
    assert calls == ["0", "1", "2"] * 2
    status = "finished" if end == "returns" else "failed"
    assert [step.status for step in result.steps.values()] == [status] * 3
    assert not any(folder.exists() for folder in folders)


@pytest.mark.parametrize("stop", ["run", "step"])
async def test_value_that_comes_after_the_cancellation_is_dropped_and_the_slot_is_free(stop):
    has_started = asyncio.Event()

    @node(limit="acme")
    async def late(*, context: Context) -> Text:
        has_started.set()
        folder = context.temp_dir
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            calls.append(str(folder))
        return "late"

    plan = plan_of([*NODES, late], {"l": "late", "s": "shout"}, [("l.output", "s.text")])
    limits = Limits({"acme": 1})
    async with asyncio.timeout(20):
        for _ in range(2):
            has_started.clear()
            async with start(plan, limits=limits) as run:
                await has_started.wait()
                if stop == "step":
                    run.cancel_steps(["l"])
                result = await (run.cancel() if stop == "run" else run.result())
    if stop == "run":
        statuses = [step.status for step in result.steps.values()]
        assert (result.status, statuses) == ("cancelled", ["cancelled", "skipped"])
        assert dict(result.outputs) == {}
    assert len(calls) == 2
    assert not any(Path(folder).exists() for folder in calls)


async def test_follower_that_was_cancelled_stays_so_when_its_leader_ends():
    release, go_on = asyncio.Event(), asyncio.Event()

    @node
    async def slow() -> Text:
        calls.append("slow")
        await release.wait()
        return "done"

    @node
    async def hold() -> Text:
        await go_on.wait()
        return "held"

    plan = plan_of([slow, hold], {"a": "slow", "b": "slow", "h": "hold"})
    async with asyncio.timeout(20), start(plan) as run:
        while not calls:
            await asyncio.sleep(0)
        for _ in range(5):  # until the equal step follows it
            await asyncio.sleep(0)
        run.cancel_steps(["b"])
        for _ in range(5):
            await asyncio.sleep(0)
        release.set()
        async for event in run.events():
            if event.type == "step.finished":
                break
        for _ in range(5):
            await asyncio.sleep(0)
        go_on.set()
        result = await run.result()
    statuses = {name: step.status for name, step in result.steps.items()}
    assert (statuses, calls) == ({"a": "finished", "b": "skipped", "h": "finished"}, ["slow"])
    ended = sorted(event for event in events_of(result) if event.split()[0] in ("finished", "skipped"))
    assert ended == ["finished a", "finished h", "finished run", "skipped b"]


async def test_resumed_run_starts_only_what_has_not_finished():
    has_failed = []

    @node
    async def once(text: Text) -> Text:
        if not has_failed:
            has_failed.append(1)
            raise NodeError("No.")
        return text + "!"

    nodes = [*ALL, once]
    plan = plan_of(
        nodes,
        {"n": ("note", {"name": "n"}), "o": "once", "l": ("later", {"name": "l"})},
        [("n.output", "o.text"), ("o.output", "l.text")],
    )
    journal = MemoryJournal()
    first = await execute(plan, journal=journal, run_id="r")
    assert [step.status for step in first.steps.values()] == ["finished", "failed", "skipped"]
    calls.clear()
    again = await resume("r", catalog=Catalog(nodes), journal=journal)
    assert (again.status, again.outputs["l.output"], calls) == ("finished", "n!l", ["l"])
    started = [event for event in events_of(again) if event.startswith("started")]
    assert started == ["started run", "started n", "started o", "started run", "started o", "started l"]


@pytest.mark.parametrize("what", ["run", "step"])
async def test_function_may_cancel_its_own_run_or_step(what):
    @node
    async def own(*, name: str) -> Text:
        if what == "step":
            run.cancel_steps(["a"])
            await asyncio.Event().wait()
        await run.cancel()
        return name

    plan = plan_of([own, *NODES], {"a": ("own", {"name": "a"}), "s": "shout"}, [("a.output", "s.text")])
    run = start(plan, grace=1e6)
    async with asyncio.timeout(20):
        result = await run.result()
    assert result.status == ("cancelled" if what == "run" else "finished")
    assert [step.status for step in result.steps.values()] == ["cancelled", "skipped"]


async def test_step_that_ends_when_it_is_cancelled_makes_room_for_the_next():
    has_started = asyncio.Event()

    @node
    async def first() -> Text:
        has_started.set()
        await asyncio.Event().wait()
        return ""

    plan = plan_of([first, note], {"a": "first", "b": ("note", {"name": "b"}), "c": ("note", {"name": "c"})})
    async with asyncio.timeout(20), start(plan, max_concurrency=1, grace=1e6) as run:
        await has_started.wait()
        run.cancel_steps(["a"])
        result = await run.result()
    assert [step.status for step in result.steps.values()] == ["cancelled", "finished", "finished"]
    assert calls == ["b", "c"]


async def test_error_of_the_engine_itself_ends_the_run_and_is_raised():
    def listen(call, seconds, error):
        raise ZeroDivisionError(call.step.id)

    plan = plan_of(ALL, {"a": ("later", {"name": "a"}), "b": ("later", {"name": "b"})})
    async with asyncio.timeout(20):
        with pytest.raises(ZeroDivisionError):
            await execute(plan, on_call_ended=listen)
        run = start(plan, on_call_ended=listen)
        with pytest.raises(ZeroDivisionError):
            async with run:
                [event async for event in run.events()]


async def test_step_that_waited_for_a_slot_is_not_ended_again_when_the_run_is_cancelled():
    is_held = asyncio.Event()

    @node(limit="acme")
    async def limited(*, n: int) -> Text:
        await asyncio.sleep(0)
        return f"{n}"

    @node
    async def hold(one: Text, two: Text) -> Text:
        is_held.set()
        await asyncio.Event().wait()
        return one

    plan = plan_of(
        [limited, hold],
        {"a": ("limited", {"n": 1}), "b": ("limited", {"n": 2}), "h": "hold"},
        [("a.output", "h.one"), ("b.output", "h.two")],
    )
    async with asyncio.timeout(20), start(plan, limits={"acme": 1}) as run:
        await is_held.wait()
        result = await run.cancel()
    assert [step.status for step in result.steps.values()] == ["finished", "finished", "cancelled"]
    assert sorted(each for each in events_of(result) if each.split()[0] in ("finished", "skipped")) == [
        "finished a", "finished b", "skipped h",
    ]  # fmt: skip


async def test_cache_is_asked_with_digests():
    class Noting(MemoryCache):
        async def put(self, key, outputs):
            keys.append(key)
            await super().put(key, outputs)

    keys: list[str] = []
    plan = plan_of(
        ALL,
        {"n": ("note", {"name": "n"}), "t": "three", "l": ("later", {"name": "l"})},
        [("n.output", "l.text"), ("t.output", "n.text")],
    )
    await execute(plan, cache=Noting())
    assert [len(bytes.fromhex(key)) for key in keys] == [16] * 7
