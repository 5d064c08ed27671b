"""One reader of a run's events for all streams of a process."""

from contextlib import AsyncExitStack
from itertools import count
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import chain, flow, gate

from impasto import Event
from impasto_server.runs.events import live, reader
from impasto_server.runs.repository import Progress

pytestmark = pytest.mark.anyio
_SPELLED = flow("ask", "wait", "spell", edges=["ask.output -> wait.text", "wait.output -> spell.text"])
_STREAMS = 12


@pytest.fixture
def count_queries(
    person: Any,
    app: FastAPI,
    app_state: Any,
    make_flow: Any,
    run_flow: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """Return a function that follows a run with a number of streams and counts the queries of its events."""
    monkeypatch.setattr(reader, "RECHECK_SECONDS", 60)
    queries: list[str] = []

    def note(*call: Any) -> None:
        is_progress = call[2].startswith("SELECT runs.status, runs.last_seq")
        if is_progress or ("FROM run_records" in call[2] and "seq >" in call[2]):
            queries.append(call[2])

    async def count(streams: int) -> int:
        made = await make_flow(person, _SPELLED)
        run = await run_flow(person, made["id"], inputs={"ask": f"word{streams} " * 50})
        async with AsyncExitStack() as stack:
            followed = [
                await stack.enter_async_context(follow(app, person, run["id"])) for _ in range(streams)
            ]
            for each in followed:
                while (await each.until("step.started"))[-1]["step"] != "wait":
                    pass
            queries.clear()
            gate("gate").set()
            seen = [await each.rest() for each in followed]
        gate("gate").clear()
        assert all(events == seen[0] for events in seen)
        assert seen[0][-1]["type"] == "run.finished"
        return len(queries)

    event.listen(app_state.database.engine.sync_engine, "before_cursor_execute", note)
    return count


async def test_live_streams_read_nothing_from_the_journal(count_queries: Any) -> None:
    assert await count_queries(_STREAMS) == 0


async def test_streams_share_the_queries_of_events_that_are_too_large_for_a_message(
    count_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_MAX_BYTES", 0)
    assert await count_queries(_STREAMS) < _STREAMS / 2 * await count_queries(1)


async def test_events_of_lost_messages_are_read_from_the_journal(
    person: Any, app: FastAPI, app_state: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, _SPELLED)
    run = await run_flow(person, made["id"], inputs={"ask": "word " * 20})
    publish, number = app_state.pubsub.publish, count()

    def lose_every_second_message(topic: str, payload: bytes = b"") -> None:
        if not payload or next(number) % 2:
            publish(topic, payload)

    monkeypatch.setattr(app_state.pubsub, "publish", lose_every_second_message)
    monkeypatch.setattr(reader, "RECHECK_SECONDS", 0.05)
    async with follow(app, person, run["id"]) as stream:
        gate("gate").set()
        events = await stream.rest()
    assert [item["seq"] for item in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "run.finished"


async def test_events_that_left_the_buffer_are_read_again(
    person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_MAX_BUFFER_BYTES", 1)
    monkeypatch.setattr(reader, "PAGE", 3)
    made = await make_flow(person, _SPELLED)
    run = await run_flow(person, made["id"], inputs={"ask": "word " * 20})
    async with follow(app, person, run["id"]) as first, follow(app, person, run["id"]) as second:
        await first.until("step.started")
        gate("gate").set()
        events = await first.rest()
        assert [item["seq"] for item in await second.rest()] == list(range(1, events[-1]["seq"] + 1))
    assert events[-1]["type"] == "run.finished"


async def test_messages_of_another_release_only_say_that_there_is_news(
    person: Any, app: FastAPI, app_state: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, _SPELLED)
    run = await run_flow(person, made["id"], inputs={"ask": "word " * 20})
    monkeypatch.setattr(live, "pack", lambda _records: b"\xc1 events in another form")
    async with follow(app, person, run["id"]) as stream:
        gate("gate").set()
        events = await stream.rest()
    assert [item["seq"] for item in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "run.finished"


async def test_reader_ends_with_its_streams(
    person: Any, app: FastAPI, app_state: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    readers = app_state.event_readers
    async with follow(app, person, run["id"]) as live:
        await live.until("step.started")
        assert readers.run_ids == {run["id"]}
    assert not readers.run_ids
    gate("gate").set()


async def test_an_end_that_is_newer_than_the_status_is_looked_at_again(
    app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends between both queries, or it was resumed: only its next status tells."""
    events = [
        Event("run", seq, 0.0, name, None, {}) for seq, name in enumerate(["run.started", "run.failed"], 1)
    ]
    statuses = iter([Progress("running", 1), Progress("failed", 2)])

    async def events_so_far(_session: Any, _run: str, seen: int, _limit: int) -> list[Event]:
        return events[seen:]

    async def status_then(*_: Any) -> Progress:
        return next(statuses)

    monkeypatch.setattr("impasto_server.runs.journal_repository.events_after", events_so_far)
    monkeypatch.setattr("impasto_server.runs.repository.progress_for_owner", status_then)
    followed = reader.EventReader(app_state.database, app_state.pubsub, "run", 0)
    await followed.follow()
    page = await followed.read(0)
    assert ([frame.seq for frame in page.frames], page.is_end) == ([1, 2], True)
