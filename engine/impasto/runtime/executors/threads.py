"""Plain functions run in worker threads: made on demand, kept while the run lasts, gone with it.

The threads are daemons, because a function that hangs cannot be stopped: it is abandoned, and must not
keep the interpreter from ending.
"""

import asyncio
import threading
import typing as t
from collections import deque
from collections.abc import Callable

from impasto.errors import NodeError

if t.TYPE_CHECKING:
    from impasto.runtime.task import Unit

Job = Callable[[], None]


class Threads:
    """A pool of at most `most` threads. Give one to several runs, or let each run have its own."""

    def __init__(self, most: int = 128) -> None:
        self.most = most
        self._jobs: deque[Job | None] = deque()
        self._free = 0
        self._threads: set[threading.Thread] = set()
        self._ready = threading.Condition()

    async def call(self, unit: "Unit") -> t.Any:
        """Run a `def` node in a thread."""
        function, args, kwargs = unit.step.type.function, unit.args, unit.kwargs
        return await self.run(lambda: function(*args, **kwargs))

    def run(self, job: Callable[[], t.Any]) -> asyncio.Future[t.Any]:
        """A future for what the job returns; cancelling it abandons the job."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[t.Any] = loop.create_future()
        self.post(lambda: _do(job, future, loop))
        return future

    def post(self, job: Job) -> None:
        """Do a job that tells its end itself, and never raises."""
        with self._ready:
            self._jobs.append(job)
            if self._free >= len(self._jobs):
                self._ready.notify()
            elif len(self._threads) < self.most:
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
        """Let the threads end; those that are idle have ended when this returns."""
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
    except BaseException as raised:  # noqa: BLE001 - it is the awaiting step's to judge
        error = raised
    try:
        loop.call_soon_threadsafe(_tell, future, value, error)
    except RuntimeError:  # the loop was closed while an abandoned function ran on
        return


def _tell(future: asyncio.Future[t.Any], value: t.Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    elif isinstance(error, StopIteration):
        future.set_exception(RuntimeError("the function raised StopIteration"))
    elif isinstance(error, Exception | asyncio.CancelledError):
        future.set_exception(error)
    else:
        # Here `sys.exit()` and its kind end a thread, not the program: the loop is not to hear of them.
        future.set_exception(NodeError.wrap(error))
