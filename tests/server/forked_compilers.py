"""Compiler processes forked from one that has imported the compiler: importing takes a second of its time."""

import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from impasto_server.compiler import pool
from impasto_server.compiler.process import CompilerProcess

_MAX_MESSAGE = 4096


def fork_compilers() -> None:
    """Fork the compiler processes of this process's server, which must not have started a thread yet.

    A process with threads cannot be forked safely, so a second process without any does it.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        _fork_on_request(theirs)
    theirs.close()
    forker = _Forker(ours)

    class ForkedCompilerProcess(CompilerProcess):
        def __init__(
            self,
            setup: bytes,
            worker: str = "impasto_server.compiler.worker",
            environment: Mapping[str, str] | None = None,
        ) -> None:
            assert environment is None, "a forked process has the environment of the server"
            self._setup = setup
            self._process = forker.start(worker)  # type: ignore[assignment]

    pool.CompilerProcess = ForkedCompilerProcess  # type: ignore[misc]


class _Forker:
    """The process that forks. It ends when this one does."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._turn = threading.Lock()

    def start(self, worker: str) -> "_Process":
        requests, stdin = os.pipe()
        stdout, answers = os.pipe()
        ended, alive = os.pipe()
        handed = (requests, answers, alive)
        with self._turn:
            socket.send_fds(self._connection, [worker.encode()], handed)
            for descriptor in handed:
                os.close(descriptor)
            pid = int(self._connection.recv(_MAX_MESSAGE))
        return _Process(pid, stdin, stdout, ended)


class _Process:
    """What `CompilerProcess` uses of a `subprocess.Popen`. Nothing is written to the pipe `ended`."""

    def __init__(self, pid: int, stdin: int, stdout: int, ended: int) -> None:
        self.pid = pid
        self.stdin = os.fdopen(stdin, "wb")
        self.stdout = os.fdopen(stdout, "rb")
        self._ended = os.fdopen(ended, "rb")
        self._has_ended = False

    def poll(self) -> int | None:
        if not self._has_ended and select.select([self._ended], [], [], 0)[0]:
            self.wait()
        return 0 if self._has_ended else None

    def kill(self) -> None:
        # The process that forks waits for none, so that no number is used again.
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        if not self._has_ended:
            self._ended.read()
            self._ended.close()
            self._has_ended = True


def _fork_on_request(connection: socket.socket) -> NoReturn:
    while True:
        worker, handed, _, _ = socket.recv_fds(connection, _MAX_MESSAGE, 3)
        if not worker:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            connection.close()
            _work(worker.decode(), *handed)
        for descriptor in handed:
            os.close(descriptor)
        connection.send(str(pid).encode())


def _work(worker: str, requests: int, answers: int, alive: int) -> NoReturn:
    """Run the program of a compiler process. The pipe `alive` is closed by its end."""
    os.dup2(requests, 0)
    os.dup2(answers, 1)
    os.close(requests)
    os.close(answers)
    sys.stdin = os.fdopen(0, closefd=False)
    try:
        import_module(worker).main()
    finally:
        os._exit(1)
