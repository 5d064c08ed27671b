"""Processes with the server's code, forked from one that has imported it: importing takes most of a start."""

import asyncio
import atexit
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path

from tests.fork_server import forking_context, will_fork

IMPORTS = will_fork("tests.server.forked_imports")


class ForkedProcess:
    """A process that calls the function `name` of a module with a function that announces that it is ready.

    It is used as one of `asyncio.create_subprocess_exec`, with an environment, a folder, and a file for its
    output.
    """

    def __init__(
        self, module: str, name: str, environment: Mapping[str, str], folder: Path, log: str | None = None
    ) -> None:
        context = forking_context(*IMPORTS)
        self._ready, announced = context.Pipe(duplex=False)
        # The test's own output, which pytest shows if it fails; that of the fork server is closed.
        output = Connection(
            os.dup(2) if log is None else os.open(log, os.O_WRONLY | os.O_APPEND), readable=False
        )
        arguments = (module, name, dict(environment), str(folder), output, announced)
        self._process = context.Process(target=_main, args=arguments)
        self._process.start()
        output.close()
        announced.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, how: signal.Signals) -> None:
        if self.returncode is None and self.pid is not None:
            os.kill(self.pid, how)

    async def wait_until_ready(self) -> None:
        """Wait until the process says so."""
        with self._ready:
            await _until_readable(self._ready.fileno())
            try:
                self._ready.recv_bytes()
            except EOFError:
                raise AssertionError("the process ended before it was ready") from None

    async def wait(self) -> int:
        """Wait until the process has ended."""
        await _until_readable(self._process.sentinel)
        self._process.join()
        assert self.returncode is not None
        return self.returncode


async def _until_readable(file: int) -> None:
    loop, is_readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, is_readable.set)
    try:
        await is_readable.wait()
    finally:
        loop.remove_reader(file)


def _main(
    module: str,
    name: str,
    environment: dict[str, str],
    folder: str,
    output: Connection,
    announced: Connection,
) -> None:
    missing = [name for name in IMPORTS if name not in sys.modules]
    assert not missing, "the process has to import every module again, which takes seconds"
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    output.close()
    serve: Callable[[Callable[[], None]], None] = getattr(import_module(module), name)
    serve(lambda: announced.send_bytes(b"ready"))


@atexit.register
def _kill_left_over() -> None:
    """What a test that was cut off has left would otherwise be waited for."""
    for process in multiprocessing.active_children():
        process.kill()
