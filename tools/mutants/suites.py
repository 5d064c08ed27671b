"""The test suites: pytest in forks of a warm process, and vitest in a warm process."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from cpu_time import POLL_SECONDS, session_seconds
from mutation import Mutant

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "nodes", "server")
MAX_TEST_SECONDS = 30  # for one test: longer is stuck
# For all tests of one mutant: the largest area needs 400. Other work on the machine takes nothing of it.
MAX_CPU_SECONDS = 600.0
MAX_SECONDS = 1200  # by the clock, against tests that wait for ever without a test's limit
# Without these litellm downloads its lists when it is imported.
OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True"}


@dataclass(frozen=True)
class Outcome:
    """How a run of tests ended. `test` names the first failed, stuck or unfinished test or file.

    - failed: a test failed, or could not be collected.
    - stuck: a test took so long that the suite stopped it.
    - unfinished: the tests passed until they had used up their CPU time.

    `cpu` is the CPU time of the run and the processes that it started, in seconds.
    """

    status: Literal["passed", "failed", "stuck", "unfinished"]
    test: str = ""
    cpu: float = 0.0


class Suite(Protocol):
    """The tests of an area, run on a copy of the sources."""

    workspace: Path

    def run(self, tests: list[str], cpu_seconds: float = MAX_CPU_SECONDS) -> Outcome:
        """Run the tests (paths or ids), in this order, until one fails or the CPU time is used up."""
        ...

    def close(self) -> None:
        """End the processes of the suite."""
        ...


class PytestSuite:
    """Runs pytest on a copy of the packages. `preload` names modules whose libraries are loaded once."""

    def __init__(self, workspace: Path, preload: tuple[str, ...]) -> None:
        self.workspace = workspace
        for name in PACKAGES:
            if not (workspace / name).exists():
                shutil.copytree(ROOT / name, workspace / name)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **OFFLINE},
        )
        self._send({"libraries": _libraries(preload)})

    def run(self, tests: list[str], cpu_seconds: float = MAX_CPU_SECONDS) -> Outcome:
        """Run the tests in a fork of the warm process."""
        path = [str(self.workspace / name) for name in PACKAGES]
        arguments = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", f"--timeout={MAX_TEST_SECONDS}"]
        # The warm process has imported hypothesis and others that pytest would have rewritten.
        arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning", *tests]
        self._send(
            {
                "arguments": arguments,
                "path": path,
                "environment": {
                    "PYTHONPATH": os.pathsep.join(path),
                    "HYPOTHESIS_STORAGE_DIRECTORY": str(self.workspace / "hypothesis"),
                },
                "log": str(self.workspace / "tests.log"),
                "limits": _limits(cpu_seconds),
            }
        )
        assert self._process.stdout is not None
        return Outcome(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the warm process."""
        with self._process:  # closes its standard input, after which it ends
            pass

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


class CollectedTests:
    """The tests of an area in a process that has collected them, and tries mutants in forks of itself."""

    def __init__(self, workspace: Path, tests: list[str]) -> None:
        self._folder = workspace
        self._folder.mkdir(parents=True)
        script = Path(__file__).with_name("collected.py")
        log = str(self._folder / "tests.log")
        self._process = subprocess.Popen(
            [sys.executable, str(script), log, str(MAX_TEST_SECONDS), *tests],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **OFFLINE},
        )

    def run(self, tests: list[str], test_seconds: float, mutant: Mutant | None = None) -> Outcome:
        """Run the tests with these ids, in this order, until one fails, with the mutant in place if given."""
        folder = self._folder / "t"
        folder.mkdir()
        limits = _limits(MAX_CPU_SECONDS, test_seconds)
        trial: dict[str, object] = {"tests": tests, "folder": str(folder), "limits": limits}
        if mutant is not None:
            parts = mutant.module.relative_to(ROOT).with_suffix("").parts
            trial |= {"module": str(mutant.module), "name": ".".join(parts[1:]), "source": mutant.source}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            with suppress(BrokenPipeError):
                self._process.stdin.write(json.dumps(trial) + "\n")
                self._process.stdin.flush()
            answer = self._process.stdout.readline()
            if not answer:
                log = (self._folder / "tests.log").read_text()
                raise RuntimeError(f"The process that collects the tests has ended:\n{log}")
            return Outcome(**json.loads(answer))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError), self._process:  # closes its standard input, after which it ends
            pass


def _limits(cpu_seconds: float, test_seconds: float = MAX_TEST_SECONDS) -> dict[str, float]:
    return {"seconds": MAX_SECONDS, "cpu_seconds": cpu_seconds, "test_seconds": test_seconds}


def _libraries(preload: tuple[str, ...]) -> list[str]:
    """Return the modules that importing `preload` loads and that are not the project's own."""
    script = f"import sys, {', '.join(preload)}; print('\\n'.join(sys.modules))"
    environment = {
        **os.environ,
        **OFFLINE,
        "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in PACKAGES),
    }
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    ).stdout.split()
    return [name for name in found if not name.startswith(("impasto", "tests", "__"))]


class VitestSuite:
    """Runs vitest in a warm process on a copy of the editor."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        left_out = shutil.ignore_patterns("node_modules", "dist", "e2e", "test-results")
        shutil.copytree(ROOT / "editor", workspace / "editor", ignore=left_out)
        for name in ("node_modules", "tests"):
            (workspace / name).symlink_to(ROOT / name)
        self._process: subprocess.Popen[str] | None = None
        self._used = 0.0

    def run(self, tests: list[str], cpu_seconds: float = MAX_CPU_SECONDS) -> Outcome:
        """Run the test files, and the tests that import the given modules."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(tests) + "\n")
        process.stdin.flush()
        answer = self._answer(process, cpu_seconds)
        if answer is None:
            self.close()
            return Outcome("unfinished", cpu=cpu_seconds)
        if not answer:
            self.close()
            return Outcome("failed")
        outcome = Outcome(**json.loads(answer), cpu=session_seconds(process.pid) - self._used)
        if outcome.status == "stuck":
            self.close()
            self.run([])  # starts the next process, whose start is no part of a test's time
        return outcome

    def _answer(self, process: "subprocess.Popen[str]", cpu_seconds: float) -> str | None:
        """Return the next line of the process; None once it has used up its time."""
        assert process.stdout is not None
        self._used = session_seconds(process.pid)
        ends = time.monotonic() + MAX_SECONDS
        while time.monotonic() < ends and session_seconds(process.pid) - self._used < cpu_seconds:
            if select.select([process.stdout], [], [], POLL_SECONDS)[0]:
                return process.stdout.readline()
        return None

    def close(self) -> None:
        """End the warm process; the next run starts another."""
        if self._process is not None:
            _kill_group(self._process)
            self._process = None

    def _start(self) -> "subprocess.Popen[str]":
        script = Path(__file__).with_name("warm.mjs")
        with (self.workspace / "tests.log").open("wb") as log:
            self._process = subprocess.Popen(
                ["node", str(script), str(self.workspace / "editor"), str(MAX_TEST_SECONDS)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT / "editor",
                start_new_session=True,
            )
        return self._process


def _kill_group(process: "subprocess.Popen[str]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
