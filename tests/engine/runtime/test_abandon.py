"""Abandoning a run, so that another process can resume it."""

import asyncio
import contextlib

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    Context,
    LeaseHeld,
    LeaseLost,
    Limits,
    MemoryJournal,
    NodeError,
    ServiceUnavailable,
    Text,
    node,
    resume,
    start,
)
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


async def test_memo_written_during_cancellation_is_recalled_after_resume(journal):
    @node
    async def order(*, context: Context) -> Text:
        known = await context.recall("order")
        if known is None:
            calls.append("held")
            try:
                await asyncio.Event().wait()
            finally:
                with pytest.raises(LeaseHeld):
                    await journal.claim("r", "two", 30)
                await context.remember("order", 7)
                calls.append("written")
        return str(known)

    run = start(plan_of([order], {"o": "order"}), journal=journal, run_id="r", owner="one")
    await run.begin()
    while "held" not in calls:
        await asyncio.sleep(0)
    await run.abandon()
    assert calls == ["held", "written"]
    result = await resume("r", catalog=Catalog([order]), journal=journal, owner="two")
    assert result.outputs["o.output"] == "7"


async def test_abandon_returns_when_step_ignores_cancellation(journal):
    @node
    async def deaf(*, context: Context) -> Text:
        for _ in range(20):
            calls.append("held")
            with contextlib.suppress(asyncio.CancelledError):
                await over.wait()
        return ""

    over = asyncio.Event()
    run = start(plan_of([deaf], {"d": "deaf"}), journal=journal, run_id="r", grace=0.05)
    await run.begin()
    while "held" not in calls:
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await run.abandon()
    over.set()
    assert not [record for record in await journal.read("r") if record.name == "step.finished"]


async def test_step_that_ignores_cancellation_is_closed_after_the_lease_is_lost():
    @node
    async def deaf() -> Text:
        calls.append("held")
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    before = asyncio.all_tasks()
    journal = MemoryJournal()
    plan = plan_of([deaf], {"d": "deaf"})
    run = await start(plan, journal=journal, run_id="r", lease_seconds=0.3, grace=0.05).begin()
    while "held" not in calls:
        await asyncio.sleep(0)
    await journal.claim("r", run.options.owner or run._owner(), 30)
    with pytest.raises(LeaseLost):
        await run.result()
    left = asyncio.all_tasks() - before
    if left:
        _, left = await asyncio.wait(left, timeout=30)
    assert left == set()


async def test_abandon_ends_when_the_journal_fails():
    class Full(MemoryJournal):
        async def append(self, lease, records):
            if "held" in calls:
                raise OSError("disk full")
            await super().append(lease, records)

    @node
    async def talks(*, context: Context) -> Text:
        calls.append("held")
        try:
            await asyncio.Event().wait()
        finally:
            context.progress(0.5)

    run = await start(plan_of([talks], {"t": "talks"}), journal=Full(), run_id="r").begin()
    while "held" not in calls:
        await asyncio.sleep(0)
    with pytest.raises(OSError, match="disk full"):
        await run.abandon()
    assert run._closed
    calls.clear()

    async def serve():
        async with start(run.plan, journal=Full(), run_id="s"):
            await asyncio.Event().wait()

    task = asyncio.create_task(serve())
    while "held" not in calls:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_run_is_abandoned_when_its_store_cannot_be_reached(journal):
    is_away = [True]

    @node
    async def paint(*, context: Context) -> Text:
        calls.append("paint")
        await context.remember("paid", True)
        if is_away[0]:
            try:
                raise ServiceUnavailable("The storage cannot be reached.")
            except ServiceUnavailable as error:
                raise NodeError("The image could not be stored.") from error
        return str(await context.recall("paid"))

    plan = plan_of([paint], {"p": "paint"})
    with pytest.raises(ServiceUnavailable):
        await start(plan, journal=journal, run_id="r", owner="one")
    kinds = {record.name for record in await journal.read("r")}
    assert not kinds & {"step.failed", "run.failed"}
    is_away[0] = False
    result = await resume("r", catalog=Catalog([paint]), journal=journal, owner="two")
    assert (result.status, result.outputs["p.output"]) == ("finished", "True")


async def test_running_steps_are_cancelled_when_the_store_cannot_be_reached(journal):
    @node
    async def wait(*, context: Context) -> Text:
        calls.append("wait")
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(3):
                await asyncio.sleep(0)
            await context.remember("order", 7)
        return ""

    @node
    async def paint() -> Text:
        while "wait" not in calls:
            await asyncio.sleep(0)
        raise ServiceUnavailable("The storage cannot be reached.")

    with pytest.raises(ServiceUnavailable):
        await start(plan_of([wait, paint], {"w": "wait", "p": "paint"}), journal=journal, run_id="r")
    assert (await journal.claim("r", "another", 30)).owner == "another"
    assert [record.name for record in await journal.read("r") if record.kind == "memo"] == ["order"]


@pytest.mark.parametrize(("durable_starts", "known"), [(True, ["p"]), (False, [])])
async def test_durable_starts_name_the_steps_that_are_running(durable_starts, known):
    class DurableJournal(MemoryJournal):
        volatile = False

    journal = DurableJournal()

    @node
    async def plain() -> Text:
        records = await journal.read("r")  # does not suspend: nothing is written at this point
        calls.extend(record.step for record in records if record.name == "step.started")
        return ""

    plan = plan_of([plain], {"p": "plain"})
    await start(plan, journal=journal, run_id="r", durable_starts=durable_starts)
    assert calls == known


async def test_abandoned_run_gives_back_the_slot_that_its_queued_task_has_just_got():
    limits, waiting, abandoning = Limits({"gpu": 1}), asyncio.Event(), []

    @node(limit="gpu")
    async def draw(*, text: str) -> Text:
        if text == "first":
            await waiting.wait()
            # Runs before the worker that the freed slot starts.
            abandoning.append(asyncio.create_task(second.abandon()))
        return text

    def run_of(text):
        return start(plan_of([draw], {"d": ("draw", {"text": text})}), limits=limits)

    first, second = run_of("first"), run_of("second")
    await first.begin()
    await asyncio.sleep(0)
    await second.begin()
    for _ in range(5):
        await asyncio.sleep(0)
    waiting.set()
    await first.result()
    await asyncio.gather(*abandoning)
    async with asyncio.timeout(5):
        assert (await run_of("third")).status == "finished"
