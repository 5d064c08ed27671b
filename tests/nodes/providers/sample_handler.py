"""The handler of the worker process in these tests."""

import os
import resource
import stat
import time
from pathlib import Path
from typing import Any


def handle(task: dict[str, Any], report: Any) -> dict[str, Any]:
    return getattr(Tasks, task["do"])(task, report)


def is_pipe(number: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False


class Tasks:
    @staticmethod
    def pid(task: dict[str, Any], report: Any) -> dict[str, Any]:
        report(0.5, "half")
        report(0.75)
        return {"pid": os.getpid()}

    @staticmethod
    def noise(task: dict[str, Any], report: Any) -> dict[str, Any]:
        print("a library prints here")
        os.write(1, b"and native code too\n")
        return {"ok": True}

    @staticmethod
    def fail(task: dict[str, Any], report: Any) -> dict[str, Any]:
        raise ValueError("not like this")

    @staticmethod
    def die(task: dict[str, Any], report: Any) -> dict[str, Any]:
        os.write(2, task.get("words", "").encode())
        os._exit(3)

    @staticmethod
    def die_within_an_answer(task: dict[str, Any], report: Any) -> dict[str, Any]:
        answers = next(number for number in range(3, 100) if is_pipe(number))
        os.write(answers, b'{"answer": {"words": [')
        os._exit(3)

    @staticmethod
    def hang(task: dict[str, Any], report: Any) -> dict[str, Any]:
        Path(task["mark"]).touch()
        time.sleep(600)
        return {}

    @staticmethod
    def eat(task: dict[str, Any], report: Any) -> dict[str, Any]:
        return {"size": len(bytearray(1 << 30))}

    @staticmethod
    def limit(task: dict[str, Any], report: Any) -> dict[str, Any]:
        return {"bytes": resource.getrlimit(resource.RLIMIT_AS)}

    @staticmethod
    def environment(task: dict[str, Any], report: Any) -> dict[str, Any]:
        return {"names": list(os.environ)}
