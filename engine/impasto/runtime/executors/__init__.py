"""Executors run the function of a task: on the event loop, in a worker thread, in a worker process.

An executor is a coroutine function that returns what the node's function returned. It must end at once when
it is cancelled, whatever the node's function does.
"""

import typing as t
from collections.abc import Callable, Coroutine

from impasto.errors import NodeError
from impasto.runtime.task import Task


class TaskPool(t.Protocol):
    """Worker threads or processes."""

    async def call(self, task: Task) -> t.Any:
        """Call the task's function in a worker, and return what it returned."""


class CallServices(t.Protocol):
    """The part of the run that executors and policies use."""

    @property
    def threads(self) -> TaskPool:
        """The run's worker threads."""

    @property
    def processes(self) -> TaskPool:
        """The run's worker processes."""

    def partial(self, task: Task, data: dict[str, t.Any]) -> None:
        """Emit a part of the task's output."""

    def retry_delay(self, task: Task, error: NodeError) -> float:
        """Return the seconds to wait before the next attempt."""

    def retrying(self, task: Task, seconds: float, error: NodeError) -> None:
        """Emit that the task will be tried again in `seconds`."""


Body = Callable[[Task, CallServices], Coroutine[t.Any, t.Any, t.Any]]
