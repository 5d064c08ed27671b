"""Stopping a run, and going on with one that failed or was stopped."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.server.barriers import gated_flow, open_gate
from tests.server.conftest import PASSWORD
from tests.server.runs.live import follow
from tests.server.sample_nodes import CALLS, arrived, chain, gate

from impasto.errors import LeaseLost
from impasto.journal.protocol import Lease
from impasto_server.runs import execute, repository, termination
from impasto_server.runs.execute import Executor
from impasto_server.runs.journal import DatabaseJournal

pytestmark = pytest.mark.anyio


async def test_a_running_run_stops_and_keeps_what_finished(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("shout", "wait", "paint"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await arrived("gate")
        assert (await person.client.post(f"/runs/{run['id']}/cancel")).status_code == 202
        assert (await live.rest())[-1]["type"] == "run.cancelled"
    seen = (await person.client.get(f"/runs/{run['id']}")).json()
    assert seen["status"] == "cancelled"
    by_id = {step["id"]: step["status"] for step in seen["steps"]}
    assert (by_id["shout"], by_id["paint"]) == ("finished", "cancelled")
    assert by_id["wait"] == "cancelled"
    assert seen["can_resume"] is True


async def test_what_is_over_cannot_be_stopped(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    answer = await person.client.post(f"/runs/{run['id']}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "run_over")


async def test_resuming_redoes_only_what_failed(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    document = chain("shout", "stumble", "paint")
    made = await make_flow(person, document)
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    assert {step["id"]: step["status"] for step in run["steps"]}["paint"] == "skipped"
    resumed = await person.client.post(f"/runs/{run['id']}/resume")
    assert resumed.status_code == 202
    done = await finished(person, run)
    assert done["status"] == "finished"
    assert (CALLS["shout"], CALLS["stumble"], CALLS["paint"]) == (1, 2, 1)
    assert done["last_seq"] > run["last_seq"]
    assert done["error"] is None
    told = (await person.client.get(f"/runs/{run['id']}/events")).text
    assert re.findall(r"^event: (run\.(?!started).*)$", told, re.MULTILINE) == ["run.finished"]
    assert re.findall(r"^id: (\d+)$", told, re.MULTILINE) == [str(n + 1) for n in range(done["last_seq"])]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


async def test_there_is_nothing_to_resume_in_a_good_run(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    answer = await person.client.post(f"/runs/{run['id']}/resume")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_resume")


async def test_a_run_that_waits_in_the_queue_is_stopped_and_costs_nothing(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    first = await run_flow(person, made["id"])
    second = await run_flow(person, made["id"])
    assert second["status"] == "queued"
    stopped = (await person.client.post(f"/runs/{second['id']}/cancel")).json()
    assert stopped["status"] == "cancelled"
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1
    gate("gate").set()
    await finished(person, first)
    over = await finished(person, second)
    assert over["status"] == "cancelled"
    assert over["last_seq"] == 1
    assert CALLS["gate"] == 1
    assert (await person.client.post(f"/runs/{second['id']}/resume")).status_code == 202
    assert (await finished(person, second))["status"] == "finished"
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 2


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    # Leases that no test sees the end of: what stops a step is its wake-up.
    return {"max_concurrent_runs": 1, "lease_seconds": 3600}


async def test_a_run_that_another_process_took_up_is_not_ended_by_its_former_owner(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout", "wait", "paint"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await live.until("step.finished")
    await termination.fail(app.state.app_state, run["id"], "a former owner", "internal_error", None)
    assert (await person.client.get(f"/runs/{run['id']}")).json()["status"] == "running"
    await person.client.post(f"/runs/{run['id']}/cancel")
    assert (await finished(person, run))["status"] == "cancelled"


async def test_a_database_that_fails_once_does_not_end_the_looking(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = repository.cancel_requested
    asked = asyncio.Event()

    async def away_at_first(session: Any, run_id: str) -> bool:
        if not asked.is_set():
            asked.set()
            raise OSError("the database is away")
        return await looked(session, run_id)

    monkeypatch.setattr(repository, "cancel_requested", away_at_first)
    made = await make_flow(person, chain("shout", "wait"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await asyncio.wait_for(asked.wait(), 60)
        await arrived("gate")
        assert (await person.client.post(f"/runs/{run['id']}/cancel")).status_code == 202
        assert (await live.rest())[-1]["type"] == "run.cancelled"


async def test_a_step_under_way_stops_at_once_when_its_owner_leaves(
    person: Any, make_flow: Any, run_flow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "_POLL_SECONDS", 3600)
    async with open_gate(tmp_path) as gate:
        made = await make_flow(person, gated_flow(gate.path, "a"))
        await run_flow(person, made["id"])
        step = await gate.wait_for_arrival()
        answer = await person.client.request("DELETE", "/users/me", json={"password": PASSWORD})
        assert answer.status_code == 204
        await step.wait_until_gone()  # long before anybody looks again by himself


async def test_a_run_handed_out_again_before_its_end_was_noted_is_executed(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    """As on a worker: its message comes while the executor still puts the failed attempt away."""
    made = await make_flow(person, chain("stumble"))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    app_state = app.state.app_state
    executor = Executor(app_state, "a worker")
    releasing, released = asyncio.Event(), asyncio.Event()
    release = DatabaseJournal.release

    async def slow_release(journal: DatabaseJournal, lease: Any) -> None:
        releasing.set()
        await released.wait()
        await release(journal, lease)

    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run["id"])
        row.status, row.lease_owner, row.lease_until = "running", None, None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseJournal, "release", slow_release)
        CALLS["stumble"] = 0
        first = asyncio.create_task(executor.execute(run["id"]))
        await asyncio.wait_for(releasing.wait(), 60)
        assert (await person.client.get(f"/runs/{run['id']}")).json()["status"] == "failed"
        async with app_state.database.writing() as session:
            row = await repository.find_for_update(session, run["id"])
            row.status, row.lease_owner, row.lease_until = "queued", None, None
            row.fence += 1
        second = asyncio.create_task(executor.execute(run["id"]))
        await asyncio.sleep(0)
        released.set()
        await asyncio.wait_for(asyncio.gather(first, second), 60)
    assert (await person.client.get(f"/runs/{run['id']}")).json()["status"] == "finished"


async def test_who_ended_a_run_has_no_say_in_it_once_it_is_resumed(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("stumble"))
    run = await finished(person, await run_flow(person, made["id"]))
    app_state = app.state.app_state
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run["id"])
        row.lease_owner, row.lease_until = "a worker", app_state.clock()
        former = Lease(run["id"], "a worker", row.fence)
    assert (await person.client.post(f"/runs/{run['id']}/resume")).status_code == 202
    with pytest.raises(LeaseLost):
        await DatabaseJournal(app_state.database, app_state.pubsub, app_state.clock).renew(former, 30)
    assert (await finished(person, run))["status"] == "finished"
