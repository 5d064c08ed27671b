"""The detection of crashes: a process dies while it executes a run, twice at the same step."""

from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import REGISTRY
from tests.server.responses import expect
from tests.server.sample_nodes import arrived, chain, gate

from impasto_server.runs import journal_repository, repository
from impasto_server.runs.backends import dispatcher
from impasto_server.runs.backends.crashes import release_runs_of_dead_processes
from impasto_server.runs.backends.dispatcher import Dispatcher
from impasto_server.runs.models import WorkerRow

pytestmark = pytest.mark.anyio
DEAD = "a dead process"
LEASE = timedelta(seconds=3600)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"lease_seconds": LEASE.total_seconds()}


@pytest.fixture
async def run(person: Any, app_state: Any, make_flow: Any, run_flow: Any) -> dict[str, Any]:
    """A run whose step `wait` is running, and whose server executes nothing more by itself."""
    made = await make_flow(person, chain("shout", "wait"))
    launched: dict[str, Any] = await run_flow(person, made["id"])
    await arrived("gate")
    async with app_state.database.reading() as session:
        events = await journal_repository.step_events(session, launched["id"])
    assert ("step.started", "wait") in events
    await app_state.runs.stop()
    return launched


async def die(
    app_state: Any, run_id: str, owner: str = DEAD, *, seconds_ago: float = 1, **values: Any
) -> Any:
    """Make the run one that a process executed until its lease expired; return what is known of it then."""
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run_id)
        row.lease_owner, row.lease_until = owner, app_state.clock() - timedelta(seconds=seconds_ago)
        for name, value in values.items():
            setattr(row, name, value)
    await release_runs_of_dead_processes(app_state, "this process")
    async with app_state.database.reading() as session:
        return await repository.find(session, run_id)


async def test_first_death_queues_the_run_again(app_state: Any, run: dict[str, Any]) -> None:
    deaths = REGISTRY.get_sample_value("impasto_processes_died_total") or 0.0
    async with app_state.pubsub.subscribe(f"run {run['id']}") as news:
        row = await die(app_state, run["id"])
        assert await news.wait(0), "its streams look at it"
    assert (row.status, row.lease_owner, row.crashes, row.crash_steps) == ("running", None, 1, ["wait"])
    assert row.lease_until is None
    assert REGISTRY.get_sample_value("impasto_processes_died_total") == deaths + 1


async def test_second_death_at_the_same_step_parks_the_run(
    person: Any, app_state: Any, run: dict[str, Any]
) -> None:
    await die(app_state, run["id"])
    row = await die(app_state, run["id"])
    assert (row.status, row.lease_owner) == ("failed", None)
    seen = (await person.client.get(f"/runs/{run['id']}")).json()
    assert seen["error"]["code"] == "crashed"
    assert "at the step 'Wait'" in seen["error"]["message"]
    steps = {step["id"]: step for step in seen["steps"]}
    assert (steps["shout"]["status"], steps["wait"]["status"]) == ("finished", "failed")
    assert steps["wait"]["error"]["code"] == "crashed"


async def test_deaths_at_different_steps_do_not_park_the_run(app_state: Any, run: dict[str, Any]) -> None:
    row = await die(app_state, run["id"], crashes=1, crash_steps=["shout"])
    assert (row.status, row.crashes, row.crash_steps) == ("running", 1, ["wait"])


async def test_parked_run_is_started_again_by_its_user_only(
    person: Any, app_state: Any, run: dict[str, Any]
) -> None:
    for _ in range(2):
        await die(app_state, run["id"])
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 202)
    row = await die(app_state, run["id"])
    assert (row.status, row.error["code"]) == ("failed", "crashed")


async def test_released_run_has_not_crashed(app_state: Any, run: dict[str, Any]) -> None:
    """The fixture's server has stopped in an orderly way while the step was running."""
    async with app_state.database.reading() as session:
        row = await repository.find(session, run["id"])
    assert (row.lease_owner, row.crashes) == (None, 0)


async def test_expired_lease_of_a_living_process_is_not_a_crash(app_state: Any, run: dict[str, Any]) -> None:
    async with app_state.database.writing() as session:
        session.add(WorkerRow(name=DEAD, started_at=app_state.clock(), seen_at=app_state.clock()))
    row = await die(app_state, run["id"])
    assert (row.lease_owner, row.crashes) == (DEAD, 0)


async def test_process_with_a_valid_lease_is_not_dead(app_state: Any, run: dict[str, Any]) -> None:
    row = await die(app_state, run["id"], seconds_ago=-60)
    assert (row.lease_owner, row.crashes) == (DEAD, 0)
    row = await die(app_state, run["id"], "this process")
    assert (row.lease_owner, row.crashes) == ("this process", 0), "a process is not dead to itself"
    row = await die(app_state, run["id"], status="finished")
    assert (row.lease_owner, row.crashes) == (DEAD, 0), "the run has ended"


async def test_suspect_is_blamed_alone(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, run: dict[str, Any]
) -> None:
    bystander = await run_flow(person, (await make_flow(person))["id"])
    async with app_state.database.writing() as session:
        long_ago = app_state.clock() - 2 * LEASE
        session.add(WorkerRow(name=DEAD, started_at=long_ago, seen_at=long_ago, suspect_run_id=run["id"]))
        row = await repository.find_for_update(session, bystander["id"])
        row.lease_owner, row.lease_until = DEAD, long_ago
    assert (await die(app_state, run["id"])).crashes == 1
    async with app_state.database.reading() as session:
        row = await repository.find(session, bystander["id"])
    assert (row.lease_owner, row.crashes) == (None, 0)


async def test_run_is_not_parked_for_two_deaths_that_others_may_have_caused(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, run: dict[str, Any]
) -> None:
    flow = (await make_flow(person, chain("wait")))["id"]
    for deaths in range(1, 5):
        killer = (await run_flow(person, flow))["id"]
        async with app_state.database.writing() as session:
            row = await repository.find_for_update(session, killer)
            row.lease_owner, row.lease_until = DEAD, app_state.clock() - timedelta(seconds=1)
        row = await die(app_state, run["id"])
        status = "running" if deaths < 4 else "failed"
        assert (row.status, row.crashes) == (status, deaths)


@pytest.mark.parametrize("is_alone", [True, False])
async def test_suspect_is_to_blame_only_if_no_other_run_has_just_started(
    person: Any,
    app_state: Any,
    make_flow: Any,
    run_flow: Any,
    monkeypatch: pytest.MonkeyPatch,
    is_alone: bool,
) -> None:
    monkeypatch.setattr(dispatcher, "_MAX_PROBATION_SECONDS", 60)
    await app_state.runs.stop()
    [suspect, *_] = [
        (await run_flow(person, (await make_flow(person, chain(name)))["id"]))["id"]
        for name in (["wait"] if is_alone else ["wait", "shout"])
    ]
    async with app_state.database.writing() as session:
        (await repository.find_for_update(session, suspect)).crashes = 1
    async with Dispatcher(app_state, "another process"):
        await arrived("gate")
        async with app_state.database.reading() as session:
            worker = await session.get(WorkerRow, "another process")
        assert worker.suspect_run_id == (suspect if is_alone else None)


async def test_suspect_is_not_to_blame_soon_after_another_run_has_started(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "_MAX_PROBATION_SECONDS", 60)
    await app_state.runs.stop()
    suspect = (await run_flow(person, (await make_flow(person, chain("wait")))["id"]))["id"]
    document = chain("wait")
    document["nodes"][1]["settings"] = {"name": "other"}  # type: ignore[index]
    await run_flow(person, (await make_flow(person, document))["id"])

    async def become(status: str) -> None:
        async with app_state.database.writing() as session:
            row = await repository.find_for_update(session, suspect)
            row.status, row.crashes = status, 1

    await become("cancelled")
    async with Dispatcher(app_state, "another process") as process:
        await arrived("other")
        await become("queued")
        process.notify()
        await arrived("gate")
        async with app_state.database.reading() as session:
            assert (await session.get(WorkerRow, "another process")).suspect_run_id is None


async def test_next_suspect_starts_once_the_one_before_has_ended(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "_MAX_PROBATION_SECONDS", 60)
    await app_state.runs.stop()
    suspects = []
    for name in ("gate", "second"):
        document = chain("wait")
        document["nodes"][1]["settings"] = {"name": name}  # type: ignore[index]
        suspects.append((await run_flow(person, (await make_flow(person, document))["id"]))["id"])
    async with app_state.database.writing() as session:
        for suspect in suspects:
            (await repository.find_for_update(session, suspect)).crashes = 1
    async with Dispatcher(app_state, "another process") as process:
        await arrived("gate")
        other = await run_flow(person, (await make_flow(person))["id"])
        process.notify()
        assert (await finished(person, other))["status"] == "finished"
        async with app_state.database.reading() as session:
            assert (await repository.find(session, suspects[1])).lease_owner is None
        gate("gate").set()
        await arrived("second")
        gate("second").set()
        assert (await finished(person, {"id": suspects[1]}))["status"] == "finished"


async def test_parked_run_shows_what_was_spent(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any
) -> None:
    waiting = {"id": "wait", "type": "wait"}
    document = chain("paint")
    document["nodes"] = [*document["nodes"], waiting]  # type: ignore[misc]
    document["edges"] = [*document["edges"], {"from": "ask.output", "to": "wait.text"}]  # type: ignore[misc]
    made = await make_flow(person, document)
    run = await run_flow(person, made["id"])
    async with app_state.pubsub.subscribe(f"run {run['id']}") as news:
        while True:
            async with app_state.database.reading() as session:
                if ("step.finished", "paint") in await journal_repository.step_events(session, run["id"]):
                    break
            assert await news.wait(60)
    await app_state.runs.stop()
    for _ in range(2):
        await die(app_state, run["id"])
    assert (await person.client.get(f"/runs/{run['id']}")).json()["cost_usd"] == "0.0125"
    gate("gate").set()
