"""The timeout of a step: the call is cancelled when it passes, and abandoned if it does not end."""

import asyncio
import typing as t

from impasto.errors import NodeError, StepTimeout
from impasto.runtime.executors import Body, CallServices
from impasto.runtime.executors.abandonable import AbandonableAwaitable
from impasto.runtime.task import Task

GRACE_SECONDS = 0.5


def with_timeout(body: Body, seconds: float) -> Body:
    """Return the body in an asyncio task of its own, which has `seconds` for all attempts together."""

    async def limited(task: Task, services: CallServices) -> t.Any:
        loop = asyncio.get_running_loop()
        task.deadline = loop.time() + seconds
        call = _TimedCall()
        running = loop.create_task(call.run(body, task, services))
        try:
            await asyncio.wait((running,), timeout=seconds)
            if running.done():
                return running.result()
        except asyncio.CancelledError:
            await call.cancel(running)
            raise
        except GeneratorExit:
            call.abandoned = True
            running.cancel()
            raise
        await call.cancel(running)
        raise StepTimeout(seconds)

    return limited


class _TimedCall:
    """One call with a deadline. `abandoned`: nothing awaits it any more."""

    abandoned = False

    async def run(self, body: Body, task: Task, services: CallServices) -> t.Any:
        coroutine = body(task, services)
        try:
            waits_for = coroutine.send(None)
            return await AbandonableAwaitable(coroutine, self, waits_for)
        except StopIteration as end:
            return end.value
        except (SystemExit, KeyboardInterrupt) as error:
            # An asyncio task that ends with these ends the whole event loop.
            raise NodeError.wrap(error) from None

    async def cancel(self, running: asyncio.Task[t.Any]) -> None:
        """Cancel the call, and abandon it if it has not ended after the grace period."""
        running.cancel()
        try:
            await asyncio.wait((running,), timeout=GRACE_SECONDS)
        finally:
            self.abandoned = True
            if not running.done():
                running.cancel()
            running.add_done_callback(_retrieve_exception)


def _retrieve_exception(running: asyncio.Task[t.Any]) -> None:
    """Mark a late exception as retrieved, so that asyncio does not log it."""
    if not running.cancelled():
        running.exception()
