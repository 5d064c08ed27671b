"""Cancelling and resuming runs."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.server.barriers import gated_flow, open_gate
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.runs.test_planned_results import uninstall_plugin
from tests.server.sample_nodes import ARRIVALS, CALLS, arrived, chain, gate

from impasto.errors import LeaseLost
from impasto.journal.protocol import Lease
from impasto_server.runs import execute, repository, termination
from impasto_server.runs.execute import Executor
from impasto_server.runs.journal import DatabaseJournal

pytestmark = pytest.mark.anyio


async def test_cancelled_run_keeps_finished_steps(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("shout", "wait", "paint"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await arrived("gate")
        expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
        assert (await live.rest())[-1]["type"] == "run.cancelled"
    seen = (await person.client.get(f"/runs/{run['id']}")).json()
    assert seen["status"] == "cancelled"
    by_id = {step["id"]: step["status"] for step in seen["steps"]}
    assert (by_id["shout"], by_id["paint"]) == ("finished", "cancelled")
    assert by_id["wait"] == "cancelled"
    assert seen["can_resume"] is True


async def test_ended_run_cannot_be_cancelled(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    response = await person.client.post(f"/runs/{run['id']}/cancel")
    expect(response, 409, code="run_over")


async def test_resume_executes_only_unfinished_steps(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    document = chain("shout", "stumble", "paint")
    made = await make_flow(person, document)
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    assert {step["id"]: step["status"] for step in run["steps"]}["paint"] == "skipped"
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run["id"])
        row.planned_results = None  # as of a run that an older version has launched
    resumed = await person.client.post(f"/runs/{run['id']}/resume")
    expect(resumed, 202)
    done = await finished(person, run)
    assert done["status"] == "finished"
    assert (CALLS["shout"], CALLS["stumble"], CALLS["paint"]) == (1, 2, 1)
    assert done["last_seq"] > run["last_seq"]
    assert done["error"] is None
    stream = (await person.client.get(f"/runs/{run['id']}/events")).text
    assert re.findall(r"^event: (run\.(?!started).*)$", stream, re.MULTILINE) == ["run.finished"]
    assert re.findall(r"^id: (\d+)$", stream, re.MULTILINE) == [str(n + 1) for n in range(done["last_seq"])]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


async def test_run_whose_node_type_is_gone_fails_and_says_so_to_the_owner_of_the_agent(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("stumble"))
    run = await finished(person, await run_flow(person, made["id"]))
    first = await run_flow(person, (await make_flow(person, chain("wait")))["id"])
    await arrived("gate")
    queued = await run_flow(person, made["id"])
    await uninstall_plugin(app_state)
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 202)
    gate("gate").set()
    await finished(person, first)
    for each in (run, queued):
        assert (await finished(person, each))["error"] == {
            "code": "flow_invalid", "message": "An error occurred. Please try again later.",
            "detail": "Node 'stumble' is of an unknown type 'stumble'.", "retryable": False, "provider": None,
        }  # fmt: skip


async def test_finished_run_cannot_be_resumed(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    response = await person.client.post(f"/runs/{run['id']}/resume")
    expect(response, 409, code="nothing_to_resume")


async def test_cancelling_queued_run_refunds_quota(
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
    expect(await person.client.post(f"/runs/{second['id']}/resume"), 202)
    assert (await finished(person, second))["status"] == "finished"
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 2


async def test_variant_that_was_cancelled_in_the_queue_never_starts(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = repository.cancellations

    async def read_late(session: Any, run_id: str) -> Any:
        with suppress(TimeoutError):
            await asyncio.wait_for(ARRIVALS.setdefault("second", asyncio.Event()).wait(), 0.5)
        return await read(session, run_id)

    monkeypatch.setattr(repository, "cancellations", read_late)
    made = await make_flow(person, chain("wait"))
    first = await run_flow(person, made["id"])
    wanted = {"node": "wait", "variants": [{"settings": {"name": "second"}}], "inputs": {"ask": "hello"}}
    response = await person.client.post(f"/flows/{made['id']}/comparisons", json=wanted)
    expect(response, 202)
    compared = response.json()
    assert compared["status"] == "queued"
    expect(await person.client.post(f"/runs/{compared['id']}/variants/wait_2/cancel"), 202)
    gate("gate").set()
    await finished(person, first)
    run = await finished(person, compared)
    assert {step["id"]: step["status"] for step in run["steps"]}["wait_2"] == "cancelled"
    assert CALLS["second"] == 0


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    # Leases outlast the tests, so that only a notification can start a run or stop a step.
    return {"max_concurrent_runs": 1, "lease_seconds": 3600, "dispatch_seconds": 60}


async def test_former_owner_cannot_end_run_claimed_by_another_process(
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


async def test_cancellation_watch_survives_database_error(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = repository.cancellations
    asked = asyncio.Event()

    async def away_at_first(session: Any, run_id: str) -> tuple[bool, list[str]]:
        if not asked.is_set():
            asked.set()
            raise OSError("the database is away")
        return await looked(session, run_id)

    monkeypatch.setattr(repository, "cancellations", away_at_first)
    made = await make_flow(person, chain("shout", "wait"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await asyncio.wait_for(asked.wait(), 60)
        await arrived("gate")
        expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
        assert (await live.rest())[-1]["type"] == "run.cancelled"


async def test_deleting_account_cancels_running_step_at_once(
    person: Any, make_flow: Any, run_flow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "_POLL_SECONDS", 3600)
    async with open_gate(tmp_path) as gate:
        made = await make_flow(person, gated_flow(gate.path, "a"))
        await run_flow(person, made["id"])
        step = await gate.wait_for_arrival()
        response = await person.client.request("DELETE", "/users/me", json={"password": PASSWORD})
        expect(response, 204)
        await step.wait_until_gone()  # far sooner than the next poll


async def test_resumed_run_is_executed_while_former_execution_returns(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    """On a worker, the message may arrive while the executor still ends the failed attempt."""
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


async def test_lease_of_ended_run_is_void_after_resume(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("stumble"))
    run = await finished(person, await run_flow(person, made["id"]))
    app_state = app.state.app_state
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run["id"])
        row.lease_owner, row.lease_until = "a worker", app_state.clock()
        former = Lease(run["id"], "a worker", row.fence)
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 202)
    with pytest.raises(LeaseLost):
        await DatabaseJournal(app_state.database, app_state.pubsub, app_state.clock).renew(former, 30)
    assert (await finished(person, run))["status"] == "finished"
