"""The broker and the database are killed and started again while runs are executed."""

import asyncio
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.chaos.conftest import ServerProcess, Visitor
from tests.chaos.services import Service, postgresql_service, redis_service
from tests.contract.workers import Worker
from tests.fixtures.tables import thorough_except
from tests.server.barriers import Gate, gated_flow
from tests.server.conftest import *  # noqa: F403
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.sample_fixtures import *  # noqa: F403

from impasto_server.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class TestBroker:
    """Redis, with one Celery worker."""

    @pytest.fixture
    def database_url(self) -> str:
        return ""

    @pytest.fixture
    async def redis(self, tmp_path: Path) -> AsyncIterator[Service]:
        service = redis_service(tmp_path)
        await service.start()
        yield service
        await service.end()

    @pytest.fixture
    def extra_settings(self, redis: Service) -> dict[str, Any]:
        return {
            "run_backend": "celery",
            "redis_url": f"redis://127.0.0.1:{redis.port}/0",
            "lease_seconds": 5,
            "dispatch_seconds": 1,
        }

    @pytest.fixture
    async def worker(self, settings: Settings, app: Any) -> AsyncIterator[Worker]:
        found = Worker(settings)
        await found.start()
        yield found
        await found.end(signal.SIGKILL)

    async def test_worker_survives_restarts_of_the_broker(
        self,
        person: Any,
        redis: Service,
        worker: Worker,
        gate: Gate,
        app_state: Any,
        make_flow: Any,
        run_flow: Any,
        finished: Any,
    ) -> None:
        flow = (await make_flow(person, gated_flow(gate.path, "a")))["id"]
        run = await run_flow(person, flow)
        arrival = await gate.wait_for_arrival(100)
        for _ in range(4):
            for _ in range(20):  # the worker has taken some of them when the broker dies, and others not
                await app_state.runs.submit(run["id"])
            await redis.end()
            await redis.start()
            await self._wait_for_broker(app_state)
        await arrival.release()
        assert (await finished(person, run))["status"] == "finished"
        later = await run_flow(person, flow, inputs={"ask": "later"})
        await (await gate.wait_for_arrival(100)).release()
        assert (await finished(person, later))["status"] == "finished"
        assert worker.process is not None
        assert worker.process.returncode is None

    @pytest.mark.parametrize("outage", thorough_except([signal.SIGKILL, signal.SIGSTOP], signal.SIGSTOP))
    async def test_users_sign_in_and_launch_while_the_broker_is_down(
        self,
        person: Any,
        redis: Service,
        worker: Worker,
        gate: Gate,
        make_flow: Any,
        run_flow: Any,
        finished: Any,
        outage: signal.Signals,
    ) -> None:
        flow = (await make_flow(person, gated_flow(gate.path, "a")))["id"]
        await run_flow(person, flow)
        await (await gate.wait_for_arrival(100)).release()
        await redis.interrupt(outage)
        wanted = {"username": "mara", "password": PASSWORD}
        expect(await person.client.post("/identity/sign-in", json=wanted), 200)
        run = await run_flow(person, flow, inputs={"ask": "later"})
        await (await gate.wait_for_arrival(100)).release()
        await redis.end()
        await redis.start()
        assert (await finished(person, run))["status"] == "finished"

    async def test_worker_that_starts_without_the_broker_executes_runs(
        self,
        person: Any,
        redis: Service,
        settings: Settings,
        gate: Gate,
        make_flow: Any,
        run_flow: Any,
        finished: Any,
    ) -> None:
        flow = (await make_flow(person, gated_flow(gate.path, "a")))["id"]
        await redis.end()
        run = await run_flow(person, flow)
        worker = Worker(settings)
        await worker.start()
        try:
            await (await gate.wait_for_arrival(100)).release()
            assert (await finished(person, run))["status"] == "finished"
        finally:
            await worker.end(signal.SIGKILL)

    async def test_launches_do_not_wait_for_a_silent_broker(
        self, person: Any, redis: Service, app_state: Any, make_flow: Any, run_flow: Any
    ) -> None:
        flow = (await make_flow(person))["id"]
        sent = []
        send = app_state.runs._send
        app_state.runs._send = lambda run_id: (sent.append(run_id), send(run_id))
        await redis.interrupt(signal.SIGSTOP)
        for index in range(10):  # more than the event loop has threads
            await run_flow(person, flow, inputs={"ask": str(index)})
        assert len(sent) < 10

    async def test_run_whose_message_was_lost_starts_within_ten_seconds(
        self,
        person: Any,
        redis: Service,
        worker: Worker,
        gate: Gate,
        app_state: Any,
        make_flow: Any,
        run_flow: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        flow = (await make_flow(person, gated_flow(gate.path, "a")))["id"]
        await run_flow(person, flow)
        await (await gate.wait_for_arrival(100)).release()
        monkeypatch.setattr(app_state.runs, "_send", lambda run_id: None)
        await run_flow(person, flow, inputs={"ask": "later"})
        await (await gate.wait_for_arrival(10)).release()

    async def _wait_for_broker(self, app_state: Any) -> None:
        async with asyncio.timeout(60):
            while True:
                try:
                    await asyncio.to_thread(app_state.runs._send, "none")
                except Exception:
                    await asyncio.sleep(0.1)
                else:
                    return


class TestDatabase:
    """PostgreSQL, with runs inside the server process."""

    @pytest.fixture
    async def database(self) -> AsyncIterator[Service]:
        with tempfile.TemporaryDirectory(prefix="impasto-postgresql-") as folder:
            Path(folder).chmod(0o755)
            service = await postgresql_service(Path(folder) / "server")
            await service.start()
            yield service
            await service.end(signal.SIGQUIT)

    async def test_run_survives_a_restart_of_the_database(
        self, database: Service, tmp_path: Path, gate: Gate
    ) -> None:
        url = f"postgresql+asyncpg://impasto@127.0.0.1:{database.port}/postgres"
        # A slow restart must not outlast the lease: the run would be taken up again, and its step with it.
        server = await ServerProcess(tmp_path / "data", database_url=url, lease_seconds=60).start()
        try:
            visitor = Visitor(server)
            await visitor.sign_up()
            run = await visitor.launch(gated_flow(gate.path, "a", "b"))
            arrival = await gate.wait_for_arrival(100)
            await database.end(signal.SIGQUIT)
            refused = await visitor.call("GET", "/flows/")
            assert refused.headers["Retry-After"] == "5"
            assert str(database.port) not in expect(refused, 503, code="unavailable").text
            # Last: the journal tries again for ten seconds only, the time of a restart.
            await arrival.release()
            await database.start()
            await (await gate.wait_for_arrival(200)).release()
            done = await self._end(visitor, run["id"])
            assert (done["status"], done["error"]) == ("finished", None)
            assert gate.counts["b"] == 1
            await visitor.client.aclose()
        finally:
            await server.end()

    @pytest.mark.thorough
    async def test_requests_are_refused_and_runs_continue_after_a_silence_of_the_database(
        self, database: Service, tmp_path: Path, gate: Gate
    ) -> None:
        url = f"postgresql+asyncpg://impasto@127.0.0.1:{database.port}/postgres"
        server = await ServerProcess(tmp_path / "data", database_url=url).start()
        try:
            visitor = Visitor(server)
            await visitor.sign_up()
            run = await visitor.launch(gated_flow(gate.path, "a", "b"))
            arrival = await gate.wait_for_arrival(100)
            await database.interrupt(signal.SIGSTOP)
            await arrival.release()
            async with asyncio.timeout(60):  # the client waits for 100
                refused = await asyncio.gather(
                    *(visitor.call("GET", "/flows/") for _ in range(50)),
                    visitor.call("POST", "/flows/", json={"name": "Later"}, headers={"Idempotency-Key": "a"}),
                )
            for response in refused:
                expect(response, 503, code="unavailable")
                assert response.headers["Retry-After"] == "5"
            database.resume()
            releasing = asyncio.create_task(self._release_all(gate))
            done = await self._end(visitor, run["id"])
            releasing.cancel()
            assert (done["status"], done["error"]) == ("finished", None)
            await visitor.client.aclose()
        finally:
            database.resume()
            await server.end()

    async def _release_all(self, gate: Gate) -> None:
        while True:  # what the journal did not take is executed again
            await (await gate.wait_for_arrival(200)).release()

    async def _end(self, visitor: Visitor, run_id: str) -> dict[str, Any]:
        """Return the run once it has ended. Its stream may break off while the database is away."""
        seen: dict[str, Any] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(100):
                while True:
                    try:
                        seen = await visitor.run(run_id)
                    except (httpx.HTTPError, ValueError) as error:
                        seen = {"answer": repr(error)}
                    if seen.get("status") in ("finished", "failed", "cancelled"):
                        return seen
                    await asyncio.sleep(0.2)
        pytest.fail(f"The run has not ended. Last seen: {seen}")
