"""The end of a dispatcher, which several parts of a process may ask for at once."""

import asyncio
from typing import Any

import pytest

from impasto_server.runs.backends.dispatcher import Dispatcher
from impasto_server.runs.execute import Executor
from impasto_server.runs.models import WorkerRow

pytestmark = pytest.mark.anyio
OWNER = "another process"


async def registration(app_state: Any) -> WorkerRow | None:
    """Return the row that says that the dispatcher's process lives."""
    async with app_state.database.reading() as session:
        found: WorkerRow | None = await session.get(WorkerRow, OWNER)
    return found


@pytest.mark.parametrize("is_first_cancelled", [False, True])
async def test_every_stop_returns_once_the_runs_are_released(
    app_state: Any, monkeypatch: pytest.MonkeyPatch, is_first_cancelled: bool
) -> None:
    releasing, may_release = asyncio.Event(), asyncio.Event()

    async def close(self: Executor) -> None:
        releasing.set()
        await may_release.wait()

    dispatcher = await Dispatcher(app_state, OWNER).__aenter__()
    monkeypatch.setattr(Executor, "close", close)
    first = asyncio.create_task(dispatcher.stop())
    await releasing.wait()
    if is_first_cancelled:
        first.cancel()
        await asyncio.wait([first])
    second = asyncio.create_task(dispatcher.stop())
    try:
        for _ in range(10):
            await asyncio.sleep(0)
        assert not second.done()
        assert await registration(app_state) is not None
    finally:
        may_release.set()
    await asyncio.wait([first, second])
    assert await registration(app_state) is None
