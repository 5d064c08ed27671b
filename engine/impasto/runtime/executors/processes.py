"""`cpu=True` functions run in worker processes: spawned, found again by name, killed when cancelled.

The parent and the worker talk over a pipe of their own: the call one way, what the context is asked for and
the answer the other. Values travel by pickle between two processes of the same program.
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
from impasto.sdk.node_type import NodeType

if t.TYPE_CHECKING:
    from impasto.runtime.task import Unit


ROOM = 2**14  # what a pipe takes at once, everywhere


class Worker:
    """One process, doing one call at a time."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(theirs,), name="impasto-cpu", daemon=True)
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()


class Processes:
    """At most `most` workers, started on demand and kept while the run lasts."""

    def __init__(self, most: int | None = None) -> None:
        self.most = asyncio.Semaphore(most or os.cpu_count() or 1)
        self._idle: list[Worker] = []

    async def call(self, unit: "Unit") -> t.Any:
        """Run a `cpu=True` node in a process; the process is killed if the unit is cancelled."""
        async with self.most:
            worker = self._idle.pop() if self._idle else await asyncio.to_thread(Worker)
            try:
                answer = await _Call(unit, worker.pipe).run()
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
    """One call: sends it, answers what its context asks for, gives back what it came to."""

    def __init__(self, unit: "Unit", pipe: Connection) -> None:
        self.unit = unit
        self.pipe = pipe
        self.tasks: set[asyncio.Task[None]] = set()
        self.opened: dict[str, t.Any] = {}

    async def run(self) -> t.Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[t.Any] = loop.create_future()
        call = (_place(self.unit.step.type), self.unit.args, self._kwargs(), _about(self.unit))
        await self._send(ForkingPickler.dumps(call))
        loop.add_reader(self.pipe.fileno(), self._read, done)
        try:
            return await done
        finally:
            loop.remove_reader(self.pipe.fileno())
            for task in self.tasks:
                task.cancel()

    async def _send(self, message: t.Any) -> None:
        """Put it into the pipe; the loop does not wait until a worker has started and taken a large one."""
        if len(message) < ROOM:
            self.pipe.send_bytes(message)
        else:
            await asyncio.to_thread(self.pipe.send_bytes, message)

    def _kwargs(self) -> dict[str, t.Any]:
        name = self.unit.step.type.context
        return {key: value for key, value in self.unit.kwargs.items() if key != name}

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
            self._tell(done, *rest)
        elif kind == "ask":
            task = asyncio.get_running_loop().create_task(self._answer(*rest))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def _tell(self, done: "asyncio.Future[t.Any]", name: str, args: t.Any, kwargs: t.Any) -> None:
        """Hand on what the function says; what cannot be said is its failure."""
        try:
            getattr(self.unit.context, name)(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever the function has said
            if not done.done():
                done.set_exception(NodeError.wrap(error))

    async def _answer(self, name: str, args: t.Any, kwargs: t.Any) -> None:
        try:
            self.pipe.send((True, await self._ask(name, args, kwargs)))
        except Exception as error:  # noqa: BLE001 - raised again where it was asked
            self.pipe.send((False, NodeError.wrap(error)))

    async def _ask(self, name: str, args: t.Any, kwargs: t.Any) -> t.Any:
        context = self.unit.context
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


def _place(node_type: NodeType) -> tuple[str, str, str | None]:
    """Where the worker finds the function: its module, its name, and the module's file."""
    function = node_type.function
    module = sys.modules.get(function.__module__)
    return function.__module__, function.__qualname__, getattr(module, "__file__", None)


def _about(unit: "Unit") -> dict[str, t.Any] | None:
    """What the worker's context knows without asking; None if the function takes no context."""
    context = unit.context
    if context is None:
        return None
    names = ("step", "item", "run_id", "attempt", "seed", "idempotency_key", "fingerprint")
    about = {name: getattr(context, name) for name in names}
    return {**about, "temp_dir": context.temp_dir, "parameter": unit.step.type.context}
