"""The compiler processes of a server: started on demand, shared fairly, killed when they take too long."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import structlog

from impasto_server.compiler.process import CompilerProcess, ProcessDied

log = structlog.get_logger()
START_SECONDS = 60.0
R = TypeVar("R")
_MAX_STRETCH = 3
_MIN_SECONDS = 0.02


class TooSlow(Exception):
    """The request took longer than the limit; its process was killed."""


class OutOfMemory(Exception):
    """The request needed more memory than the limit, or its process was killed from outside, twice."""


class TooManyWaiting(Exception):
    """The owner has too many requests in the queue."""


class ProcessPool:
    """At most `size` processes. Each owner uses one at a time, so owners take turns.

    `setup` returns the first message to a process that `start` has started, by default one that compiles.

    It belongs to one event loop. `close` kills the processes; requests under way and later ones raise
    `TooSlow`.
    """

    def __init__(
        self,
        size: int,
        seconds: float,
        setup: Callable[[], bytes],
        start: Callable[[bytes], CompilerProcess] | None = None,
    ) -> None:
        self._seconds = seconds
        self._setup = setup
        self._start = start or CompilerProcess
        self._slots = asyncio.Semaphore(size)
        self._size = size
        self._closed = False
        # One more than processes can be busy, to end those that were killed.
        self._threads = ThreadPoolExecutor(size + 1, thread_name_prefix="compiler")
        self._idle: list[CompilerProcess] = []
        self._busy: set[CompilerProcess] = set()
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @property
    def process_ids(self) -> list[int]:
        """The ids of the running processes."""
        return [process.pid for process in (*self._idle, *self._busy)]

    async def call(
        self, owner: str, parts: Sequence[bytes], max_waiting: int | None = None
    ) -> tuple[list[bytes], float]:
        """Return the answer to a request, and the seconds of processor time that it took.

        A process that dies, except by the time limit, is replaced once. Raises `TooManyWaiting` if the owner
        has `max_waiting` requests in the queue, `TooSlow`, `OutOfMemory`, or RuntimeError for a failure of
        the process's program.
        """
        if max_waiting is not None and self._waiting[owner] >= max_waiting:
            raise TooManyWaiting
        self._waiting[owner] += 1
        turn = self._turns.setdefault(owner, asyncio.Lock())
        try:
            async with turn, self._slots:
                answer, seconds = await self._retried(parts)
                return _unwrapped(answer), seconds
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner]
                del self._turns[owner]

    async def start(self) -> None:
        """Start the first process, so that the first request does not wait for it."""
        async with self._slots:
            if not self._idle:
                self._idle.append(await self._started())

    async def close(self) -> None:
        """Kill the processes and wait until the requests under way have failed."""
        self._closed = True
        for process in self._busy:
            process.kill()
        for _ in range(self._size):
            await self._slots.acquire()
        for process in self._idle:
            process.close()
        self._idle.clear()
        self._threads.shutdown()
        for _ in range(self._size):
            self._slots.release()  # later requests fail; without a slot they would wait forever

    async def _retried(self, parts: Sequence[bytes]) -> tuple[list[bytes], float]:
        try:
            return await self._call(parts)
        except ProcessDied:
            log.warning("a worker process died; trying once more")
        try:
            return await self._call(parts)
        except ProcessDied as error:
            raise OutOfMemory from error

    async def _call(self, parts: Sequence[bytes]) -> tuple[list[bytes], float]:
        process = self._next_idle() or await self._started()
        used_before, started = process.processor_seconds(), time.monotonic()
        try:
            answer = await self._within(process, self._seconds, partial(process.call, parts))
        except BaseException:
            self._discard(process)
            raise
        if answer[0] == b"memory":
            self._discard(process)  # its memory is fragmented
        else:
            self._idle.append(process)
        used = process.processor_seconds()
        if used is None or used_before is None:
            return answer, time.monotonic() - started
        return answer, used - used_before

    def _next_idle(self) -> CompilerProcess | None:
        while self._idle and not self._closed:
            process = self._idle.pop()
            if process.is_alive:
                return process
            self._discard(process)
        return None

    async def _started(self) -> CompilerProcess:
        if self._closed:
            raise TooSlow
        process = await asyncio.get_running_loop().run_in_executor(self._threads, self._start, self._setup())
        try:
            await self._within(process, START_SECONDS, process.wait_until_ready)
        except BaseException:
            self._discard(process)
            raise
        return process

    def _discard(self, process: CompilerProcess) -> None:
        if self._closed:
            process.close()
        else:
            self._threads.submit(process.close)

    async def _within(self, process: CompilerProcess, seconds: float, function: Callable[[], R]) -> R:
        """Call a blocking method of the process in a thread; the process is killed after `seconds`."""
        loop = asyncio.get_running_loop()
        alarm = _Alarm(process, seconds)
        self._busy.add(process)
        try:
            return await loop.run_in_executor(self._threads, function)
        except ProcessDied as error:
            if alarm.has_rung or self._closed:
                raise TooSlow from error
            raise
        finally:
            alarm.cancel()
            self._busy.discard(process)


class _Alarm:
    """Kills a process that has used `seconds` of processor time, or `_MAX_STRETCH` times as many in all.

    On a busy machine a process waits for a processor, which is not the document's fault. Where the processor
    time is unknown, all time counts.
    """

    def __init__(self, process: CompilerProcess, seconds: float) -> None:
        self.has_rung = False
        self._loop = asyncio.get_running_loop()
        self._process = process
        self._seconds = seconds
        self._latest = self._loop.time() + _MAX_STRETCH * seconds
        self._used_before = process.processor_seconds()
        self._handle = self._loop.call_later(seconds, self._ring)

    def cancel(self) -> None:
        """Let the process live."""
        self._handle.cancel()

    def _ring(self) -> None:
        used = self._process.processor_seconds()
        if used is not None and self._used_before is not None:
            unused = self._seconds - (used - self._used_before)
            left = min(unused, self._latest - self._loop.time())
            if left > _MIN_SECONDS:
                self._handle = self._loop.call_later(left, self._ring)
                return
        self.has_rung = True
        self._process.kill()


def _unwrapped(answer: list[bytes]) -> list[bytes]:
    kind, *rest = answer
    if kind == b"memory":
        raise OutOfMemory
    if kind == b"recursion":
        raise TooSlow
    if kind == b"failed":
        raise RuntimeError(f"a worker process failed: {rest[0].decode(errors='replace')}")
    return rest
