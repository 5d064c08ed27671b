"""What an `async with` block of a run raises, and what it leaves alone, once the run has ended by itself."""

import asyncio
from contextlib import suppress

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import LeaseLost, MemoryJournal, ServiceUnavailable, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Broken(MemoryJournal):
    """A journal that accepts no records after the first."""

    async def append(self, lease, records):
        raise OSError("disk full")


def say_plan():
    return plan_of(NODES, {"p": "say"})


async def leave(error, journal=None):
    """Leave the block of a run whose result was awaited."""
    async with start(say_plan(), journal=journal) as run:
        with suppress(OSError):
            await run.result()
        if error is not None:
            raise error


async def test_block_raises_its_own_error_and_not_the_runs():
    with pytest.raises(KeyError):
        await leave(KeyError("mine"), Broken())
    with pytest.raises(KeyError):
        await leave(KeyError("mine"))
    with pytest.raises(asyncio.CancelledError):
        await leave(asyncio.CancelledError(), Broken())


async def test_error_of_the_run_that_was_caught_in_the_block_is_not_raised_again():
    await leave(None, Broken())
    with pytest.raises(OSError, match="disk full"):
        async with start(say_plan(), journal=Broken()):
            pass


async def test_run_that_lost_its_lease_does_not_release_it():
    released = []

    class Taken(MemoryJournal):
        async def append(self, lease, records):
            raise LeaseLost(lease.run_id)

        async def release(self, lease):
            released.append(lease.run_id)

    with pytest.raises(LeaseLost):
        await execute(say_plan(), journal=Taken())
    assert released == []


async def test_run_is_released_once_and_later_results_are_the_same():
    released = []

    class Noting(MemoryJournal):
        async def release(self, lease):
            released.append(lease.run_id)
            await super().release(lease)

    async with start(say_plan(), journal=Noting(), run_id="r") as run:
        first, second = await asyncio.gather(run.result(), run.result())
    assert released == ["r"]
    assert (first.status, second.status) == ("finished", "finished")


async def test_events_end_when_the_run_is_abandoned():
    @node
    async def away() -> Text:
        raise ServiceUnavailable("The storage cannot be reached.")

    run = await start(plan_of([away], {"a": "away"}), grace=0).begin()
    reading = asyncio.create_task(collected(run))
    for _ in range(2):
        with pytest.raises(ServiceUnavailable):
            await run.result()
    async with asyncio.timeout(5):
        assert await reading == ["run.started", "step.queued", "step.started"]
        assert await collected(run, after=2) == ["step.started"]


async def test_events_end_when_the_journal_fails():
    run = await start(say_plan(), journal=Broken()).begin()
    async with asyncio.timeout(5):
        assert await collected(run) == []
    with pytest.raises(OSError, match="disk full"):
        await run.result()


async def collected(run, after=0):
    return [event.type async for event in run.events(after)]


async def test_cancelled_caller_waits_until_its_run_has_ended():
    ended, has_started = [], asyncio.Event()

    @node
    async def tidy() -> Text:
        has_started.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            ended.append("tidied")
        return ""

    types = []
    running = asyncio.create_task(
        execute(plan_of([tidy], {"t": "tidy"}), listener=lambda event: types.append(event.type))
    )
    await has_started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (ended, types[-2:]) == (["tidied"], ["step.skipped", "run.cancelled"])
