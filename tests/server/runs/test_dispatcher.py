"""The end of a dispatcher, which several parts of a process may ask for at once."""

import asyncio
from typing import Any

import pytest
from tests.server.sample_nodes import arrived, flow, gate

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


class TestPlaces:
    """A process with one place for any run and one for a user without another run."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"max_concurrent_runs": 1, "reserved_runs": 1, "lease_seconds": 3600}

    async def test_process_is_full_while_its_free_and_its_reserved_places_are_taken(
        self, person: Any, new_person: Any, app_state: Any, make_flow: Any, run_flow: Any
    ) -> None:
        await app_state.runs.stop()
        process = Dispatcher(app_state, OWNER)
        assert not process.is_full
        for name, user in (
            ("one", person),
            ("two", await new_person("ines")),
            ("three", await new_person("noor")),
        ):
            wait = {"id": "wait", "type": "wait", "settings": {"name": name}}
            document = flow("ask", wait, edges=["ask.output -> wait.text"])
            await run_flow(user, (await make_flow(user, document))["id"])
        async with process:
            for name in ("one", "two"):
                await arrived(name)
            assert process.is_full
            gate("one").set()
            await arrived("three")
            assert process.is_full
        assert not process.is_full
