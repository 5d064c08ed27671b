"""The event stream of a run: live, resumed, and after the end."""

from typing import Any

import pytest
from fastapi import FastAPI
from prometheus_client import REGISTRY
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import chain, flow, gate

from impasto_server.runs.events import stream

pytestmark = pytest.mark.anyio


async def test_events_are_streamed_live(person: Any, app: FastAPI, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    run = await run_flow(person, made["id"])
    measured = REGISTRY.get_sample_value("impasto_event_lag_seconds_count") or 0.0
    async with follow(app, person, run["id"]) as live:
        before = await live.until("step.finished")
        assert before[0]["type"] == "run.started"
        seen = (await person.client.get(f"/runs/{run['id']}")).json()
        assert seen["status"] == "running"
        gate("gate").set()
        after = await live.rest()
        assert after[-1]["type"] == "run.finished"
        assert live.headers["content-type"].startswith("text/event-stream")
    assert (REGISTRY.get_sample_value("impasto_event_lag_seconds_count") or 0.0) > measured
    numbers = [event["seq"] for event in before + after]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_stream_resumes_after_any_event_without_gap(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("spell", "shout"))
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "one two three"}))
    async with follow(app, person, run["id"]) as live:
        everything = await live.rest()
    assert everything[-1]["seq"] == run["last_seq"]
    for seen in range(len(everything) + 1):
        async with follow(app, person, run["id"], str(seen)) as live:
            assert await live.rest() == everything[seen:]


async def test_invalid_last_event_id_is_ignored(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, finished: Any, subtests: pytest.Subtests
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    cases = ["", "x", "-1", "1.5", "9" * 40, "²"]
    for last in cases:
        with subtests.test(last=last):
            async with follow(app, person, run["id"], last) as live:
                events = await live.rest()
            assert live.status == 200
            assert len(events) in (0, run["last_seq"])
            beyond = await person.client.get(f"/runs/{run['id']}/events?after={10**20}")
            expect(beyond, 200)
            assert b"data:" not in beyond.content
    expect(await person.client.get(f"/runs/{run['id']}/events?after=-1"), 422)
    whole = await person.client.get(f"/runs/{run['id']}/events?after=0")
    assert whole.text.startswith("retry: 1000\n\n")
    assert (whole.headers["cache-control"], whole.headers["x-accel-buffering"]) == ("no-cache", "no")
    last = await person.client.get(f"/runs/{run['id']}/events?after={run['last_seq'] - 1}")
    assert last.text.count("data:") == 1


async def test_client_that_reconnects_during_run_misses_no_event(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        first = await live.until("step.finished")
    gate("gate").set()
    async with follow(app, person, run["id"], str(first[-1]["seq"])) as live:
        rest = await live.rest()
    numbers = [event["seq"] for event in first + rest]
    assert numbers == list(range(1, len(numbers) + 1))
    assert rest[-1]["type"] == "run.finished"


async def test_idle_stream_sends_heartbeats(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.02)
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await live.heartbeat()
        await live.heartbeat()
    gate("gate").set()


async def test_run_contains_text_streamed_so_far(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any
) -> None:
    document = flow("ask", "spell", "wait", edges=["ask.output -> spell.text", "spell.output -> wait.text"])
    made = await make_flow(person, document)
    run = await run_flow(person, made["id"], inputs={"ask": "one two three"})
    async with follow(app, person, run["id"]) as live:
        events = await live.until("step.finished")
        while events[-1]["step"] != "spell":
            events += await live.until("step.finished")
    streamed = "".join(event["data"]["delta"] for event in events if event["type"] == "step.partial")
    assert streamed == "one two three"
    seen = (await person.client.get(f"/runs/{run['id']}")).json()
    assert next(step for step in seen["steps"] if step["id"] == "spell")["text"] == "one two three"
    gate("gate").set()


async def test_only_owner_of_agent_sees_error_details(
    person: Any, new_person: Any, app: FastAPI, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, chain("stumble"), visibility="public")
    other = await new_person("ines")
    run = await finished(other, await run_flow(other, made["id"], version=1))
    step = run["steps"][1]
    assert (step["error"]["code"], step["error"]["message"]) == ("moderated", "The image was refused.")
    assert step["error"]["detail"] is None
    async with follow(app, other, run["id"]) as live:
        assert "policy 12" not in str(await live.rest())
    from tests.server.sample_nodes import CALLS

    CALLS.clear()
    own = await finished(person, await run_flow(person, made["id"], version=1))
    assert own["steps"][1]["error"]["detail"] == "policy 12"
    assert own["steps"][1]["error"]["provider"] == "sample"
