"""How events and records get into the journal: in batches, in order, and what happens if it refuses one."""

import asyncio

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import MemoryCache, MemoryJournal, Record
from impasto.runtime.recording.journal_writer import JournalWriter
from impasto.runtime.task import Task
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio
STEP = plan_of(NODES, {"p": "say"}).steps[0]


class Gate(MemoryJournal):
    """A journal that notes its batches, and writes each once the test lets it; `error` refuses them."""

    def __init__(self):
        super().__init__()
        self.batches = []
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.error = None

    async def append(self, lease, records):
        self.batches.append([record.name for record in records])
        await self.may_write.wait()
        if self.error is not None:
            raise self.error
        await super().append(lease, records)


class Put(MemoryCache):
    """A cache that notes what it is given; `error` refuses it."""

    def __init__(self, error=None):
        super().__init__()
        self.puts = []
        self.error = error

    async def put(self, key, outputs):
        self.puts.append((key, outputs))
        if self.error is not None:
            raise self.error


@pytest.fixture
async def journal():
    return Gate()


async def writer_of(journal, cache=None, listener=None):
    writer = JournalWriter("r", journal, cache, listener, [])
    writer.lease = await journal.create("r", "me", 30, [Record("head")])
    return writer


async def turns(number=5):
    for _ in range(number):
        await asyncio.sleep(0)


async def test_entries_that_are_added_during_a_write_are_the_next_batch(journal):
    heard = []
    writer = await writer_of(
        journal, listener=lambda event: heard.append((event.seq, event.type, event.data))
    )
    journal.may_write.clear()
    writer.buffer.emit("a", None, {"x": 1})
    writer.schedule_flush()
    await turns()
    writer.buffer.emit("b", "p")
    writer.buffer.record("memo", "key", "p", b"1")
    writer.buffer.emit("c")
    await turns()
    assert (journal.batches, heard, writer.idle) == ([["a"]], [], False)
    journal.may_write.set()
    await writer.wait_until_durable()
    assert journal.batches == [["a"], ["b", "key", "c"]]
    assert heard == [(1, "a", {"x": 1}), (2, "b", {}), (3, "c", {})]
    assert [event.type for event in writer.events] == ["a", "b", "c"]
    assert writer.idle
    kept = [(r.kind, r.name, r.step, r.seq, bytes(r.body)) for r in (await journal.read("r"))[1:]]
    assert kept == [
        ("event", "a", None, 1, b'{"x":1}'),
        ("event", "b", "p", 2, b"{}"),
        ("memo", "key", "p", 0, b"1"),
        ("event", "c", None, 3, b"{}"),
    ]


async def test_events_are_numbered_after_those_of_the_past(journal):
    first = await writer_of(journal)
    for name in "ab":
        first.buffer.emit(name)
    await first.flush()
    second = JournalWriter("r", journal, None, None, [*first.events])
    second.buffer.emit("c")
    await second.flush()
    assert [(event.seq, event.type) for event in second.events] == [(1, "a"), (2, "b"), (3, "c")]


async def test_entries_are_written_at_once_after_the_first_flush_and_not_before(journal):
    writer = await writer_of(journal)
    flushed = []
    writer.on_first_flush = lambda: flushed.append(1)
    writer.buffer.emit("a")
    await turns()
    assert (journal.batches, flushed) == ([], [])
    writer.schedule_flush()
    await turns()
    writer.buffer.emit("b")
    await turns()
    assert (journal.batches, flushed) == ([["a"], ["b"]], [1])
    writer.buffer.defer_flush = True
    writer.buffer.record("memo", "c", None, b"1")
    await turns()
    assert journal.batches == [["a"], ["b"]]
    writer.schedule_flush_soon()
    await turns()
    assert journal.batches == [["a"], ["b"], ["c"]]


async def test_nothing_is_written_if_there_is_nothing_to_write(journal):
    writer = await writer_of(journal)
    writer.schedule_flush_soon()
    writer.schedule_flush()
    await writer.flush()
    await writer.wait_until_durable()
    assert (journal.batches, writer.idle, writer._timer) == ([], True, None)


async def test_refused_batch_is_raised_to_all_that_wait_and_ends_the_buffer(journal):
    heard, failures = [], []
    writer = await writer_of(journal, listener=heard.append)
    writer.on_error = lambda: failures.append(writer.error)
    journal.may_write.clear()
    writer.buffer.emit("a")
    waiting = [asyncio.ensure_future(writer.wait_until_durable())]
    await turns()
    writer.buffer.emit("b")
    waiting += [asyncio.ensure_future(writer.wait_until_durable()) for _ in range(2)]
    await turns()
    waiting[1].cancel()
    journal.error = OSError("disk full")
    journal.may_write.set()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert found[::2] == [journal.error] * 2
    assert isinstance(found[1], asyncio.CancelledError)
    with pytest.raises(OSError, match="disk full"):
        await writer.wait_until_durable()
    writer.buffer.emit("c")
    writer.buffer.record("memo", "key", None, b"1")
    await turns()
    assert (journal.batches, heard, writer.events, writer.buffer.pending) == ([["a"]], [], [], [])
    assert failures == [journal.error]


async def test_readers_wake_when_events_are_delivered_and_when_the_journal_fails(journal):
    writer = await writer_of(journal)
    first = asyncio.ensure_future(writer.wait_for_more())
    await turns()
    writer.buffer.emit("a")
    await writer.flush()
    await asyncio.wait_for(first, 5)
    journal.error = OSError("disk full")
    second = asyncio.ensure_future(writer.wait_for_more())
    await turns()
    writer.buffer.emit("b")
    await writer.flush()
    await asyncio.wait_for(second, 5)


async def test_run_without_a_lease_delivers_its_events_alone(journal):
    heard = []
    writer = JournalWriter("r", journal, None, heard.append, [])
    writer.buffer.emit("a")
    await writer.flush()
    assert (journal.batches, [event.type for event in heard]) == ([], ["a"])


async def test_listener_that_raises_hears_the_next_event(journal, caplog):
    caplog.set_level("ERROR", logger="impasto")
    heard = []

    def listen(event):
        heard.append(event.type)
        raise ValueError(event.type)

    writer = await writer_of(journal, listener=listen)
    for name in "ab":
        writer.buffer.emit(name)
    await writer.flush()
    assert heard == ["a", "b"]
    assert caplog.text.count("The listener raised on") == 2


@pytest.mark.parametrize("error", [None, OSError("cache full")])
async def test_outputs_are_cached_after_their_events_are_durable(journal, error, caplog):
    caplog.set_level("ERROR", logger="impasto")
    cache = Put(error)
    writer = await writer_of(journal, cache)
    tasks = [Task(None, STEP, key) for key in (b"one", b"two")]
    inflight = {task.key: task for task in tasks}
    for task in tasks:
        task.inflight = inflight
        writer.buffer.cache_output(task.key.hex(), b"{}", task)
    writer.buffer.emit("a")
    journal.may_write.clear()
    writer.schedule_flush()
    await turns()
    assert (cache.puts, len(inflight)) == ([], 2)
    journal.may_write.set()
    await turns(10)
    assert cache.puts == [(b"one".hex(), b"{}"), (b"two".hex(), b"{}")]
    assert (inflight, writer.idle, writer.error) == ({}, True, None)
    assert caplog.text.count("Failed to cache the output of step 'p'") == (2 if error else 0)


async def test_tasks_are_found_no_more_when_the_journal_fails(journal):
    cache = Put()
    writer = await writer_of(journal, cache)
    task = Task(None, STEP, b"one")
    task.inflight = inflight = {task.key: task}
    writer.buffer.cache_output("one", b"{}", task)
    writer.buffer.emit("a")
    journal.error = OSError("disk full")
    await writer.flush()
    assert (cache.puts, inflight) == ([], {})


async def test_detached_writer_calls_nothing_and_wakes_its_readers(journal):
    writer, called = await writer_of(journal), []
    writer.on_error = writer.on_first_flush = writer.buffer.on_entry = lambda: called.append(1)
    reading = asyncio.ensure_future(writer.wait_for_more())
    await turns()
    writer.buffer.emit("a")
    writer.schedule_flush_soon()
    writer.detach()
    await asyncio.wait_for(reading, 5)
    writer.buffer.defer_flush = False
    writer.buffer.emit("b")
    writer.on_error()
    writer.on_first_flush()
    assert (called, writer._timer) == ([], None)
