"""Ends of runs that the engine does not write."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from prometheus_client import REGISTRY
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.runs import cancel_requests, journal_repository, repository, service, termination
from impasto_server.runs.backends.crashes import release_runs_of_former_process
from impasto_server.runs.execute import Executor
from impasto_server.runs.models import RunRow, WorkerRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
LIVE: dict[str, Any] = {
    "status": "running", "lease_owner": "one", "lease_until": AT, "fence": 3, "finished_at": None,
    "last_seq": 4,
    "planned_steps": [{"id": "a", "title": "Hero"}, {"id": "b"}],
}  # fmt: skip


async def found(app_state: AppState, run_id: str) -> RunRow:
    async with app_state.database.reading() as session:
        row = await repository.find(session, run_id)
    assert row is not None
    return row


async def events(app_state: AppState, run_id: str) -> list[tuple[int, str, str | None, Any]]:
    async with app_state.database.reading() as session:
        read = await journal_repository.events_after(session, run_id, 0)
    return [(event.seq, event.type, event.step, event.data) for event in read]


async def test_run_that_cannot_start_fails_unless_another_process_has_it(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(
        r1=LIVE, r2=LIVE | {"lease_owner": "two"}, r3=LIVE | {"status": "finished"},
        r4=LIVE | {"lease_owner": None, "started_at": None, "cost_usd": Decimal("0.5")},
    )  # fmt: skip
    labels = {"status": "failed", "code": "flow_invalid"}
    before = REGISTRY.get_sample_value("impasto_runs_total", labels) or 0.0
    for run_id, is_ended in (("r1", True), ("r2", False), ("r3", False), ("r4", True), ("gone", False)):
        async with app_state.pubsub.subscribe(f"run {run_id}") as news:
            await termination.fail(app_state, run_id, "one", "flow_invalid", "why")
            assert await news.wait(0) is is_ended
    assert REGISTRY.get_sample_value("impasto_runs_total", labels) == before + 2
    rows = {run_id: await found(app_state, run_id) for run_id in ("r1", "r2", "r3", "r4")}
    assert [row.status for row in rows.values()] == ["failed", "running", "finished", "failed"]
    error = {
        "code": "flow_invalid", "message": "An error occurred. Please try again later.", "detail": "why",
        "retryable": False, "provider": None,
    }  # fmt: skip
    row = rows["r1"]
    assert (row.error, row.lease_owner, row.lease_until, row.fence, row.last_seq) == (error, None, None, 4, 5)
    assert row.finished_at is not None
    assert row.started_at is not None
    seconds = (row.finished_at - row.started_at).total_seconds()
    assert await events(app_state, "r1") == [
        (5, "run.failed", None, {"seconds": seconds, "cost_usd": 0.0, "error": error})
    ]
    assert await events(app_state, "r4") == [
        (5, "run.failed", None, {"seconds": 0.0, "cost_usd": 0.5, "error": error})
    ]
    assert await events(app_state, "r2") == await events(app_state, "r3") == []


async def test_run_whose_journal_cannot_be_read_fails_with_an_internal_error(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(r1=LIVE | {"lease_owner": None, "lease_until": None})
    await store_records("r1", ("event", "run.started", None, 4, "no object"))
    await Executor(app_state, "one").execute("r1")
    row = await found(app_state, "r1")
    assert (row.status, row.lease_owner, row.last_seq) == ("failed", None, 5)
    assert row.error == {
        "code": "internal_error", "message": "An error occurred. Please try again later.", "detail": None,
        "retryable": False, "provider": None,
    }  # fmt: skip


async def test_run_that_no_process_has_claimed_is_executed(
    person: Any, app_state: AppState, make_flow: Any, run_flow: Any
) -> None:
    await app_state.runs.stop()
    for held in (None, Decimal("0.5")):
        run_id = (await run_flow(person, (await make_flow(person))["id"]))["id"]
        if held is not None:
            async with app_state.database.writing() as session:
                row = await repository.find_for_update(session, run_id)
                assert row is not None
                row.held_usd, row.lease_owner = held, "one"
        await Executor(app_state, "one").execute(run_id)
        row = await found(app_state, run_id)
        assert (row.status, row.held_usd, row.lease_until) == ("finished", 0, None)


async def test_run_that_never_started_does_not_count_for_the_quota_when_it_ends(
    app_state: AppState, owner: str, store: Store
) -> None:
    queued = {"status": "queued", "started_at": None, "finished_at": None, "quota_day": "2026-01-31"}
    await store(r1=queued, r2=queued | {"started_at": AT}, r3=queued)
    async with app_state.database.writing() as session:
        for run_id in ("r1", "r2"):
            row = await repository.find_for_update(session, run_id)
            assert row is not None
            await termination.cancel_queued(session, app_state, row)
    await termination.fail(app_state, "r3", "one", "flow_invalid", "why")
    rows = [await found(app_state, run_id) for run_id in ("r1", "r2", "r3")]
    assert [(row.status, row.quota_day) for row in rows] == [
        ("cancelled", None),
        ("cancelled", "2026-01-31"),
        ("failed", None),
    ]
    assert (rows[0].error, rows[1].error) == (None, None)
    assert [event[:3] for event in await events(app_state, "r1")] == [(1, "run.cancelled", None)]


async def test_process_and_streams_of_a_cancelled_run_are_notified(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1={"status": "queued", "started_at": None}, r2=LIVE)
    async with app_state.database.reading() as session:
        user = await session.get(User, owner)
    assert user is not None
    for run_id, status in (("r1", "cancelled"), ("r2", "running")):
        async with (
            app_state.pubsub.subscribe(f"run {run_id}") as news,
            app_state.pubsub.subscribe(cancel_requests.TOPIC) as requests,
        ):
            shown = await service.cancel(app_state, user, run_id)
            assert (shown.status, shown.can_cancel) == (status, status == "running")
            assert await news.wait(0)
            assert requests.take() == [run_id.encode()]
        assert (await found(app_state, run_id)).cancel_requested


async def test_parked_run_says_at_which_step_it_stopped_the_server(
    app_state: AppState, owner: str, store: Store
) -> None:
    places = (
        (["a"], "at the step 'Hero'", AT),
        (["a", "b", "c"], "at the step 'Hero' or 'b' or 'c'", AT),
        ([], "before its first step", None),
    )
    for number, (steps, place, started_at) in enumerate(places):
        run_id = f"r{number}"
        await store(**{run_id: LIVE | {"started_at": started_at, "quota_day": "2026-01-31"}})
        async with app_state.database.writing() as session:
            row = await repository.find_for_update(session, run_id)
            assert row is not None
            await termination.park(session, app_state, row, steps)
        row = await found(app_state, run_id)
        said = f"This run stopped the server twice {place}, so it does not continue. You can launch it again."
        assert row.error == {
            "code": "crashed", "message": said, "detail": None, "retryable": False, "provider": None,
        }  # fmt: skip
        assert row.quota_day == ("2026-01-31" if started_at else None)
        assert row.last_seq == 4 + len(steps) + 1
        *failed, ended = await events(app_state, run_id)
        assert [event[:3] for event in failed] == [
            (5 + at, "step.failed", step) for at, step in enumerate(steps)
        ]
        assert all(event[3] == {"seconds": 0.0, "cost_usd": 0.0, "error": row.error} for event in failed)
        assert ended[:3] == (5 + len(steps), "run.failed", None)


async def test_calls_that_were_under_way_count_as_spent(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(r1=LIVE | {"cost_usd": Decimal("0.25"), "held_usd": Decimal("0.5")})
    await store_records(
        "r1",
        ("reserve", "c1", "a", 0, {"usd": 0.5, "held": 0}),
        ("reserve", "c2", "a", 0, {"usd": 0.125, "held": 0, "own_key": True}),
    )
    await termination.fail(app_state, "r1", "one", "internal_error", None)
    row = await found(app_state, "r1")
    assert (row.cost_usd, row.charged_usd, row.held_usd) == (Decimal("0.875"), Decimal("0.5"), 0)
    assert [event[:2] for event in await events(app_state, "r1")] == [(5, "run.failed")]
    assert (await events(app_state, "r1"))[0][3]["cost_usd"] == 0.875
    async with app_state.database.reading() as session:
        assert await journal_repository.next_position(session, "r1") == 2 + 4 + 1


def step(name: str, of: str) -> tuple[str, str, str | None, int, Any]:
    return "event", f"step.{name}", of, 0, {}


Records = list[tuple[str, str, str | None, int, Any]]
CRASHES: list[tuple[Records, list[str] | None, int, list[str]]] = [
    ([step("started", "a"), step("started", "b"), step("finished", "a")], None, 1, ["b"]),
    ([step("queued", "a"), step("queued", "b"), step("started", "b")], None, 1, ["b"]),
    ([step("queued", "a"), step("queued", "b"), step("skipped", "b")], None, 1, ["a"]),
    ([step("started", "a"), step("failed", "a"), step("queued", "b")], None, 1, ["b"]),
    ([step("started", "a"), ("event", "run.started", None, 0, {}), step("queued", "b")], None, 1, ["b"]),
    ([("memo", "step.started", "a", 0, {})], None, 1, []),
    ([step("started", "a"), step("started", "b")], ["b", "c"], 2, ["b"]),
    ([step("started", "a")], ["b"], 1, ["a"]),
    ([], ["b"], 2, ["b"]),
    ([], None, 1, []),
]


async def test_crash_is_counted_at_the_steps_that_were_under_way(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(other=LIVE)
    for number, (records, before, crashes, steps) in enumerate(CRASHES):
        run_id, process = f"r{number}", f"process {number}"
        known = {} if before is None else {"crashes": 1, "crash_steps": before}
        await store(**{run_id: LIVE | known | {"cancel_requested": True, "lease_owner": process}})
        await store_records(run_id, *records)
        async with app_state.database.writing() as session:
            session.add(WorkerRow(name=process, started_at=AT, seen_at=AT - timedelta(days=1)))
        async with app_state.pubsub.subscribe(f"run {run_id}") as news:
            await release_runs_of_former_process(app_state, process)
            assert await news.wait(0)
        row = await found(app_state, run_id)
        assert (row.status, row.lease_owner, row.lease_until) == ("running", None, None)
        assert (row.crashes, row.crash_steps) == (crashes, steps), records
        async with app_state.database.reading() as session:
            assert await session.get(WorkerRow, process) is None
    other = await found(app_state, "other")
    assert (other.lease_owner, other.crashes) == ("one", 0)
    deaths = REGISTRY.get_sample_value("impasto_processes_died_total")
    assert deaths is not None
    for process, died in (("unknown", 0), ("one", 1)):
        await release_runs_of_former_process(app_state, process)
        assert REGISTRY.get_sample_value("impasto_processes_died_total") == deaths + died
