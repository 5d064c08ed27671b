"""The loop of a worker process: answers the requests on its standard input until that closes."""

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from impasto_server.compiler.frames import read_frame, write_frame

_GRACE_FACTOR = 5  # the parent kills the process after three times the limit at the latest
Operation = Callable[[dict[str, Any], list[bytes]], list[bytes]]


def answer_requests(make_operations: Callable[[dict[str, Any]], object]) -> None:
    """Answer requests until the parent closes the pipe.

    The first message is the set-up, from which `make_operations` makes the object whose methods are the
    operations. It also holds the limits: `seconds` for each request, and `memory_bytes`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, meant for the server
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a plugin prints must not get between the answers
    try:
        (setup,) = read_frame(requests)
        data = orjson.loads(setup)
        operations = make_operations(data)
        _limit_memory(data["memory_bytes"])
        write_frame(answers, [b"ready"])
        while True:
            write_frame(answers, _answer(operations, read_frame(requests), data["seconds"]))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # without waiting for threads of plugins


def _answer(operations: object, parts: list[bytes], seconds: float) -> list[bytes]:
    header = orjson.loads(parts[0])
    operation: Operation = getattr(operations, header.pop("operation"))
    # A parent that was killed cannot stop this process.
    faulthandler.dump_traceback_later(_GRACE_FACTOR * seconds, exit=True)
    try:
        return [b"done", *operation(header, parts[1:])]
    except MemoryError:
        return [b"memory"]
    except RecursionError:
        return [b"recursion"]
    except Exception as error:  # noqa: BLE001 - reported to the parent, which raises it
        return [b"failed", f"{type(error).__name__}: {error}".encode(errors="replace")]
    finally:
        faulthandler.cancel_dump_traceback_later()


def _limit_memory(limit: int) -> None:
    """Allow `limit` bytes beyond what is in use; where the platform cannot, do nothing."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        maximum = pages * resource.getpagesize() + limit
        resource.setrlimit(resource.RLIMIT_AS, (maximum, maximum))
