"""Runs `async def` functions and async generators on the event loop."""

import typing as t
from collections.abc import AsyncIterator

from impasto.runtime.executors import CallServices
from impasto.runtime.task import Task
from impasto.types import SKIP


async def call(task: Task, services: CallServices) -> t.Any:
    """Await an `async def` node."""
    return await task.step.type.function(*task.args, **task.kwargs)


async def stream(task: Task, services: CallServices) -> t.Any:
    """Iterate over an async generator: each value is emitted as a partial output, the last is the result."""
    values: AsyncIterator[t.Any] = task.step.type.function(*task.args, **task.kwargs)
    last: t.Any = SKIP
    try:
        async for value in values:
            _emit_change(task, services, last, value)
            last = value
    finally:
        await values.aclose()  # type: ignore[attr-defined]
    return last


def _emit_change(task: Task, services: CallServices, last: t.Any, value: t.Any) -> None:
    """Emit the added text where a text has grown, else the whole value."""
    if value is SKIP or not task.step.type.single:
        return
    before = last if isinstance(last, str) else ""
    if isinstance(value, str) and value.startswith(before):
        if len(value) > len(before):
            services.partial(task, {"port": "output", "delta": value[len(before) :]})
    else:
        services.partial(task, {"port": "output", "value": value})
