"""Equal steps at the same time: one runs, the others follow it, in the same run or in another."""

import asyncio
from contextlib import suppress
from typing import Annotated

import pytest
from tests.engine.runtime.run_nodes import HeldCache, calls

from impasto import MemoryCache, NodeError, Setting, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    calls.append(f"say {text}")
    return text


@pytest.mark.parametrize("suppresses_cancellation", [False, True])
async def test_run_abandoned_while_it_asks_the_cache_leaves_no_task_to_wait_for(suppresses_cancellation):
    asked, answered = asyncio.Event(), asyncio.Event()

    class AwaitedCache(MemoryCache):
        can_peek = False

        async def get(self, key):
            asked.set()
            with suppress(asyncio.CancelledError if suppresses_cancellation else ()):
                await answered.wait()
            return self.peek(key)

    plan, cache = plan_of([say], {"p": "say"}, []), AwaitedCache()
    async with (
        asyncio.timeout(20),
        start(plan, cache=cache) as abandoned,
        start(plan, cache=cache) as follower,
    ):
        await asked.wait()
        await abandoned.abandon()
        answered.set()
        assert (await follower.result()).outputs["p.output"] == "hi"
    assert cache.inflight == {}


async def test_run_abandoned_while_its_step_waits_for_a_place_leaves_no_task_to_wait_for():
    begun, are_both_running = [], asyncio.Event()

    @node
    async def work(*, name: str) -> Text:
        begun.append(name)
        if name == "first":
            await asyncio.sleep(0)
            return name
        if len(begun) == 3:
            are_both_running.set()
        await asyncio.Event().wait()
        return name

    first, second, third = (("work", {"name": name}) for name in ("first", "second", "third"))
    plan = plan_of([say, work], {"first": first, "p": "say", "second": second, "third": third})
    cache, options = HeldCache(2, are_both_running), {"max_concurrency": 2, "grace": 0}  # the step "p"
    async with asyncio.timeout(20), start(plan, cache=cache, **options) as abandoned:
        await are_both_running.wait()
        async with start(plan_of([say], {"p": "say"}), cache=cache) as follower:
            for _ in range(20):
                await asyncio.sleep(0)
            assert (calls, len(cache.keys)) == ([], 4), "one step follows, the other waits for a place"
            await abandoned.abandon()
            assert (await follower.result()).outputs["p.output"] == "hi"
    assert (calls, cache.inflight) == (["say hi"], {})


async def test_follower_runs_itself_when_its_leader_is_cancelled():
    started = asyncio.Queue()

    @node
    async def slow(text: Text) -> Text:
        calls.append("slow")
        started.put_nowait(1)
        await asyncio.sleep(0.05 if len(calls) > 2 else 60)
        return text

    plan = plan_of([say, slow], {"p": "say", "a": "slow"}, [("p.output", "a.text")])
    cache = MemoryCache()
    first = asyncio.create_task(execute(plan, cache=cache))
    await started.get()
    second = asyncio.create_task(execute(plan, cache=cache))
    for _ in range(20):
        await asyncio.sleep(0)
    first.cancel()
    result = await second
    assert (result.status, result.outputs["a.output"], result.steps["a"].cached) == ("finished", "hi", False)
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_follower_of_another_run_runs_itself_when_its_leader_fails():
    started, release = asyncio.Event(), asyncio.Event()

    @node
    async def moody(text: Text) -> Text:
        calls.append("moody")
        if calls.count("moody") == 1:
            started.set()
            await release.wait()
            raise NodeError("No.")
        return text

    plan = plan_of([say, moody], {"p": "say", "a": "moody"}, [("p.output", "a.text")])
    cache = MemoryCache()
    first = asyncio.create_task(execute(plan, cache=cache))
    await started.wait()
    second = asyncio.create_task(execute(plan, cache=cache))
    for _ in range(20):
        await asyncio.sleep(0)
    release.set()
    assert (await first).steps["a"].error.message == "No."
    assert (await second).outputs["a.output"] == "hi"
    assert calls.count("moody") == 2


async def test_equal_step_of_the_same_run_fails_with_its_leader_and_is_not_called():
    release = asyncio.Event()

    @node
    async def moody(text: Text) -> Text:
        calls.append("moody")
        await release.wait()
        raise NodeError("No.")

    plan = plan_of(
        [say, moody],
        {"p": "say", "a": "moody", "b": "moody"},
        [("p.output", "a.text"), ("p.output", "b.text")],
    )
    running = asyncio.create_task(execute(plan, cache=MemoryCache()))
    for _ in range(20):
        await asyncio.sleep(0)
    release.set()
    steps = (await running).steps
    assert [steps[name].error.message for name in ("a", "b")] == ["No.", "No."]
    assert calls.count("moody") == 1


@pytest.mark.parametrize("end", ["run", "step", "abandoned"])
async def test_follower_that_is_stopped_ends_at_once_and_its_leader_goes_on(end):
    started, release = asyncio.Event(), asyncio.Event()

    @node
    async def slow(text: Text) -> Text:
        calls.append("slow")
        started.set()
        await release.wait()
        return text

    plan = plan_of([say, slow], {"p": "say", "a": "slow"}, [("p.output", "a.text")])
    cache = MemoryCache()
    leader = asyncio.create_task(execute(plan, cache=cache))
    await started.wait()
    async with asyncio.timeout(20):
        follower = await start(plan, cache=cache).begin()
        for _ in range(20):
            await asyncio.sleep(0)
        if end == "abandoned":
            await follower.abandon()
        else:
            if end == "step":
                follower.cancel_steps(["a"])
            result = await (follower.cancel() if end == "run" else follower.result())
            assert result.status == {"run": "cancelled", "step": "finished"}[end]
            assert (result.steps["a"].status, result.steps["p"].status) == ("skipped", "finished")
        release.set()
        assert (await leader).outputs["a.output"] == "hi"
    assert calls.count("slow") == 1
    assert cache.inflight == {}


async def test_failure_of_a_follower_takes_no_time_of_its_own():
    release = asyncio.Event()

    @node
    async def moody() -> Text:
        await release.wait()
        raise NodeError("No.")

    @node
    async def opens() -> Text:
        release.set()
        return ""

    result = await execute(plan_of([moody, opens], {"a": "moody", "b": "moody", "o": "opens"}))
    assert [result.steps[name].error.message for name in "ab"] == ["No.", "No."]
    assert 0 <= result.steps["b"].seconds < 5


async def test_follower_runs_itself_when_the_run_of_its_leader_is_abandoned():
    started, release = asyncio.Queue(), asyncio.Event()

    @node
    async def slow(text: Text) -> Text:
        started.put_nowait(1)
        await release.wait()
        return text

    plan, cache = plan_of([say, slow], {"p": "say", "a": "slow"}, [("p.output", "a.text")]), MemoryCache()
    async with asyncio.timeout(20):
        leader = await start(plan, cache=cache).begin()
        await started.get()
        follower = await start(plan, cache=cache).begin()
        for _ in range(20):
            await asyncio.sleep(0)
        assert started.empty()
        await leader.abandon()
        await started.get()
        release.set()
        result = await follower.result()
        assert (result.outputs["a.output"], result.steps["a"].cached) == ("hi", False)
        assert cache.inflight == {}
        again = await start(plan, cache=cache).begin()
        assert (await again.result()).steps["a"].cached


async def test_run_whose_leader_was_abandoned_leaves_nothing_to_follow():
    started = asyncio.Queue()

    @node
    async def slow() -> Text:
        started.put_nowait(1)
        if started.qsize() == 1:
            await asyncio.Event().wait()
        return "done"

    plan, cache = plan_of([slow], {"a": "slow"}), MemoryCache()
    async with asyncio.timeout(20):
        leader = await start(plan, cache=cache).begin()
        while started.empty():
            await asyncio.sleep(0)
        await leader.abandon()
        assert cache.inflight == {}
        assert (await execute(plan, cache=cache)).outputs["a.output"] == "done"
