"""Inputs that are run only when a node asks for them."""

import asyncio
import typing as t
from collections.abc import Callable

from impasto.compiler.step import Binding
from impasto.runtime.step_status import ABSENT, PENDING
from impasto.types import Lazy

if t.TYPE_CHECKING:
    from impasto.runtime.node_services import Services
    from impasto.runtime.task import Unit


def lazily(run: "Services", unit: "Unit", binding: Binding, read: Callable[[], t.Any]) -> Lazy[t.Any]:
    """The awaitable that a lazy port is given: awaiting it makes what feeds it run, and reads that."""

    async def ask() -> t.Any:
        for source in binding.sources:
            await demand(run, unit, source.step)
        return read()

    def wait() -> t.Any:
        return asyncio.run_coroutine_threadsafe(ask(), run.loop).result()

    return Lazy(ask, wait)


async def demand(run: "Services", unit: "Unit", index: int) -> None:
    """Run what a lazy input needs, and return when it has ended; the unit's places are free meanwhile."""
    if run.states.codes[index] == ABSENT and run.stopping is None:
        run.want(run.plan.needed({index}, lazy=False))
    if run.states.codes[index] > PENDING:
        return
    future: asyncio.Future[None] = run.loop.create_future()
    run.asked.setdefault(index, []).append(future)
    limit = unit.limit
    run.running -= 1
    if limit is not None:
        run.limits.leave(unit)
    run.wake()
    try:
        await future
    finally:
        if not unit.dead:
            run.running += 1
            if limit is not None:
                run.limits.take_back(limit, unit)
