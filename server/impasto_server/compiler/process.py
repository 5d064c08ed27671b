"""One compiler process, seen from the server."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, cast

import orjson

from impasto import Catalog
from impasto.errors import DefinitionError
from impasto_server.compiler.frames import read_frame, write_frame
from impasto_server.compiler.limits import FlowLimits

# Node types may be in a folder that only this process has on its path.
# Imports make no garbage: looking for it takes a fifth of their time.
_PROGRAM = """
import gc, sys
sys.path[:] = sys.argv[2:]
from importlib import import_module
gc.disable()
worker = import_module(sys.argv[1])
gc.enable()
worker.main()
"""


_WORKER = "impasto_server.compiler.worker"
# One thread for each processor takes more address space than the memory limit of a check leaves.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_SCHEDULED = 2  # CPUCLOCK_SCHED: user and system time, in nanoseconds


class ProcessDied(Exception):
    """The process ended before it answered: it was killed, or it crashed."""


class CompilerProcess:
    """A process that answers one request at a time. Its methods block, so they are called in threads.

    `worker` is the module whose `main` it runs, which answers requests with `answer_requests`. `environment`
    adds variables to those of the server, which win. Numeric libraries use one thread.

    A plain subprocess with two pipes works alike on every platform, and does not run the server's main
    module again as `multiprocessing` would.
    """

    def __init__(
        self, setup: bytes, worker: str = _WORKER, environment: Mapping[str, str] | None = None
    ) -> None:
        self._setup = setup
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, with this program
            [sys.executable, "-c", _PROGRAM, worker, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_ONE_THREAD, **(environment or {}), **os.environ},  # noqa: TID251 - handed to a child process as it is
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    def processor_seconds(self) -> float | None:
        """Return the processor time that the process has used; None where that cannot be read."""
        if sys.platform != "linux":
            return None
        try:
            # The clock of a process, as clock_getcpuclockid(3) makes its number on Linux.
            return time.clock_gettime((~self.pid << 3) | _SCHEDULED)
        except OSError:  # the process has ended
            return None

    def wait_until_ready(self) -> None:
        """Send the set-up and wait until the worker is ready. Raises `ProcessDied`."""
        self.call([self._setup])

    def call(self, parts: Sequence[bytes]) -> list[bytes]:
        """Send a request and return the answer. Raises `ProcessDied`."""
        try:
            write_frame(cast("BinaryIO", self._process.stdin), parts)
            return read_frame(cast("BinaryIO", self._process.stdout))
        except (OSError, EOFError, ValueError) as error:  # ValueError: `close` has closed the pipe
            raise ProcessDied from error

    def kill(self) -> None:
        """Kill the process at once. A call that waits for it raises `ProcessDied`."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        with suppress(OSError), self._process:  # unsent bytes of a request, which nothing reads any more
            pass


def setup_message(catalog: Catalog, limits: FlowLimits, seconds: float, memory_bytes: int) -> bytes:
    """Return the first message to a process: where to import the node types from, and its limits.

    Raises DefinitionError for a node type that cannot be imported by name.
    """
    data: dict[str, Any] = {
        "nodes": [_place(node_type.function) for node_type in catalog],
        "configured": sorted(catalog.configured),
        "broken": [
            {name: getattr(plugin, name) for name in ("name", "package", "error", "traceback")}
            for plugin in catalog.broken
        ],
        "refused": [
            {
                "package": plugin.package,
                "reason": plugin.reason,
                "hint": plugin.hint,
                "node_types": sorted(plugin.node_types),
            }
            for plugin in catalog.refused
        ],
        "plugins": catalog.allow_list.text,
        "limits": limits.__dict__,
        "seconds": seconds,
        "memory_bytes": memory_bytes,
    }
    return orjson.dumps(data)


def _place(function: Any) -> tuple[str, str, str | None]:
    module = sys.modules.get(function.__module__)
    if "<locals>" in function.__qualname__:
        name = f"{function.__module__}.{function.__qualname__}"
        raise DefinitionError(
            f"The node '{name}' is defined inside a function, so the process that checks flows cannot import "
            "it. Define it at the top level of its module."
        )
    return function.__module__, function.__qualname__, getattr(module, "__file__", None)
