import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from impasto_nodes.providers.local.errors import WorkerFailed, WorkerLost
from impasto_nodes.providers.local.process import WorkerProcess

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent


@pytest.fixture
def worker() -> Any:
    made = WorkerProcess("sample_handler:handle", environment={"PYTHONPATH": str(HERE)})
    yield made
    made.stop()


async def test_tasks_are_answered_with_progress_by_one_child(worker: WorkerProcess) -> None:
    seen: list[tuple[float, str]] = []
    first = await worker.ask({"do": "pid"}, lambda fraction, message: seen.append((fraction, message)))
    second = await worker.ask({"do": "pid"})
    assert first["pid"] == second["pid"] != os.getpid()
    # Ctrl+C in the terminal of the server does not reach it.
    assert os.getsid(first["pid"]) == first["pid"]
    assert seen == [(0.5, "half"), (0.75, "")]


async def test_output_on_stdout_does_not_disturb_the_protocol(worker: WorkerProcess) -> None:
    assert (await worker.ask({"do": "noise"}))["ok"] is True


async def test_error_keeps_its_class_and_the_child_keeps_running(
    worker: WorkerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert not worker.running
    with caplog.at_level("WARNING", logger="impasto.local"), pytest.raises(WorkerFailed) as caught:
        await worker.ask({"do": "fail"})
    assert (caught.value.kind, caught.value.reason) == ("ValueError", "not like this")
    assert caught.value.detail == "ValueError: not like this"
    assert caught.value.message == "An error occurred. Please try again later."
    assert not caught.value.retryable
    assert "sample_handler:handle failed: Traceback" in caplog.text
    assert worker.running


async def test_dead_child_is_reported_with_its_last_words_and_replaced(worker: WorkerProcess) -> None:
    pid = (await worker.ask({"do": "pid"}))["pid"]
    child = worker._child
    with pytest.raises(WorkerLost) as caught:
        await worker.ask({"do": "die", "words": "no licence\n\n"})
    assert caught.value.retryable
    assert caught.value.detail == "sample_handler:handle: exit code 3: no licence"
    assert not worker.running
    assert (await worker.ask({"do": "pid"}))["pid"] != pid
    assert child is not None
    assert child.stdin is not None
    assert child.stdout is not None
    assert (child.stdin.closed, child.stdout.closed) == (True, True)
    with pytest.raises(WorkerLost) as caught:
        await worker.ask({"do": "die", "words": "a" + "b" * 1800})
    assert caught.value.detail == f"sample_handler:handle: exit code 3: {'b' * 1800}"


async def test_child_that_dies_within_an_answer_is_lost(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerLost) as caught:
        await worker.ask({"do": "die_within_an_answer"})
    assert caught.value.detail == "sample_handler:handle: exit code 3: "
    assert "pid" in await worker.ask({"do": "pid"})


async def test_stopped_child_ends(worker: WorkerProcess) -> None:
    worker.stop()
    await worker.ask({"do": "pid"})
    child = worker._child
    assert child is not None
    worker.stop()
    assert child.wait(10) == -signal.SIGKILL
    worker.stop()
    assert not worker.running


async def test_cancelling_ends_the_busy_child_only_for_its_own_task(
    worker: WorkerProcess, tmp_path: Path
) -> None:
    busy = asyncio.create_task(worker.ask({"do": "hang", "mark": str(tmp_path / "started")}))
    while not (tmp_path / "started").exists():
        await asyncio.sleep(0.01)
    waiting = asyncio.create_task(worker.ask({"do": "pid"}))
    await asyncio.sleep(0)
    busy.cancel()
    with pytest.raises(asyncio.CancelledError):
        await busy
    assert "pid" in await waiting


async def test_task_cancelled_while_its_child_starts_never_runs(
    worker: WorkerProcess, tmp_path: Path
) -> None:
    starting, going, start = threading.Event(), threading.Event(), worker._start

    def held() -> Any:
        starting.set()
        going.wait()
        return start()

    worker._start = held  # type: ignore[method-assign]
    busy = asyncio.create_task(worker.ask({"do": "hang", "mark": str(tmp_path / "started")}))
    await asyncio.to_thread(starting.wait)
    busy.cancel()
    with pytest.raises(asyncio.CancelledError):
        await busy
    going.set()
    assert "pid" in await worker.ask({"do": "pid"})
    assert not (tmp_path / "started").exists()


async def test_memory_limit_is_named_in_the_error() -> None:
    worker = WorkerProcess("sample_handler:handle", memory_mb=400, environment={"PYTHONPATH": str(HERE)})
    assert await worker.ask({"do": "limit"}) == {"bytes": [419_430_400, 419_430_400]}
    with pytest.raises(WorkerFailed, match="ran out of memory"):
        await worker.ask({"do": "eat"})
    worker.stop()


async def test_child_gets_no_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    worker = WorkerProcess("sample_handler:handle", environment={"PYTHONPATH": str(HERE)})
    names = (await worker.ask({"do": "environment"}))["names"]
    assert "OPENAI_API_KEY" not in names
    assert "OMP_WAIT_POLICY" in names  # threads that wait use no processor time
    worker.stop()


async def test_child_exits_when_its_pipe_closes(worker: WorkerProcess) -> None:
    pid = (await worker.ask({"do": "pid"}))["pid"]
    assert worker._child is not None
    assert worker._child.stdin is not None
    worker._child.stdin.close()
    assert await asyncio.to_thread(worker._child.wait, 10) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)


async def test_handler_that_cannot_be_imported_ends_the_child() -> None:
    worker = WorkerProcess("no_such_module:handle")
    async with asyncio.timeout(60):
        with pytest.raises(WorkerLost, match="interrupted") as caught:
            await worker.ask({})
    assert str(caught.value.detail).endswith("ModuleNotFoundError: No module named 'no_such_module'")


_ASK_ONCE = """
import asyncio, atexit, sys
from impasto_nodes.providers.local.process import WorkerProcess
children = []
atexit.register(lambda: print(children[0].returncode))
worker = WorkerProcess("sample_handler:handle", environment={"PYTHONPATH": sys.argv[1]})
asyncio.run(worker.ask({"do": "pid"}))
children.append(worker._child)
"""


async def test_child_is_killed_when_its_parent_ends() -> None:
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", _ASK_ONCE, str(HERE)], capture_output=True, timeout=60
    )
    assert done.stdout == b"-9\n"


async def test_waiting_tasks_occupy_no_threads(worker: WorkerProcess) -> None:
    waiting = [asyncio.create_task(worker.ask({"do": "pid"})) for _ in range(100)]
    assert await asyncio.to_thread(lambda: "free") == "free"
    assert len({answer["pid"] for answer in await asyncio.gather(*waiting)}) == 1
