"""A step's deadline: the call is cancelled when it passes, and given up if it does not listen."""

import asyncio
import typing as t
from collections.abc import Callable, Coroutine

from impasto.errors import NodeError, StepTimeout
from impasto.runtime.executors.abandonable import Leash

GRACE = 0.5


def around(
    body: Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]], seconds: float
) -> Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]]:
    """The body, in a task of its own that has `seconds` for everything, retries and all."""

    async def limited(unit: t.Any) -> t.Any:
        loop = asyncio.get_running_loop()
        unit.deadline = loop.time() + seconds
        call = _Call()
        task = loop.create_task(call.run(body, unit))
        try:
            await asyncio.wait((task,), timeout=seconds)
            if task.done():
                return task.result()
        except asyncio.CancelledError:
            await call.give_up(task)
            raise
        except GeneratorExit:
            call.gone = True
            task.cancel()
            raise
        await call.give_up(task)
        raise StepTimeout(seconds)

    return limited


class _Call:
    """One call with a deadline, and whether it has been given up."""

    gone = False

    async def run(self, body: Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]], unit: t.Any) -> t.Any:
        coroutine = body(unit)
        try:
            first = coroutine.send(None)
            return await Leash(coroutine, self, first)
        except StopIteration as end:
            return end.value
        except (SystemExit, KeyboardInterrupt) as error:
            # A task that ends with these ends the whole loop.
            raise NodeError.wrap(error) from None

    async def give_up(self, task: asyncio.Task[t.Any]) -> None:
        """Cancel it; what does not listen is let go."""
        task.cancel()
        await asyncio.wait((task,), timeout=GRACE)
        self.gone = True
        if not task.done():
            task.cancel()
        task.add_done_callback(_forget)


def _forget(task: asyncio.Task[t.Any]) -> None:
    """Look at a late error, so that nobody is warned of it."""
    if not task.cancelled():
        task.exception()
