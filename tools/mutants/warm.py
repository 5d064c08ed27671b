"""A process with the libraries loaded that forks once for each test run, which saves the imports.

Reads one JSON object a line from standard input. The first, `{"libraries": [...]}`, names the modules to
import. Each other one has the fields of `Request`: a fork runs pytest, and one line answers,
`{"status": "passed" | "failed" | "stuck" | "unfinished", "test": ...}`.
"""

import gc
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cpu_time import POLL_SECONDS, session_seconds

NOT_REPLACED = 71  # the exit code of a fork that found no function to put a mutant in place of


@dataclass(eq=False)
class Recorder:
    """A pytest plugin that writes the running test, then the first failure, to a file."""

    file: Path

    def write(self, status: str, test: str) -> None:
        """Replace the file's content; `at` is the time on the system's monotonic clock."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps({"status": status, "test": test, "at": time.monotonic()}))
        part.replace(self.file)  # the process may be killed at any time

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note the test that runs: if the process dies or hangs, it is the cause."""
        self.write("unfinished", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed test."""
        if report.failed:
            self.fail(report.nodeid, report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be collected."""
        if report.failed:
            self.fail(report.nodeid, report.longreprtext)

    def fail(self, test: str, text: str) -> None:
        """Write a failure: stuck if pytest-timeout caused it."""
        self.write("stuck" if "from pytest-timeout" in text else "failed", test)


class OneDatabase:
    """A pytest plugin: what runs on both databases runs on SQLite alone, which finds nearly as much."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep of each test the case on SQLite, or that on PostgreSQL if it is the only one."""
        names = {item.nodeid for item in items}
        repeated = [
            item
            for item in items
            if "postgresql" in item.nodeid and item.nodeid.replace("postgresql", "sqlite") in names
        ]
        config.hook.pytest_deselected(items=repeated)
        items[:] = [item for item in items if item not in repeated]


@dataclass(frozen=True)
class Limits:
    """The longest time of a run by the clock, its CPU time, and the time of one test, in seconds."""

    seconds: float
    cpu_seconds: float
    test_seconds: float


@dataclass(frozen=True)
class Request:
    """One run of pytest: its arguments, the import path, the environment, the log's file, the limits."""

    arguments: list[str]
    path: list[str]
    environment: dict[str, str]
    log: str
    limits: dict[str, float]

    def run(self) -> dict[str, object]:
        """Run pytest in a fork."""
        outcome = Path(f"{self.log}.outcome")
        return run_forked(lambda: self._run_here(outcome), outcome, Limits(**self.limits))

    def _run_here(self, outcome: Path) -> int:
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for target, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
            os.dup2(source, target)
        os.environ.update(self.environment)
        sys.path[:0] = self.path
        return int(pytest.main(self.arguments, plugins=[Recorder(outcome), OneDatabase()]))


def run_forked(body: Callable[[], int], outcome: Path, limits: Limits) -> dict[str, object]:
    """Run the body, which returns pytest's exit code, in a fork; a Recorder writes to the file `outcome`.

    The fork and all that it started are killed when it ends or takes too long.
    """
    outcome.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setsid()
            code = body()
        finally:
            sys.stdout.flush()
            os._exit(code)
    exit_code, cpu = wait(child, outcome, limits)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if exit_code is None:
        os.waitpid(child, 0)
    return {**outcome_of(exit_code, cpu, outcome, limits), "cpu": cpu}


def recorded_in(outcome: Path) -> dict[str, Any]:
    """Return what the run has written so far."""
    return json.loads(outcome.read_text()) if outcome.exists() else {}


def is_over_test_limit(outcome: Path, limits: Limits) -> bool:
    """Return whether the test that runs has taken longer than one test may."""
    started = recorded_in(outcome).get("at")
    return started is not None and time.monotonic() - started > limits.test_seconds


def outcome_of(code: int | None, cpu: float, outcome: Path, limits: Limits) -> dict[str, str]:
    """Return the status and the test of a run with this exit code; None if it was ended."""
    recorded = recorded_in(outcome)
    test = recorded.get("test", "")
    if code == NOT_REPLACED:
        return {"status": "unfinished", "test": ""}
    if code is None:
        is_stuck = is_over_test_limit(outcome, limits) and cpu < limits.cpu_seconds
        return {"status": "stuck" if is_stuck else "unfinished", "test": test}
    if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return {"status": "passed", "test": ""}
    # A process that died leaves the test that was running: it counts as failed.
    return {"status": "stuck" if recorded.get("status") == "stuck" else "failed", "test": test}


def wait(child: int, outcome: Path, limits: Limits) -> tuple[int | None, float]:
    """Return the exit code of the child and its CPU time.

    The code is None if the child still runs at the end of its time, or of the time of one test.
    """
    ends = time.monotonic() + limits.seconds
    cpu, looks_again = 0.0, time.monotonic() + POLL_SECONDS
    while time.monotonic() < ends and cpu < limits.cpu_seconds:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
        if time.monotonic() >= looks_again:
            cpu, looks_again = session_seconds(child), time.monotonic() + POLL_SECONDS
            if is_over_test_limit(outcome, limits):
                break
        time.sleep(0.02)
    return None, cpu


def main() -> None:
    """Answer requests until standard input ends."""
    for name in json.loads(sys.stdin.readline())["libraries"]:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: BLE001, S112 - the tests import it themselves, or do without it
            continue
    gc.freeze()
    for line in sys.stdin:
        given: dict[str, Any] = json.loads(line)
        print(json.dumps(Request(**given).run()), flush=True)


if __name__ == "__main__":
    main()
