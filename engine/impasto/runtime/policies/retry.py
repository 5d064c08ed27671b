"""Retries after errors that are marked retryable: exponential back-off with jitter, within the deadline."""

import asyncio
import random
import typing as t
from dataclasses import dataclass

from impasto.errors import NodeError
from impasto.runtime.executors import Body, CallServices
from impasto.runtime.task import Task


@dataclass(frozen=True, slots=True)
class Backoff:
    """The delay before each retry: `base` seconds, doubled each time up to `max_delay`, then jittered."""

    base: float = 0.25
    max_delay: float = 30.0

    def seconds(self, attempt: int, error: NodeError) -> float:
        """Return the delay after the given attempt: the provider's Retry-After, or the exponential one."""
        if error.retry_after is not None:
            return max(0.0, error.retry_after)
        return min(self.max_delay, self.base * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)  # noqa: S311


def with_retries(body: Body, retries: int) -> Body:
    """Return the body with up to `retries` further attempts, each with unchanged arguments."""

    async def retried(task: Task, services: CallServices) -> t.Any:
        args, kwargs = task.args, task.kwargs
        while True:
            task.args, task.kwargs = args, kwargs
            task.copy_args()
            try:
                return await body(task, services)
            except Exception as raised:
                error = NodeError.wrap(raised)
                allowed = retries if error.max_retries is None else min(retries, error.max_retries)
                if not error.retryable or task.attempt > allowed or task.cancelled:
                    raise
                seconds = services.retry_delay(task, error)
                if task.deadline is not None and asyncio.get_running_loop().time() + seconds >= task.deadline:
                    raise
            task.attempt += 1
            services.retrying(task, seconds, error)
            await asyncio.sleep(seconds)

    return retried
