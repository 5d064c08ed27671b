"""Runs `cpu=True` functions in worker processes, which are killed when their call is cancelled.

The parent sends a call over a pipe; the worker sends back the calls of its context and the result. The worker
imports the function by name. Nodes of a plugin run in processes of that plugin alone, which are restricted to
what it declares.
"""

import asyncio
import os
import sys
import typing as t
from contextlib import suppress
from multiprocessing.reduction import ForkingPickler

from impasto.errors import NodeError
from impasto.plugins.capabilities import Plugin
from impasto.runtime.executors.sandboxed_process import SandboxedProcess
from impasto.runtime.executors.worker import NOTIFICATIONS, REQUESTS
from impasto.runtime.executors.worker_process import Worker, WorkerProcess
from impasto.runtime.task import Task
from impasto.sdk.node_type import NodeType
from impasto.tracking import EVERYTHING, detached

PIPE_CAPACITY = 2**14  # bytes that a pipe takes without blocking, on every platform


class Processes:
    """A pool of at most `max_workers` processes (default: one per CPU), started on demand."""

    def __init__(self, max_workers: int | None = None) -> None:
        self._max_workers = max_workers or os.cpu_count() or 1
        self._slots = asyncio.Semaphore(self._max_workers)
        self._idle: list[Worker] = []
        self._busy = 0

    async def call(self, task: Task) -> t.Any:
        """Call a `cpu=True` node in a process; the process is killed if the call is cancelled."""
        async with self._slots:
            self._busy += 1
            try:
                worker = await self._worker_for(task.step.type.plugin)
                try:
                    answer = await _Call(task, worker).run()
                except BaseException:
                    if task.tracked is not None:
                        task.tracked.log.add_all(EVERYTHING)  # what the process has read is not known
                    worker.kill()
                    raise
                self._idle.append(worker)
            finally:
                self._busy -= 1
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def _worker_for(self, plugin: Plugin | None) -> Worker:
        """Return an idle process of the plugin, or start one, in place of an idle one of another plugin."""
        package = plugin.package if plugin is not None else None
        for position, worker in enumerate(self._idle):
            if worker.package == package:
                return self._idle.pop(position)
        if self._busy + len(self._idle) > self._max_workers:
            self._idle.pop(0).kill()
        if plugin is None:
            return await asyncio.to_thread(WorkerProcess)
        return await asyncio.to_thread(SandboxedProcess, plugin)

    def close(self) -> None:
        """End the workers."""
        for worker in self._idle:
            worker.kill()
        self._idle.clear()


class _Call:
    """One call: sends it, answers the calls of its context, and returns its result."""

    def __init__(self, task: Task, worker: Worker) -> None:
        self.task = task
        self.worker = worker
        self.pipe = worker.pipe
        self.access = worker.access(task.context) if task.context is not None else None
        self.sending = asyncio.Lock()
        self.answers: set[asyncio.Task[None]] = set()
        self.opened: dict[str, t.Any] = {}

    async def run(self) -> t.Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[t.Any] = loop.create_future()
        location, about = _location(self.task.step.type), self._context_data()
        args, kwargs = detached(self.task.args), detached(self._kwargs())
        call = (location, args, kwargs, about, self.task.tracked is not None)
        await self._send(ForkingPickler.dumps(call))
        loop.add_reader(self.pipe.fileno(), self._read, done)
        try:
            return await done
        finally:
            loop.remove_reader(self.pipe.fileno())
            for answer in self.answers:
                answer.cancel()
            if self.access is not None:
                self.access.close()

    async def _send(self, message: t.Any) -> None:
        """Write a message to the pipe; in a thread if that may block until the worker reads it.

        A restricted process may read nothing on purpose.
        """
        async with self.sending:
            if len(message) < PIPE_CAPACITY and self.worker.package is None:
                self.pipe.send_bytes(message)
            else:
                await asyncio.to_thread(self.pipe.send_bytes, message)

    def _kwargs(self) -> dict[str, t.Any]:
        name = self.task.step.type.context
        return {key: value for key, value in self.task.kwargs.items() if key != name}

    def _read(self, done: "asyncio.Future[t.Any]") -> None:
        try:
            for message in self.worker.reader.read():
                kind, *rest = self.worker.loads(message)
                self._handle(done, kind, rest)
        except (EOFError, OSError):
            self._fail(done, NodeError(detail="The worker process ended without an answer."))
        except Exception as error:  # noqa: BLE001 - a restricted process may send anything
            self._fail(done, NodeError(detail=f"The worker process sent something unreadable: {error}."))

    def _handle(self, done: "asyncio.Future[t.Any]", kind: str, rest: list[t.Any]) -> None:
        if kind in ("done", "failed") and not done.done():
            if self.task.tracked is not None:
                self.task.tracked.add_reported(rest[1])  # a restricted process may send anything
            done.set_result(rest[0])
        elif kind == "notify":
            self._notify(done, *rest)
        elif kind == "request":
            answer = asyncio.get_running_loop().create_task(self._answer(*rest))
            self.answers.add(answer)
            answer.add_done_callback(self.answers.discard)

    def _fail(self, done: "asyncio.Future[t.Any]", error: NodeError) -> None:
        """End the call with an error; nothing more is read."""
        asyncio.get_running_loop().remove_reader(self.pipe.fileno())
        if not done.done():
            done.set_exception(error)

    def _notify(self, done: "asyncio.Future[t.Any]", name: str, args: t.Any, kwargs: t.Any) -> None:
        """Call a context method that returns nothing; an error fails the node's call."""
        try:
            if name not in NOTIFICATIONS:
                raise NodeError(detail=f"The worker process called {name!r}, which no node may call.")
            getattr(self.task.context, name)(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised by the awaiting task
            self._fail(done, NodeError.wrap(error))

    async def _answer(self, name: str, args: t.Any, kwargs: t.Any) -> None:
        try:
            answer = ForkingPickler.dumps((True, await self._respond_to(name, args, kwargs)))
        except Exception as error:  # noqa: BLE001 - raised in the worker
            answer = ForkingPickler.dumps((False, NodeError.wrap(error)))
        with suppress(OSError):  # the process has ended, which `_read` reports
            await self._send(answer)

    async def _respond_to(self, name: str, args: t.Any, kwargs: t.Any) -> t.Any:
        if self.access is None:
            raise NodeError(detail="The worker process used a context that its function does not take.")
        if name == "open":
            manager = self.access.open(*args)
            path = await manager.__aenter__()
            self.opened[str(path)] = manager
            return path
        if name == "close":
            await self.opened.pop(str(args[0])).__aexit__(None, None, None)
            return None
        if name == "configuration":
            return self.access.configuration
        if name == "store":
            return await self.access.store(*args, **kwargs)
        if name not in REQUESTS:
            raise NodeError(detail=f"The worker process called {name!r}, which no node may call.")
        return await getattr(self.access.context, name)(*args, **kwargs)

    def _context_data(self) -> dict[str, t.Any] | None:
        """Return what the worker's context knows without asking; None if the function takes no context."""
        if self.access is None:
            return None
        context = self.access.context
        names = ("step", "item", "run_id", "attempt", "seed", "idempotency_key", "fingerprint")
        about = {name: getattr(context, name) for name in names}
        return {**about, "temp_dir": self.access.temp_dir, "parameter": self.task.step.type.context}


def _location(node_type: NodeType) -> tuple[str, str, str | None]:
    """Return where the worker finds the function: its module, its name, and the module's file."""
    function = node_type.function
    module = sys.modules.get(function.__module__)
    return function.__module__, function.__qualname__, getattr(module, "__file__", None)
