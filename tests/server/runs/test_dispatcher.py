"""A dispatcher: its end, its places for runs, the messages to it, and runs of processes that have died."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store
from tests.server.runs.test_termination import found
from tests.server.sample_nodes import arrived, gate, waiting

from impasto_server.runs.backends.dispatcher import QUEUE_TOPIC, Dispatcher
from impasto_server.runs.execute import Executor, RunInterrupted
from impasto_server.runs.models import RunRow, WorkerRow

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
            await run_flow(user, (await make_flow(user, waiting(name)))["id"])
        async with process:
            for name in ("one", "two"):
                await arrived(name)
            assert process.is_full
            gate("one").set()
            await arrived("three")
            assert process.is_full
        assert not process.is_full

    async def test_process_has_no_place_for_some_time_after_a_run_was_interrupted(
        self, person: Any, app_state: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def execute(self: Executor, run_id: str) -> None:
            raise RunInterrupted(run_id)

        await app_state.runs.stop()
        monkeypatch.setattr(Executor, "execute", execute)
        await run_flow(person, (await make_flow(person))["id"])
        async with Dispatcher(app_state, OWNER) as process, asyncio.timeout(20):
            while not process.is_full:
                await asyncio.sleep(0.01)


class TestMessages:
    """A process with places for all runs, which looks for them at a message."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        places = {"max_concurrent_runs": 9, "reserved_runs": 0, "limit_concurrent_runs": 9}
        return {**places, "lease_seconds": 3600, "dispatch_seconds": 60}

    async def test_process_claims_one_run_for_a_message_and_all_of_them_without_a_limit(
        self, person: Any, app_state: Any, make_flow: Any, run_flow: Any
    ) -> None:
        async def queue(*names: str) -> None:
            for name in names:
                await run_flow(person, (await make_flow(person, waiting(name)))["id"])

        async def claimed() -> int:
            query = select(func.count()).where(RunRow.lease_owner == OWNER)
            async with app_state.database.reading() as session:
                return int(await session.scalar(query) or 0)

        await app_state.runs.stop()
        await queue("first", "second")
        async with Dispatcher(app_state, OWNER) as process:
            await arrived("second")
            await queue("one", "two", "three", "four", "five", "six")
            process.notify(1)
            await arrived("one")
            assert await claimed() == 3
            app_state.pubsub.publish(QUEUE_TOPIC)
            await arrived("two")
            assert await claimed() == 4
            process.notify(1)
            process.notify(1)
            await arrived("four")
            assert await claimed() == 6
            process.notify()
            process.notify(1)
            await arrived("six")
            assert await claimed() == 8
        assert await claimed() == 0


class TestTakeOver:
    """A process that starts while a run belongs to another one, whose heartbeat has stopped."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"lease_seconds": 3600, "dispatch_seconds": 0.05}

    async def test_run_of_another_process_is_taken_over_once_that_had_time_to_show_that_it_lives(
        self, app_state: Any, owner: str, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await store(r1={"status": "running", "lease_owner": "dead", "lease_until": AT, "finished_at": None})
        async with Dispatcher(app_state, OWNER):
            row = await found(app_state, "r1")
            assert (row.crashes, row.lease_owner) == (0, "dead")
        # As after a restart with another setting, which the frozen settings do not allow.
        monkeypatch.setitem(app_state.settings.__dict__, "lease_seconds", 0.3)
        async with Dispatcher(app_state, OWNER), asyncio.timeout(20):
            while not (await found(app_state, "r1")).crashes:
                await asyncio.sleep(0.01)
