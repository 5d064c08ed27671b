"""Servers killed in the middle of a run: no event is lost and no step is executed twice."""

import asyncio
import signal
from pathlib import Path

import pytest
from tests.chaos.conftest import ServerProcess, Visitor, sqlite_at_night
from tests.server.barriers import Gate, gated_flow
from tests.server.responses import expect

# A server starts in most of a minute on a busy machine; a test starts several. Each wait has its own limit.
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]


async def test_run_continues_after_kill_without_repeating_steps(
    server: ServerProcess, visitor: Visitor, gate: Gate
) -> None:
    run = await visitor.launch(gated_flow(gate.path, "a", "b", "c"))
    await (await gate.wait_for_arrival()).release()
    waiting = await gate.wait_for_arrival()
    assert waiting.step == "b"
    await visitor.sees(run["id"], "step.finished", "a")
    await server.end(signal.SIGKILL)
    await waiting.wait_until_gone()
    await server.start()
    for step in ("b", "c"):
        arrival = await gate.wait_for_arrival()
        assert arrival.step == step
        await arrival.release()
    events = [event async for event in visitor.events(run["id"])]
    assert events[-1]["type"] == "run.finished"
    assert gate.counts == {"a": 1, "b": 2, "c": 1}
    done = await visitor.run(run["id"])
    assert done["results"][0]["value"] == "hello..."
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


@sqlite_at_night
async def test_stream_resumes_after_kill_without_gap(
    server: ServerProcess, visitor: Visitor, gate: Gate
) -> None:
    run = await visitor.launch(gated_flow(gate.path, "a", "b"))
    seen: list[int] = []
    ended = asyncio.Event()

    async def watch() -> None:
        async for event in visitor.events(run["id"]):
            seen.append(event["seq"])
        ended.set()

    watcher = asyncio.create_task(watch())
    await (await gate.wait_for_arrival()).release()
    await gate.wait_for_arrival()
    await visitor.sees(run["id"], "step.finished", "a")
    await server.end(signal.SIGKILL)
    await asyncio.wait_for(ended.wait(), 100)
    await watcher
    before = len(seen)
    assert before > 0
    await server.start()
    await (await gate.wait_for_arrival()).release()
    seen += [event["seq"] async for event in visitor.events(run["id"], seen[-1])]
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) > before
    assert (await visitor.run(run["id"]))["status"] == "finished"


@sqlite_at_night
async def test_stopping_server_releases_its_runs(server: ServerProcess, visitor: Visitor, gate: Gate) -> None:
    run = await visitor.launch(gated_flow(gate.path, "a", "b"))
    arrival = await gate.wait_for_arrival()
    await server.end(signal.SIGTERM)
    await arrival.wait_until_gone()
    await server.start()
    assert (await visitor.run(run["id"]))["status"] in ("queued", "running")
    for _ in range(2):
        await (await gate.wait_for_arrival()).release()
    events = [event async for event in visitor.events(run["id"])]
    assert events[-1]["type"] == "run.finished"
    assert "run.cancelled" not in {event["type"] for event in events}


@sqlite_at_night
async def test_records_written_during_shutdown_are_used_by_resume(
    server: ServerProcess, visitor: Visitor, gate: Gate
) -> None:
    names = ["a", "b", "c"]
    runs = [await visitor.launch(gated_flow(gate.path, name, kind="gated_request")) for name in names]
    waiting = [await gate.wait_for_arrival() for _ in runs]
    await server.end(signal.SIGTERM)
    for arrival in waiting:
        await arrival.wait_until_gone()
    await server.start()
    for run in runs:
        events = [event async for event in visitor.events(run["id"])]
        assert events[-1]["type"] == "run.finished"
    assert gate.counts == dict.fromkeys(names, 1)


@sqlite_at_night
async def test_cancelled_run_stays_cancelled_after_kill(
    server: ServerProcess, visitor: Visitor, gate: Gate
) -> None:
    run = await visitor.launch(gated_flow(gate.path, "a"))
    arrival = await gate.wait_for_arrival()
    expect(await visitor.call("POST", f"/runs/{run['id']}/cancel"), 202)
    await arrival.wait_until_gone()
    await server.end(signal.SIGKILL)
    await server.start()
    events = [event async for event in visitor.events(run["id"])]
    assert events[-1]["type"] == "run.cancelled"
    assert (await visitor.run(run["id"]))["status"] == "cancelled"


@sqlite_at_night
async def test_two_servers_on_one_database_share_runs(
    server: ServerProcess, visitor: Visitor, gate: Gate
) -> None:
    second = await server.sibling()
    try:
        runs = [
            await visitor.launch(gated_flow(gate.path, f"step{index}"), f"hello {index}")
            for index in range(6)
        ]
        for _ in runs:
            await (await gate.wait_for_arrival()).release()
        other = Visitor(second)
        other.headers = visitor.headers
        for run in runs:
            events = [event async for event in other.events(run["id"])]
            assert events[-1]["type"] == "run.finished"
        assert gate.counts == {f"step{index}": 1 for index in range(6)}
        await other.client.aclose()
    finally:
        await second.end()


@sqlite_at_night
async def test_suspended_server_cannot_write_after_lease_expired(
    server: ServerProcess, visitor: Visitor, gate: Gate, tmp_path: Path
) -> None:
    run = await visitor.launch(gated_flow(gate.path, "a", "b"))
    await (await gate.wait_for_arrival()).release()
    asleep = await gate.wait_for_arrival()
    await visitor.sees(run["id"], "step.finished", "a")
    assert server.process is not None
    await server.suspend()
    second = await server.sibling()
    try:
        awake = await gate.wait_for_arrival()  # the second server claimed the run when the lease had expired
        assert awake.step == "b"
        server.process.send_signal(signal.SIGCONT)
        await asleep.release()
        await awake.release()
        other = Visitor(second)
        other.headers = visitor.headers
        events = [event async for event in other.events(run["id"])]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        ends = [event["step"] for event in events if event["type"] == "step.finished"]
        assert sorted(ends) == ["a", "ask", "b"]
        assert events[-1]["type"] == "run.finished"
        await other.client.aclose()
    finally:
        await second.end()
