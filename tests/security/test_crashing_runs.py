"""A run that kills or blocks the process that executes it is parked, and everything else goes on."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.conftest import ServerProcess, Visitor
from tests.contract.workers import Worker
from tests.server.conftest import *  # noqa: F403
from tests.server.sample_fixtures import *  # noqa: F403
from tests.server.sample_nodes import chain

from impasto_server.runs import journal_repository, repository
from impasto_server.settings import Settings

# Each test starts several processes, one after another.
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class TestServer:
    """Runs inside the server process."""

    @pytest.fixture
    async def server(self, tmp_path: Path) -> AsyncIterator[ServerProcess]:
        found = await ServerProcess(tmp_path / "data", lease_seconds=1).start()
        yield found
        await found.end()

    async def test_run_that_kills_the_server_twice_is_parked(self, server: ServerProcess) -> None:
        visitor = Visitor(server)
        await visitor.sign_up()
        run = await visitor.launch(chain("kill_process"))
        for _ in range(2):
            assert server.process is not None
            await asyncio.wait_for(server.process.wait(), 100)
            await server.start()
        seen = await visitor.run(run["id"])
        assert (seen["status"], seen["error"]["code"]) == ("failed", "crashed")
        assert "'Kill process'" in seen["error"]["message"]
        assert seen["can_resume"] is True
        other = await visitor.launch(chain("shout"))
        assert [event["type"] async for event in visitor.events(other["id"])][-1] == "run.finished"
        await visitor.client.aclose()


class TestCeleryWorker:
    """Runs on workers: one that hangs loses its runs when its leases expire."""

    @pytest.fixture
    def extra_settings(self, redis_url: str) -> dict[str, Any]:
        return {"run_backend": "celery", "redis_url": redis_url, "lease_seconds": 1, "dispatch_seconds": 0.5}

    @pytest.fixture
    async def workers(self, settings: Settings, app: Any) -> AsyncIterator[list[Worker]]:
        found = [Worker(settings) for _ in range(3)]
        yield found
        for worker in found:
            await worker.end(signal.SIGKILL)

    @pytest.mark.thorough
    async def test_run_that_blocks_two_workers_is_parked(
        self, person: Any, app_state: Any, workers: list[Worker], make_flow: Any, run_flow: Any, finished: Any
    ) -> None:
        run = await run_flow(person, (await make_flow(person, chain("block_loop")))["id"])
        for crashes, worker in enumerate(workers[:2]):
            await worker.start()
            await self._wait_until_blocked(app_state, run["id"], crashes)
            await worker.end(signal.SIGKILL)
        await workers[2].start()
        done = await finished(person, run)
        assert (done["status"], done["error"]["code"]) == ("failed", "crashed")
        assert "'Block loop'" in done["error"]["message"]
        other = await run_flow(person, (await make_flow(person))["id"])
        assert (await finished(person, other))["status"] == "finished"

    async def _wait_until_blocked(self, app_state: Any, run_id: str, crashes: int) -> None:
        """Return when the step has started once more, and the lease has expired for want of a renewal."""
        started = ("step.started", "block_loop")
        async with asyncio.timeout(100):
            while True:
                async with app_state.database.reading() as session:
                    row = await repository.find(session, run_id)
                    events = await journal_repository.step_events(session, run_id)
                assert row is not None
                is_expired = row.lease_until is not None and row.lease_until < app_state.clock()
                if is_expired and list(events).count(started) == crashes + 1:
                    return
                await asyncio.sleep(0.05)
