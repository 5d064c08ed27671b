"""The contract of run backends, tested in process and on a Celery worker."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.contract.workers import Worker
from tests.server.barriers import Gate, gated_flow, open_gate
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import chain

from impasto_server.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]  # starts a server and a Celery worker


@pytest.fixture(params=["in_process", "celery"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def extra_settings(backend: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    if backend == "in_process":
        return {}
    return {"run_backend": "celery", "redis_url": request.getfixturevalue("redis_url"), "lease_seconds": 2}


@pytest.fixture
async def worker(backend: str, settings: Settings, app: FastAPI) -> AsyncIterator[Worker]:
    """The process that executes runs, or None if it is the server's."""
    found = Worker(settings)
    if backend == "celery":
        await found.start()
    yield found
    await found.end(signal.SIGKILL)


@pytest.fixture
async def gate(tmp_path: Path) -> AsyncIterator[Gate]:
    async with open_gate(tmp_path) as found:
        yield found


async def test_run_is_executed_and_streamed(
    person: Any, app: FastAPI, worker: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a", "b"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await (await gate.wait_for_arrival()).release()
        before = await live.until("step.finished")
        waiting = await gate.wait_for_arrival()
        seen = (await person.client.get(f"/runs/{run['id']}")).json()
        assert seen["status"] == "running"
        await waiting.release()
        events = before + await live.rest()
    assert events[-1]["type"] == "run.finished"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    done = (await person.client.get(f"/runs/{run['id']}")).json()
    assert (done["status"], done["results"][0]["value"]) == ("finished", "hello..")


async def test_assets_have_provenance(
    person: Any, worker: Worker, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    run = await finished(person, await run_flow(person, made["id"]))
    asset = (await person.client.get(f"/assets/{run['results'][0]['value']['asset_id']}")).json()
    assert (asset["made_by"]["model"], asset["cost_usd"], run["cost_usd"]) == ("brush-1", "0.0125", "0.0125")
    assert (await person.client.get(f"/assets/{asset['id']}/content")).content.startswith(b"\x89PNG")


async def test_cancelled_run_stops(
    person: Any, app: FastAPI, worker: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a", "b"))
    run = await run_flow(person, made["id"])
    arrival = await gate.wait_for_arrival()
    async with follow(app, person, run["id"]) as live:
        expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
        assert (await live.rest())[-1]["type"] == "run.cancelled"
    await arrival.wait_until_gone()
    assert gate.counts == {"a": 1}


async def test_failed_run_is_resumed(
    person: Any, worker: Worker, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout", "stumble", "spell"))
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["steps"][2]["error"]["code"]) == ("failed", "moderated")
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 202)
    done = await finished(person, run)
    assert (done["status"], done["results"][0]["value"]) == ("finished", "HELLO!")


async def test_concurrent_runs_all_finish(
    person: Any, worker: Worker, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    runs = [await run_flow(person, made["id"], inputs={"ask": str(index)}) for index in range(12)]
    values = [(await finished(person, run))["results"][0]["value"] for run in runs]
    assert values == [f"{index}!" for index in range(12)]


class TestFullProcess:
    """A process whose places are all taken by a batch."""

    @pytest.fixture
    def extra_settings(self, backend: str, request: pytest.FixtureRequest) -> dict[str, Any]:
        chosen = {"max_concurrent_runs": 2, "reserved_runs": 1, "lease_seconds": 10}
        if backend == "in_process":
            return chosen
        return {**chosen, "run_backend": "celery", "redis_url": request.getfixturevalue("redis_url")}

    async def test_launch_of_another_user_starts_before_the_next_step_of_the_batch(
        self,
        person: Any,
        new_person: Any,
        worker: Worker,
        gate: Gate,
        make_flow: Any,
        run_flow: Any,
        finished: Any,
    ) -> None:
        made = await make_flow(person, gated_flow(gate.path, "a", "b"))
        response = await person.client.post(
            f"/flows/{made['id']}/batch",
            params={"version": "draft"},
            json=[{"ask": str(index)} for index in range(6)],
        )
        expect(response, 202)
        held = [await gate.wait_for_arrival(100) for _ in range(2)]
        assert [step.step for step in held] == ["a", "a"]
        noor = await new_person("noor")
        launched = await run_flow(noor, (await make_flow(noor))["id"])
        assert (await finished(noor, launched))["status"] == "finished"
        assert gate.counts == {"a": 2}


class TestLargeBatch:
    """A batch of 120 short runs, whose queue the default settings take some seconds to work through."""

    @pytest.fixture
    def extra_settings(self, backend: str, request: pytest.FixtureRequest) -> dict[str, Any]:
        if backend == "in_process":
            return {"daily_quota": 1000}
        return {
            "daily_quota": 1000,
            "run_backend": "celery",
            "redis_url": request.getfixturevalue("redis_url"),
        }

    async def test_launch_of_another_user_waits_for_few_runs_of_the_batch(
        self,
        person: Any,
        new_person: Any,
        worker: Worker,
        make_flow: Any,
        run_flow: Any,
        finished: Any,
    ) -> None:
        noor = await new_person("noor")
        other = await make_flow(noor)
        rows = [{"ask": str(index)} for index in range(120)]
        path = f"/flows/{(await make_flow(person))['id']}/batch?version=draft"
        batch = expect(await person.client.post(path, json=rows), 202).json()

        async def count_ended() -> int:
            counts = (await person.client.get(f"/batches/{batch['id']}")).json()["counts"]
            return int(counts["finished"])

        await finished(person, batch["runs"][0])
        before = await count_ended()
        launched = await run_flow(noor, other["id"])
        assert (await finished(noor, launched))["status"] == "finished"
        # The user of the batch has at most four runs under way (IMPASTO_LIMIT_CONCURRENT_RUNS).
        assert await count_ended() - before < 40


@pytest.mark.parametrize("backend", ["celery"], indirect=True)
async def test_run_survives_its_worker(
    person: Any, app: FastAPI, worker: Worker, gate: Gate, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, gated_flow(gate.path, "a", "b"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await (await gate.wait_for_arrival()).release()
        await live.until("step.finished")
        arrival = await gate.wait_for_arrival()
        while (event := await live.next()) is not None:
            if (event["type"], event["step"]) == ("step.finished", "a"):
                break
        await worker.end(signal.SIGKILL)
        await arrival.wait_until_gone()
        await worker.start()
        again = await gate.wait_for_arrival()
        assert again.step == "b"
        await again.release()
        assert (await live.rest())[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 1, "b": 2}


@pytest.mark.parametrize("backend", ["celery"], indirect=True)
async def test_launch_whose_message_cannot_be_sent_waits_for_a_worker(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(run_id: str) -> None:
        raise ConnectionError("redis://secret@nowhere")

    made = await make_flow(person)
    monkeypatch.setattr(app_state.runs, "_send", send)
    run = await run_flow(person, made["id"])
    assert "secret" not in str(run)
    assert run["status"] == "queued"
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1
