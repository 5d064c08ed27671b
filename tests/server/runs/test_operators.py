"""Runs of all users, their sums, and the processes that execute them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery
from impasto_server.runs.errors import RunAlreadyEnded, RunHasProcess, RunNotFound
from impasto_server.runs.models import RunRow, WorkerRow
from impasto_server.runs.operators import service
from impasto_server.runs.operators.service import Queue, RunFilter, RunSums, Worker

pytestmark = pytest.mark.anyio
DAY = timedelta(days=1)


async def test_runs_are_summed_by_day_and_owner(
    app_state: AppState, owner: str, store: Store, new_person: Any, make_flow: Any
) -> None:
    other = await new_person("ines")
    ines, flow_id = await other.id(), (await make_flow(other))["id"]
    await store(
        r1={"cost_usd": Decimal("0.5")}, r2={"cost_usd": Decimal("0.25"), "created_at": AT + DAY},
        r3={"owner_id": ines, "flow_id": flow_id, "cost_usd": Decimal(2), "status": "failed",
            "created_at": AT + DAY},
    )  # fmt: skip
    async with app_state.database.reading() as session:

        async def found(**wanted: Any) -> tuple[list[str], RunSums]:
            rows, _ = await service.search(session, RunFilter(**wanted), PageQuery(9))
            return [row.id for row in rows], await service.sum_all(session, RunFilter(**wanted))

        assert await found() == (["r3", "r2", "r1"], RunSums(3, Decimal("2.75")))
        assert await found(owner_id=ines) == (["r3"], RunSums(1, Decimal(2)))
        assert await found(flow_id=flow_id) == (["r3"], RunSums(1, Decimal(2)))
        assert await found(status=["finished"]) == (["r2", "r1"], RunSums(2, Decimal("0.75")))
        assert await found(since=AT + DAY) == (["r3", "r2"], RunSums(2, Decimal("2.25")))
        assert await found(until=AT + DAY) == (["r1"], RunSums(1, Decimal("0.5")))
        assert await found(owner_id="noor") == ([], RunSums(0, Decimal(0)))
        assert await service.sum_by_day(session, RunFilter()) == [
            ("2026-02-01", RunSums(2, Decimal("2.25"))),
            ("2026-01-31", RunSums(1, Decimal("0.5"))),
        ]
        by_owner = [(ines, RunSums(1, Decimal(2))), (owner, RunSums(2, Decimal("0.75")))]
        assert await service.sum_by_owner(session, RunFilter(), 9) == by_owner
        assert await service.sum_by_owner(session, RunFilter(), 1) == by_owner[:1]


async def test_processes_are_listed_with_their_live_runs_and_whether_they_live(
    app_state: AppState, owner: str, store: Store
) -> None:
    now, lease = app_state.clock(), timedelta(seconds=app_state.settings.lease_seconds)
    second = timedelta(seconds=30)
    async with app_state.database.writing() as session:
        session.add(WorkerRow(name="one", started_at=AT, seen_at=now - lease + second))
        session.add(
            WorkerRow(name="two", started_at=AT - DAY, seen_at=now - lease - second, suspect_run_id="r1")
        )
    live = {"status": "running", "lease_owner": "one"}
    await store(
        r1=live, r2=live | {"status": "queued"}, r3=live | {"status": "failed"},
        r4={"status": "queued", "enqueued_at": AT + DAY}, r5={"status": "queued", "created_at": AT + 2 * DAY},
        r6=live | {"lease_owner": "gone", "created_at": AT - DAY},
    )  # fmt: skip
    async with app_state.database.reading() as session:
        assert await service.workers(session, app_state) == [
            Worker("two", AT - DAY, now - lease - second, is_alive=False, runs=0, suspect_run_id="r1"),
            Worker("one", AT, now - lease + second, is_alive=True, runs=2, suspect_run_id=None),
        ]
        assert await service.count_workers(session, app_state) == 1
        assert await service.queue(session) == Queue(waiting=2, executed=3, oldest=AT + DAY)


async def test_run_is_released_from_a_process_that_lives_only_by_force(
    app_state: AppState, owner: str, store: Store
) -> None:
    async with app_state.database.writing() as session:
        session.add(WorkerRow(name="one", started_at=AT, seen_at=app_state.clock()))
    held = {"status": "running", "lease_owner": "one", "lease_until": AT, "fence": 3, "crashes": 2}
    await store(r1=held, r2={}, r3=held | {"lease_owner": "dead"})
    async with app_state.database.writing() as session:
        refusals = (("gone", RunNotFound), ("r2", RunAlreadyEnded), ("r1", RunHasProcess))
        for run_id, error in refusals:
            with pytest.raises(error):
                await service.release(app_state, session, run_id, force=False)
        for run_id, force in (("r1", True), ("r3", False)):
            await service.release(app_state, session, run_id, force=force)
    async with app_state.database.reading() as session:
        for run_id in ("r1", "r3"):
            row = await session.get(RunRow, run_id)
            assert row is not None
            assert (row.lease_owner, row.lease_until, row.fence, row.crashes) == (None, None, 4, 0)
            assert row.enqueued_at is not None


async def test_queue_without_runs_has_no_oldest(app_state: AppState, owner: str) -> None:
    async with app_state.database.reading() as session:
        assert await service.queue(session) == Queue(waiting=0, executed=0, oldest=None)
