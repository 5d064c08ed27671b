"""Functions that are coroutines themselves: they run on the loop."""

import typing as t
from collections.abc import AsyncIterator

from impasto.types import SKIP

if t.TYPE_CHECKING:
    from impasto.runtime.task import Unit


async def call(unit: "Unit") -> t.Any:
    """Await an `async def` node."""
    return await unit.step.type.function(*unit.args, **unit.kwargs)


async def stream(unit: "Unit") -> t.Any:
    """Drive an async generator: each value is shown as it comes, the last is the result."""
    values: AsyncIterator[t.Any] = unit.step.type.function(*unit.args, **unit.kwargs)
    last: t.Any = SKIP
    try:
        async for value in values:
            _show(unit, last, value)
            last = value
    finally:
        await values.aclose()  # type: ignore[attr-defined]
    return last


def _show(unit: "Unit", last: t.Any, value: t.Any) -> None:
    """Say what is new: the added text where a text has grown, else the whole value."""
    if value is SKIP or not unit.step.type.single:
        return
    before = last if isinstance(last, str) else ""
    if isinstance(value, str) and value.startswith(before):
        if len(value) > len(before):
            unit.run.partial(unit, {"port": "output", "delta": value[len(before) :]})
    else:
        unit.run.partial(unit, {"port": "output", "value": value})
