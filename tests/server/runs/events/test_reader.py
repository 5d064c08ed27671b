"""The pages of a run's events that its streams read, and their form."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy import delete
from tests.server.resources import task_names
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import Store

from impasto.journal.protocol import Record
from impasto_server.container import AppState
from impasto_server.runs.events import live, reader
from impasto_server.runs.events.reader import EventReader, EventReaders, Page
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio
_ERROR = {"code": "moderated", "detail": "secret"}
_EVENTS: list[tuple[str, str, str | None, int, Any]] = [
    ("event", "run.started", None, 1, {}),
    ("event", "step.started", "paint", 2, {}),
    ("event", "step.failed", "paint", 3, {"error": _ERROR}),
    ("event", "step.started", "write", 4, {}),
    ("event", "run.failed", None, 5, {"error": None}),
]


def numbers(page: Page) -> tuple[list[int], int, bool]:
    return [frame.seq for frame in page.frames], page.last, page.is_end


async def test_stream_reads_older_events_in_pages_and_then_those_of_the_reader(
    app_state: AppState, store: Store, store_records: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "PAGE", 2)
    await store(r1={"status": "failed", "last_seq": 5})
    await store_records("r1", *_EVENTS)
    found = EventReader(app_state.database, app_state.pubsub, "r1", 3)
    assert numbers(await found.read(0)) == ([1, 2], 2, False)
    assert numbers(await found.read(2)) == ([3, 4], 4, False)
    assert numbers(await found.read(3)) == ([], 3, False), "it has not read its own events yet"
    states = [found.is_over]
    assert not await found.wait(await found.read(3), 0)
    await found.follow()
    assert [*states, found.is_over] == [False, True]
    assert numbers(await found.read(2)) == ([3, 4], 4, False)
    assert numbers(await found.read(3)) == ([4, 5], 5, True)
    assert numbers(await found.read(4)) == ([5], 5, True)
    assert numbers(await found.read(5)) == ([], 5, True)
    assert await found.wait(await found.read(5), 0), "there is nothing to wait for"
    behind = EventReader(app_state.database, app_state.pubsub, "r1", 1)
    await behind.follow()
    assert numbers(await behind.read(1)) == ([2, 3, 4, 5], 5, True)


async def test_page_of_older_events_that_is_not_full_goes_on_where_the_reader_starts(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    await store(r1={"status": "running", "last_seq": 2})
    await store_records("r1", *_EVENTS[:2])
    for position, last in ((1, 2), (2, 2), (4, 4)):
        found = EventReader(app_state.database, app_state.pubsub, "r1", position)
        assert numbers(await found.read(0)) == ([1, 2], last, False)


async def test_events_of_a_run_that_is_gone_end(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    found = EventReader(app_state.database, app_state.pubsub, "unknown", 0)
    await found.follow()
    assert numbers(await found.read(7)) == ([], 7, True)
    await store(r1={"status": "failed", "last_seq": 5})
    await store_records("r1", *_EVENTS)
    deleted = EventReader(app_state.database, app_state.pubsub, "r1", 3)
    async with app_state.database.writing() as session:
        await session.execute(delete(RunRow).where(RunRow.id == "r1"))
    await deleted.follow()
    for seen in (0, 3, 9):
        assert numbers(await deleted.read(seen)) == ([], seen, True), "there is no older page to read"


async def test_reader_that_cannot_read_reports_it_to_its_streams(app_state: AppState, owner: str) -> None:
    app_state.pubsub.subscribe = None  # type: ignore[method-assign,assignment]
    found = EventReader(app_state.database, app_state.pubsub, "r1", 0)
    page = await found.read(0)
    waiting = asyncio.create_task(found.wait(page, 60))
    await asyncio.sleep(0)
    await found.follow()
    async with asyncio.timeout(20):
        assert await waiting
    assert found.is_over
    assert await found.wait(page, 0)
    with pytest.raises(TypeError):
        await found.read(0)


async def test_event_is_sent_with_its_number_its_type_and_for_others_without_details(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    await store(r1={"status": "failed", "last_seq": 5})
    await store_records("r1", *_EVENTS)
    found = EventReader(app_state.database, app_state.pubsub, "r1", 5)
    frames = (await found.read(0)).frames
    assert [frame.time for frame in frames] == [1.5] * 5
    assert frames[1].public is frames[1].detailed
    start = b"event: step.failed\ndata: "
    assert frames[2].detailed.startswith(start)
    assert frames[2].detailed.endswith(b"\nid: 3\n\n")
    assert b'"data":{"error":{"code":"moderated","detail":"secret"}}' in frames[2].detailed
    assert frames[2].public == frames[2].detailed.replace(b'"secret"', b"null")


async def test_large_whole_number_is_sent_as_it_is_also_to_others(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    await store(r1={"last_seq": 1})
    outputs = {"output": {"detail": "of a cup", "n": 2**70 + 1}}
    await store_records("r1", ("event", "step.finished", "a", 1, {"outputs": outputs}))
    (frame,) = (await EventReader(app_state.database, app_state.pubsub, "r1", 1).read(0)).frames
    assert b'{"detail":"of a cup","n":1180591620717411303425}' in frame.detailed
    assert frame.public == frame.detailed


async def test_streams_share_a_reader_until_it_is_over(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    await store(r1={"status": "failed", "last_seq": 5}, r2={"status": "running", "last_seq": 2, "number": 2})
    await store_records("r1", *_EVENTS)
    readers = EventReaders(app_state.database, app_state.pubsub)
    async with readers.follow("r2", 2) as live, readers.follow("r2", 2) as same:
        assert same is live
    assert readers.run_ids == set()
    async with asyncio.timeout(20):
        while "events of r2" in task_names():
            await asyncio.sleep(0)
    async with AsyncExitStack() as later:
        async with readers.follow("r1", 3) as first:
            async with asyncio.timeout(20):
                while not first.is_over:
                    await asyncio.sleep(0)
            # The run may have been resumed.
            second = await later.enter_async_context(readers.follow("r1", 5))
            assert second is not first
        assert readers.run_ids == {"r1"}, "the end of the first stream leaves the second reader"
    assert readers.run_ids == set()


async def test_stream_that_waits_is_woken_by_a_message_with_the_next_event(
    app_state: AppState, store: Store
) -> None:
    await store(r1={"status": "running", "last_seq": 0})
    readers = EventReaders(app_state.database, app_state.pubsub)
    async with readers.follow("r1", 0) as found, asyncio.timeout(20):
        waiting = asyncio.create_task(found.wait(await found.read(0), 60))
        while not app_state.pubsub.count("run r1"):  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        message = live.pack([Record("event", "step.started", "paint", 1, 1.5, b"{}")])
        assert message is not None
        app_state.pubsub.publish("run r1", message)
        assert await waiting
        assert numbers(await found.read(0)) == ([1], 1, False)
