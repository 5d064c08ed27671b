"""Celery workers killed in each phase of a run, with PostgreSQL and Redis."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.workers import Worker
from tests.fixtures.tables import thorough_except
from tests.server.barriers import Gate, gated_flow, open_gate
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import flow

from impasto_server.runs import repository
from impasto_server.settings import Settings

# Each test starts two or three processes, one after another.
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@pytest.fixture
def database_url(migrated_postgresql: str) -> str:
    return migrated_postgresql


@pytest.fixture
def extra_settings(redis_url: str) -> dict[str, Any]:
    return {"run_backend": "celery", "redis_url": redis_url, "lease_seconds": 5}


@pytest.fixture
async def gate(tmp_path: Path) -> AsyncIterator[Gate]:
    async with open_gate(tmp_path) as found:
        yield found


@pytest.fixture
async def worker(settings: Settings, app: Any) -> AsyncIterator[Worker]:
    found = Worker(settings)
    await found.start()
    yield found
    await found.end(signal.SIGKILL)


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Worker]:
    """A second worker, not started yet."""
    found = Worker(settings)
    yield found
    await found.end(signal.SIGKILL)


async def _wait_for(live: Any, kind: str, step: str) -> None:
    while (event := await live.next()) is not None:
        if (event["type"], event["step"]) == (kind, step):
            return
    raise AssertionError(f"the stream ended without {kind} of {step}")


async def _whole(person: Any, run: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all events of an ended run; check that they have no gap and that each step finished once."""
    stream = (await person.client.get(f"/runs/{run['id']}/events")).text
    events = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    ends = [event["step"] for event in events if event["type"] == "step.finished"]
    assert len(ends) == len(set(ends))
    return events


async def test_next_worker_repeats_only_the_interrupted_step(
    person: Any, app: Any, worker: Worker, other: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a", "b", "c"))
    run = await run_flow(person, made["id"])
    first = await gate.wait_for_arrival(100)
    async with follow(app, person, run["id"]) as live:
        await first.release()
        await _wait_for(live, "step.finished", "a")
    waiting = await gate.wait_for_arrival()
    await other.start()
    await worker.end(signal.SIGKILL)
    await waiting.wait_until_gone()
    for step in ("b", "c"):
        arrival = await gate.wait_for_arrival(100)
        assert arrival.step == step
        await arrival.release()
    assert (await _whole(person, run))[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 1, "b": 2, "c": 1}
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


async def test_paid_step_is_not_repeated_after_kill(
    person: Any, app: Any, worker: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    beside = {"id": "a", "type": "gated", "settings": {"path": gate.path}}
    edges = ["ask.output -> paint.text", "ask.output -> a.text"]
    made = await make_flow(person, flow("ask", "paint", beside, edges=edges))
    run = await run_flow(person, made["id"])
    arrival = await gate.wait_for_arrival(100)
    async with follow(app, person, run["id"]) as live:
        await _wait_for(live, "step.finished", "paint")
    await worker.end(signal.SIGKILL)
    await arrival.wait_until_gone()
    await worker.start()
    await (await gate.wait_for_arrival(100)).release()
    assert (await _whole(person, run))[-1]["type"] == "run.finished"
    done = (await person.client.get(f"/runs/{run['id']}")).json()
    assert done["cost_usd"] == "0.0125"
    library = (await person.client.get(f"/assets/library?kind=image&run_id={run['id']}")).json()["items"]
    assert [asset["cost_usd"] for asset in library] == ["0.0125"]


@pytest.mark.parametrize("how", thorough_except([signal.SIGTERM, signal.SIGQUIT], signal.SIGTERM))
async def test_stopping_worker_releases_its_runs(
    person: Any,
    worker: Worker,
    other: Worker,
    gate: Gate,
    make_flow: Any,
    run_flow: Any,
    how: signal.Signals,
) -> None:
    ordered = await run_flow(
        person, (await make_flow(person, gated_flow(gate.path, "a", kind="gated_request")))["id"]
    )
    waited = await run_flow(person, (await make_flow(person, gated_flow(gate.path, "b")))["id"])
    waiting = [await gate.wait_for_arrival(100), await gate.wait_for_arrival(100)]
    await worker.wait_until_ready()
    await worker.end(how)
    for arrival in waiting:
        await arrival.wait_until_gone()
    await other.start()
    await (await gate.wait_for_arrival(100)).release()
    for run in (ordered, waited):
        assert (await _whole(person, run))[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 1, "b": 2}


async def test_released_run_is_found_without_message(
    person: Any, worker: Worker, gate: Gate, app_state: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a"))
    run = await run_flow(person, made["id"])
    arrival = await gate.wait_for_arrival(100)
    await worker.end(signal.SIGKILL)
    await arrival.wait_until_gone()
    async with app_state.database.writing() as session:
        row = await repository.find_for_update(session, run["id"])
        row.lease_owner, row.lease_until = None, None
    await worker.start()
    await (await gate.wait_for_arrival(100)).release()
    assert (await _whole(person, run))[-1]["type"] == "run.finished"


async def test_run_whose_message_was_lost_is_found_by_a_worker(
    person: Any,
    app_state: Any,
    worker: Worker,
    gate: Gate,
    make_flow: Any,
    run_flow: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a"))
    with monkeypatch.context() as lost:
        lost.setattr(app_state.runs, "_send", lambda run_id: None)
        run = await run_flow(person, made["id"])
    await (await gate.wait_for_arrival(100)).release()
    assert (await _whole(person, run))[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 1}


async def test_run_enqueued_twice_is_executed_once(
    person: Any, app_state: Any, worker: Worker, other: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    await other.start()
    made = await make_flow(person, gated_flow(gate.path, "a", "b"))
    run = await run_flow(person, made["id"])
    await asyncio.gather(*(app_state.runs.submit(run["id"]) for _ in range(4)))
    for _ in range(2):
        await (await gate.wait_for_arrival(100)).release()
    await _whole(person, run)
    await app_state.runs.submit(run["id"])  # as Redis does with the message of a dead worker
    assert gate.counts == {"a": 1, "b": 1}
    later = await run_flow(person, made["id"], inputs={"ask": "a text whose steps are not reused"})
    for _ in range(2):
        await (await gate.wait_for_arrival(100)).release()
    assert (await _whole(person, later))[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 2, "b": 2}


async def test_run_cancelled_without_worker_ends_with_next_worker(
    person: Any, worker: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a", "b"))
    run = await run_flow(person, made["id"])
    arrival = await gate.wait_for_arrival(100)
    await worker.end(signal.SIGKILL)
    await arrival.wait_until_gone()
    expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
    await worker.start()
    assert (await _whole(person, run))[-1]["type"] == "run.cancelled"
    assert "b" not in gate.counts
