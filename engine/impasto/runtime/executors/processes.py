"""Runs `cpu=True` functions in worker processes, which are killed when their call is cancelled.

The parent sends a call over a pipe; the worker sends back the calls of its context and the result. The worker
imports the function by name. Values are pickled between two processes of the same program.
"""

import asyncio
import multiprocessing
import os
import sys
import typing as t
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler

from impasto.errors import NodeError
from impasto.runtime.executors.worker import serve
from impasto.runtime.task import Task
from impasto.sdk.context import Context
from impasto.sdk.node_type import NodeType

PIPE_CAPACITY = 2**14  # bytes that a pipe takes without blocking, on every platform


class Worker:
    """One worker process, which does one call at a time."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(theirs,), name="impasto-cpu", daemon=True)
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        """Kill the process."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()


class Processes:
    """A pool of at most `max_workers` processes (default: one per CPU), started on demand."""

    def __init__(self, max_workers: int | None = None) -> None:
        self._slots = asyncio.Semaphore(max_workers or os.cpu_count() or 1)
        self._idle: list[Worker] = []

    async def call(self, task: Task) -> t.Any:
        """Call a `cpu=True` node in a process; the process is killed if the call is cancelled."""
        async with self._slots:
            worker = self._idle.pop() if self._idle else await asyncio.to_thread(Worker)
            try:
                answer = await _Call(task, worker.pipe).run()
            except BaseException:
                worker.kill()
                raise
            self._idle.append(worker)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def close(self) -> None:
        """End the workers."""
        for worker in self._idle:
            worker.kill()
        self._idle.clear()


class _Call:
    """One call: sends it, answers the calls of its context, and returns its result."""

    def __init__(self, task: Task, pipe: Connection) -> None:
        self.task = task
        self.pipe = pipe
        self.answers: set[asyncio.Task[None]] = set()
        self.opened: dict[str, t.Any] = {}

    async def run(self) -> t.Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[t.Any] = loop.create_future()
        call = (_location(self.task.step.type), self.task.args, self._kwargs(), _context_data(self.task))
        await self._send(ForkingPickler.dumps(call))
        loop.add_reader(self.pipe.fileno(), self._read, done)
        try:
            return await done
        finally:
            loop.remove_reader(self.pipe.fileno())
            for answer in self.answers:
                answer.cancel()

    async def _send(self, message: t.Any) -> None:
        """Write a message to the pipe; a large one in a thread, as it blocks until the worker reads it."""
        if len(message) < PIPE_CAPACITY:
            self.pipe.send_bytes(message)
        else:
            await asyncio.to_thread(self.pipe.send_bytes, message)

    def _kwargs(self) -> dict[str, t.Any]:
        name = self.task.step.type.context
        return {key: value for key, value in self.task.kwargs.items() if key != name}

    def _read(self, done: "asyncio.Future[t.Any]") -> None:
        try:
            kind, *rest = self.pipe.recv()
        except (EOFError, OSError):
            if not done.done():
                done.set_exception(NodeError(detail="The worker process ended without an answer."))
            return
        if (kind == "done" and not done.done()) or (kind == "failed" and not done.done()):
            done.set_result(rest[0])
        elif kind == "tell":
            self._notify(done, *rest)
        elif kind == "ask":
            answer = asyncio.get_running_loop().create_task(self._answer(*rest))
            self.answers.add(answer)
            answer.add_done_callback(self.answers.discard)

    def _notify(self, done: "asyncio.Future[t.Any]", name: str, args: t.Any, kwargs: t.Any) -> None:
        """Call a context method that returns nothing; an error fails the node's call."""
        try:
            getattr(self.task.context, name)(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised by the awaiting task
            if not done.done():
                done.set_exception(NodeError.wrap(error))

    async def _answer(self, name: str, args: t.Any, kwargs: t.Any) -> None:
        try:
            self.pipe.send((True, await self._ask(name, args, kwargs)))
        except Exception as error:  # noqa: BLE001 - raised in the worker
            self.pipe.send((False, NodeError.wrap(error)))

    def _context(self) -> Context:
        context = self.task.context
        if context is None:
            raise NodeError(detail="The worker process used a context that its function does not take.")
        return context

    async def _ask(self, name: str, args: t.Any, kwargs: t.Any) -> t.Any:
        context = self._context()
        if name == "open":
            manager = context.open(*args)
            path = await manager.__aenter__()
            self.opened[str(path)] = manager
            return path
        if name == "close":
            await self.opened.pop(str(args[0])).__aexit__(None, None, None)
            return None
        if name == "configuration":
            return context.configuration
        return await getattr(context, name)(*args, **kwargs)


def _location(node_type: NodeType) -> tuple[str, str, str | None]:
    """Return where the worker finds the function: its module, its name, and the module's file."""
    function = node_type.function
    module = sys.modules.get(function.__module__)
    return function.__module__, function.__qualname__, getattr(module, "__file__", None)


def _context_data(task: Task) -> dict[str, t.Any] | None:
    """Return what the worker's context knows without asking; None if the function takes no context."""
    context = task.context
    if context is None:
        return None
    names = ("step", "item", "run_id", "attempt", "seed", "idempotency_key", "fingerprint")
    about = {name: getattr(context, name) for name in names}
    return {**about, "temp_dir": context.temp_dir, "parameter": task.step.type.context}
