"""Work that continues after its caller was cancelled."""

import asyncio
import gc
from typing import Any

import pytest
from structlog.testing import capture_logs

from impasto.errors import ServiceUnavailable
from impasto_server.utils import shielded

pytestmark = pytest.mark.anyio


class Work:
    """Runs until `release` is set, then fails with its error if it has one."""

    def __init__(self, error: Exception | None = None) -> None:
        self.started, self.release, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._error = error

    @shielded
    async def run(self) -> str:
        self.started.set()
        await self.release.wait()
        self.ended.set()
        if self._error is not None:
            raise self._error
        return "done"


async def abandon(work: Work) -> None:
    """Cancel a caller of the work, then let the work end."""
    caller = asyncio.create_task(work.run())
    await work.started.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    gc.collect()  # the work must not be collected before it ends
    work.release.set()
    await work.ended.wait()
    await asyncio.sleep(0)
    gc.collect()  # now a task whose error was never read is reported


async def test_caller_has_the_result_or_the_error() -> None:
    work = Work()
    work.release.set()
    assert await work.run() == "done"
    failing = Work(ValueError("no"))
    failing.release.set()
    with pytest.raises(ValueError, match="no"):
        await failing.run()


@pytest.mark.parametrize(
    ("error", "tracebacks"),
    [(None, 0), (ServiceUnavailable("The database cannot be reached."), 0), (ValueError("no"), 1)],
)
async def test_work_ends_after_its_caller_was_cancelled(error: Exception | None, tracebacks: int) -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    with capture_logs() as lines:
        await abandon(Work(error))
    assert complaints == []
    assert len([line for line in lines if "exc_info" in line]) == tracebacks
