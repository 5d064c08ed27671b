"""Trying again after errors that say it may help, later each time, never past the deadline."""

import asyncio
import random
import typing as t
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from impasto.errors import NodeError


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before try n + 1: `base` doubled each time, at most `most`, less up to half of it."""

    base: float = 0.25
    most: float = 30.0

    def seconds(self, attempt: int, error: NodeError) -> float:
        """The wait after the given try: what the provider asked for, or the exponential one with jitter."""
        if error.retry_after is not None:
            return max(0.0, error.retry_after)
        return min(self.most, self.base * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)  # noqa: S311


def around(
    body: Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]], retries: int
) -> Callable[[t.Any], Coroutine[t.Any, t.Any, t.Any]]:
    """The body, tried up to `retries` times more, each time with arguments that no try has changed."""

    async def tried(unit: t.Any) -> t.Any:
        args, kwargs = unit.args, unit.kwargs
        while True:
            unit.args, unit.kwargs = args, kwargs
            unit.own()
            try:
                return await body(unit)
            except Exception as raised:
                error = NodeError.wrap(raised)
                if not error.retryable or unit.attempt > retries or unit.dead:
                    raise
                seconds = unit.run.options.backoff.seconds(unit.attempt, error)
                if unit.deadline is not None and asyncio.get_running_loop().time() + seconds >= unit.deadline:
                    raise
            unit.attempt += 1
            unit.run.retrying(unit, seconds, error)
            await asyncio.sleep(seconds)

    return tried
