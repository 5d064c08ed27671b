"""Worker processes: native code runs outside this process and does not block the event loop."""

import asyncio
import atexit
import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import IO, Any

from impasto.configuration import child_environment
from impasto_nodes.providers.local.errors import WorkerFailed, WorkerLost

Progress = Callable[[float, str], None]
MEMORY_MB, MODEL_MEMORY_MB = 4096, 12_000
_MAX_ERROR_BYTES = 1800
"""How much of the end of standard error an error repeats: its detail is cut after 2,000 characters."""


@dataclass(eq=False)
class _Job:
    task: dict[str, Any]
    report: Progress
    answer: Future[dict[str, Any]] = field(default_factory=Future)
    is_cancelled: bool = False


@dataclass(eq=False)
class WorkerProcess:
    """A child process that handles one task at a time; started on first use, ended with this process.

    `handler` is "module:function"; the child may use `memory_mb`. Several event loops may share it, and a
    queued task holds no thread. Cancelling `ask` kills the child if it works on that task; the next task
    starts another child.
    """

    handler: str
    memory_mb: int = MEMORY_MB
    environment: dict[str, str] = field(default_factory=dict)
    _child: "subprocess.Popen[str] | None" = None
    _errors: IO[bytes] | None = None
    _jobs: "queue.SimpleQueue[_Job]" = field(default_factory=queue.SimpleQueue)
    _thread: threading.Thread | None = None
    _current: _Job | None = None

    def __post_init__(self) -> None:
        atexit.register(self._discard)

    async def ask(self, task: dict[str, Any], progress: Progress | None = None) -> dict[str, Any]:
        """Return the child's answer. Raises `WorkerFailed` (an exception) or `WorkerLost` (it ended)."""
        loop = asyncio.get_running_loop()

        def report(fraction: float, message: str) -> None:
            if progress and not job.is_cancelled:
                loop.call_soon_threadsafe(progress, fraction, message)

        job = _Job(task, report)
        self._put(job)
        try:
            return await asyncio.wrap_future(job.answer)
        except asyncio.CancelledError:
            job.is_cancelled = True
            if self._current is job:
                self.stop()
            raise

    @property
    def running(self) -> bool:
        """Whether the child is alive."""
        return self._child is not None and self._child.poll() is None

    def stop(self) -> None:
        """Kill the child, if there is one."""
        child = self._child  # another thread may replace it
        if child is not None:
            child.kill()

    def _put(self, job: _Job) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=self.handler, daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def _serve(self) -> None:
        while True:
            job = self._jobs.get()
            if not job.answer.set_running_or_notify_cancel():
                continue
            self._current = job
            try:
                job.answer.set_result(self._exchange(job))
            except Exception as error:  # noqa: BLE001 - raised again where the answer is awaited
                job.answer.set_exception(error)
            finally:
                self._current = None

    def _exchange(self, job: _Job) -> dict[str, Any]:
        child = self._child if self.running and self._child else self._start()
        if job.is_cancelled:  # cancelled while the child was starting
            raise WorkerLost(self.handler, "cancelled before it started")
        return self._converse(child, job.task, job.report)

    def _converse(
        self, child: "subprocess.Popen[str]", task: dict[str, Any], report: Progress
    ) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps(task) + "\n")
            child.stdin.flush()
            for line in child.stdout:
                message = json.loads(line)
                if "progress" in message:
                    report(message["progress"], message["message"])
                elif "error" in message:
                    raise WorkerFailed(self.handler, message["kind"], message["error"], message["trace"])
                else:
                    return dict(message["answer"])
        except (OSError, ValueError) as error:  # it ended before a line was read, or within one
            raise WorkerLost(self.handler, self._exit_reason(child)) from error
        raise WorkerLost(self.handler, self._exit_reason(child))

    def _start(self) -> "subprocess.Popen[str]":
        self._discard()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        command = [
            sys.executable,
            "-m",
            "impasto_nodes.providers.local.worker",
            self.handler,
            str(self.memory_mb),
        ]
        self._child = subprocess.Popen(  # noqa: S603 - our own interpreter, fixed arguments
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            start_new_session=True,
            env={**child_environment(), "OMP_WAIT_POLICY": "passive", **self.environment},
        )
        return self._child

    def _exit_reason(self, child: "subprocess.Popen[str]") -> str:
        child.kill()
        code = child.wait()
        assert self._errors is not None
        self._errors.seek(0)
        end = self._errors.read()[-_MAX_ERROR_BYTES:].decode("utf-8", "replace").strip()
        return f"exit code {code}: {end}"

    def _discard(self) -> None:
        self.stop()
        child, self._child = self._child, None
        if child is not None:
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    _close(pipe)
        if self._errors is not None:
            self._errors.close()
            self._errors = None


def _close(pipe: IO[str]) -> None:
    try:
        pipe.close()
    except OSError:  # the child has ended; unwritten data is discarded
        return
