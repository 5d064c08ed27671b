"""Worker processes that outlive one server: starting one takes a third of a second of processor time."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from tests.fork_server import forking_context
from tests.server.forked_processes import IMPORTS

from impasto_server.compiler.process import CompilerProcess

_MAX_IDLE = 4
_Key = tuple[bytes, tuple[str, ...], str]


class SharedProcesses:
    """Hands out processes with the same worker, set-up and import path again, unless they were killed."""

    def __init__(self) -> None:
        self._idle: list[tuple[_Key, CompilerProcess]] = []

    def start(self, setup: bytes, **options: Any) -> "_Lease":
        """Take the place of the class `CompilerProcess`."""
        key = (setup, tuple(sys.path), str(options))
        found = next((entry for entry in self._idle if entry[0] == key), None)
        if found is None:
            return _Lease(self, key, ForkedCompilerProcess(setup, **options), is_ready=False)
        self._idle.remove(found)
        return _Lease(self, key, found[1], is_ready=True)

    def put_back(self, key: _Key, process: CompilerProcess) -> None:
        self._idle.append((key, process))
        while len(self._idle) > _MAX_IDLE:
            self._idle.pop(0)[1].close()

    def close(self) -> None:
        for _, process in self._idle:
            process.close()
        self._idle.clear()


class ForkedCompilerProcess(CompilerProcess):
    """A process that is forked instead of started, and so need not import the compiler."""

    def __init__(
        self,
        setup: bytes,
        worker: str = "impasto_server.compiler.worker",
        environment: dict[str, str] | None = None,
    ) -> None:
        self._setup = setup
        self._process: Any = _Forked(worker, {**(environment or {}), **os.environ})


class _Forked:
    """What `CompilerProcess` uses of a `subprocess.Popen`."""

    def __init__(self, worker: str, environment: dict[str, str]) -> None:
        (requests, stdin), (stdout, answers) = os.pipe(), os.pipe()
        given = Connection(requests, writable=False), Connection(answers, readable=False)
        self._process = forking_context(*IMPORTS).Process(
            target=_work, args=(worker, environment, sys.path, *given), daemon=True
        )
        self._process.start()
        for end in given:
            end.close()
        self.pid = self._process.pid
        self.stdin = os.fdopen(stdin, "wb")
        self.stdout = os.fdopen(stdout, "rb")

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)

    def __enter__(self) -> "_Forked":
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        try:
            self.stdin.close()
        finally:
            self.wait()


def _work(
    worker: str, environment: dict[str, str], path: list[str], requests: Connection, answers: Connection
) -> None:
    """Run the program of a compiler process."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = path
    for end, number in ((requests, 0), (answers, 1)):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin = os.fdopen(0, closefd=False)
    import_module(worker).main()


class _Lease:
    """One process while a server has it."""

    def __init__(
        self, owner: SharedProcesses, key: _Key, process: CompilerProcess, *, is_ready: bool
    ) -> None:
        self._owner = owner
        self._key = key
        self._process = process
        self._is_ready = is_ready
        self._is_killed = False
        self.pid = process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive

    def processor_seconds(self) -> float | None:
        return self._process.processor_seconds()

    def wait_until_ready(self) -> None:
        if not self._is_ready:
            self._process.wait_until_ready()
            self._is_ready = True

    def call(self, parts: Sequence[bytes]) -> list[bytes]:
        return self._process.call(parts)

    def kill(self) -> None:
        self._is_killed = True
        self._process.kill()

    def close(self) -> None:
        if self._is_ready and not self._is_killed and self._process.is_alive:
            self._owner.put_back(self._key, self._process)
        else:
            self._process.close()
