"""Runs `async def` functions and async generators on the event loop."""

import typing as t
from collections.abc import AsyncIterator

from impasto.runtime.executors import CallServices
from impasto.runtime.task import Task
from impasto.sdk.streaming import StreamedOutput


async def call(task: Task, services: CallServices) -> t.Any:
    """Await an `async def` node."""
    return await task.step.type.function(*task.args, **task.kwargs)


async def stream(task: Task, services: CallServices) -> t.Any:
    """Iterate over an async generator and emit what each yielded value adds; return the collected output."""
    values: AsyncIterator[t.Any] = task.step.type.function(*task.args, **task.kwargs)
    output = StreamedOutput(task.step.type)
    try:
        async for value in values:
            partial = output.add(value)
            if partial is not None:
                services.partial(task, partial)
    finally:
        await values.aclose()  # type: ignore[attr-defined]
    return output.result
