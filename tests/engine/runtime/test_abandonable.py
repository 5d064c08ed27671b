import asyncio
import contextlib
import gc

import pytest

from impasto import Text, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("limit", [None, 0.05])
async def test_function_that_swallows_every_cancellation_leaves_no_asyncio_task(limit):
    @node(timeout=limit)
    async def stubborn() -> Text:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    before = asyncio.all_tasks()
    async with start(plan_of([stubborn], {"s": "stubborn"})) as run:
        async for event in run.events():
            if event.type == "step.started":
                break
        if limit is None:
            await run.cancel()
        result = await run.result()
    left = asyncio.all_tasks() - before
    if left:
        await asyncio.wait(left, timeout=5)
    assert [task for task in left if not task.done()] == []
    assert result.status == ("cancelled" if limit is None else "failed")


async def test_cancelled_function_can_clean_up():
    steps = []

    @node
    async def tidy() -> Text:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            steps.append("tidied")
        return "never"

    async with start(plan_of([tidy], {"s": "tidy"})) as run:
        async for event in run.events():
            if event.type == "step.started":
                break
        result = await run.cancel()
    assert result.status == "cancelled"
    assert steps == ["tidied"]


@pytest.mark.parametrize("limit", [None, 0.05])
async def test_abandoned_clean_up_in_an_asynchronous_context_manager_ends_without_errors(limit):
    steps = []

    @contextlib.asynccontextmanager
    async def connection():
        try:
            yield
        finally:
            try:
                steps.append("closing")
                await asyncio.Event().wait()
            finally:
                steps.append("closed")

    @node(timeout=limit)
    async def connected() -> Text:
        async with connection():
            await asyncio.Event().wait()
        return "never"

    failures = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    run = await start(plan_of([connected], {"c": "connected"}), grace=0.05).begin()
    async for event in run.events():
        if event.type == "step.started":
            break
    if limit is None:
        await run.abandon()
    else:
        await run.result()
    while "closed" not in steps:
        await asyncio.sleep(0)
    del run
    gc.collect()
    await asyncio.sleep(0)
    assert steps == ["closing", "closed"]
    assert failures == []


async def test_handled_exception_does_not_shorten_the_clean_up():
    steps = []

    @node
    async def weathered() -> Text:
        with contextlib.suppress(OSError):
            await failing()
        try:
            steps.append("waiting")
            await asyncio.Event().wait()
        finally:
            with contextlib.suppress(OSError):
                await failing()
            await asyncio.sleep(0)
            steps.append("tidied")
        return "never"

    run = await start(plan_of([weathered], {"w": "weathered"})).begin()
    while not steps:
        await asyncio.sleep(0)
    await run.abandon()
    assert steps == ["waiting", "tidied"]


def failing():
    future = asyncio.get_running_loop().create_future()
    future.get_loop().call_soon(future.set_exception, OSError("gone for a moment"))
    return future
