"""The child's side of a worker process: reads a task a line, writes progress lines and one answer line.

Run as `python -m impasto_nodes.providers.local.worker package.module:function MEBIBYTES`, where the function
takes the task (a dict) and a reporter, and returns the answer (a dict), and the process may use that much
memory. Only this module writes to the real standard output; output of native libraries goes to standard
error. The process ends when its standard input closes, so it cannot outlive its parent.
"""

import contextlib
import importlib
import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TextIO

Report = Callable[[float, str], None]
Handler = Callable[[dict[str, Any], Report], dict[str, Any]]


def main(arguments: list[str]) -> None:
    """Answer tasks with the named function until standard input closes."""
    out = _own_standard_output()
    _limit_memory(int(arguments[1]))
    tasks: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(tasks,), daemon=True).start()
    module, _, function = arguments[0].partition(":")
    handler: Handler = getattr(importlib.import_module(module), function)
    while True:
        _write(out, _answer(handler, json.loads(tasks.get()), out))


def _answer(handler: Handler, task: dict[str, Any], out: TextIO) -> dict[str, Any]:
    def report(fraction: float, message: str = "") -> None:
        _write(out, {"progress": fraction, "message": message})

    try:
        return {"answer": handler(task, report)}
    except MemoryError:
        return {"error": "not enough memory", "kind": "MemoryError", "trace": ""}
    except Exception as error:  # noqa: BLE001 - reported to the parent, which raises it
        return {"error": str(error), "kind": type(error).__name__, "trace": traceback.format_exc()}


def _read(tasks: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        tasks.put(line)
    os._exit(0)  # a native call in the main thread cannot be interrupted


def _write(out: TextIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _own_standard_output() -> TextIO:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _limit_memory(mebibytes: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every platform has limits
        import resource

        limit = mebibytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main(sys.argv[1:])
