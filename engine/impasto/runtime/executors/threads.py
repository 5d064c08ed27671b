"""Runs plain functions in worker threads, which are started on demand and kept while the run lasts.

The threads are daemons: a function that hangs cannot be stopped, and must not keep the interpreter from
exiting.
"""

import asyncio
import threading
import typing as t
from collections import deque
from collections.abc import Callable
from contextvars import copy_context

from impasto.errors import NodeError
from impasto.runtime.task import Task

Job = Callable[[], None]


class Threads:
    """A pool of at most `max_threads` threads."""

    def __init__(self, max_threads: int = 128) -> None:
        self.max_threads = max_threads
        self._jobs: deque[Job | None] = deque()
        self._free = 0
        self._threads: set[threading.Thread] = set()
        self._ready = threading.Condition()

    async def call(self, task: Task) -> t.Any:
        """Call a `def` node in a thread, with the context variables of the caller."""
        function, args, kwargs = task.step.type.function, task.args, task.kwargs
        context = copy_context()
        return await self.run(lambda: context.run(function, *args, **kwargs))

    def run(self, job: Callable[[], t.Any]) -> asyncio.Future[t.Any]:
        """Return a future for what the job returns; cancelling it abandons the job."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[t.Any] = loop.create_future()
        self.post(lambda: _do(job, future, loop))
        return future

    def post(self, job: Job) -> None:
        """Do a job that reports its own result, and never raises."""
        with self._ready:
            self._jobs.append(job)
            if self._free >= len(self._jobs):
                self._ready.notify()
            elif len(self._threads) < self.max_threads:
                thread = threading.Thread(target=self._work, name="impasto-step", daemon=True)
                self._threads.add(thread)
                thread.start()

    def _work(self) -> None:
        while True:
            with self._ready:
                self._free += 1
                while not self._jobs:
                    self._ready.wait()
                self._free -= 1
                job = self._jobs.popleft()
                if job is None:
                    self._threads.discard(threading.current_thread())
                    return
            job()
            del job

    def close(self, wait: float = 0.2) -> None:
        """End the threads after their current job. If all are idle, wait up to `wait` seconds for each."""
        with self._ready:
            threads = list(self._threads)
            idle = self._free
            self._jobs.extend([None] * len(threads))
            self._ready.notify_all()
        for thread in threads if idle == len(threads) else ():
            thread.join(wait)


def _do(job: Callable[[], t.Any], future: asyncio.Future[t.Any], loop: asyncio.AbstractEventLoop) -> None:
    if future.cancelled():
        return
    error: BaseException | None = None
    value: t.Any = None
    try:
        value = job()
    except BaseException as raised:  # noqa: BLE001 - raised in the task that awaits the job
        error = raised
    try:
        loop.call_soon_threadsafe(_resolve, future, value, error)
    except RuntimeError:  # the event loop was closed while an abandoned function was running
        return


def _resolve(future: asyncio.Future[t.Any], value: t.Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    elif isinstance(error, StopIteration):
        future.set_exception(RuntimeError("the function raised StopIteration"))
    elif isinstance(error, Exception | asyncio.CancelledError):
        future.set_exception(error)
    else:
        # In a thread `sys.exit()` ends the thread only; in the event loop it would end the program.
        future.set_exception(NodeError.wrap(error))
