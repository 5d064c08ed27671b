"""The loop of a worker process: its answers, its limits and its end."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from tests.server.compiler_processes import ForkedCompilerProcess

from impasto_server.compiler.process import ProcessDied

Start = Callable[[float], ForkedCompilerProcess]
MIB = 2**20


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts a worker with a time limit in seconds and a memory limit of 64 MiB."""
    started: list[ForkedCompilerProcess] = []

    def one(seconds: float) -> ForkedCompilerProcess:
        setup = orjson.dumps({"seconds": seconds, "memory_bytes": 64 * MIB})
        started.append(ForkedCompilerProcess(setup, worker="tests.server.compiler.sample_worker"))
        started[-1].wait_until_ready()
        return started[-1]

    yield one
    for process in started:
        process.close()


def ask(process: ForkedCompilerProcess, operation: str, *parts: bytes, **header: Any) -> list[bytes]:
    return process.call([orjson.dumps({"operation": operation, **header}), *parts])


def test_answers_are_those_of_the_operations_whatever_they_print(start: Start) -> None:
    process = start(60)
    setup = b'{"seconds":60,"memory_bytes":67108864}'
    os.kill(process.pid, signal.SIGINT)  # of a terminal, meant for the server
    for _ in range(2):
        answer = ask(process, "echo", b"one", b"", more=7)
        assert answer == [b"done", setup, b'{"more":7}', b"one", b""]
    assert ask(process, "recurse") == [b"recursion"]
    assert ask(process, "fail") == [b"failed", b"ValueError: a reason ?"]
    if sys.platform == "linux":
        assert ask(process, "allocate", bytes=32 * MIB) == [b"done", b"33554432"]
        assert ask(process, "allocate", bytes=96 * MIB) == [b"memory"]
    assert ask(process, "linger") == [b"done"]
    process._process.stdin.close()
    process._process.wait(20)
    assert process._process.poll() == 0, "it waits for no thread of a plugin"


def test_process_without_a_parent_that_stops_it_ends_by_itself(start: Start) -> None:
    with pytest.raises(ProcessDied):
        ask(start(0.02), "wait")
