import asyncio
import gc
import weakref
from itertools import pairwise

import pytest

from impasto import Catalog, Flow, MemoryCache, MemoryJournal, Text, compile, node, start
from impasto.runtime.admission import Admission
from impasto.runtime.completion import Completion
from impasto.runtime.inputs.resolver import InputResolver
from impasto.runtime.recording.event_buffer import EventBuffer
from impasto.runtime.scheduler import Scheduler
from impasto.runtime.workers import Workers

pytestmark = pytest.mark.anyio


def live_parts():
    """Return how many parts of runs are in memory."""
    parts = (Scheduler, Workers, Admission, Completion, InputResolver, EventBuffer)
    return sum(isinstance(each, parts) for each in gc.get_objects())


@node
async def word(*, text: str) -> Text:
    return text


@node
async def awaited(*, text: str) -> Text:
    await asyncio.sleep(0)
    return text


@pytest.mark.parametrize("kind", ["word", "awaited"])
async def test_finished_run_is_freed_by_reference_counting(kind):
    flow = Flow.parse({"format": 1, "nodes": [{"id": "a", "type": kind, "settings": {"text": "hey"}}]})
    plan = compile(flow, Catalog([word, awaited]))
    gc.collect()
    before = live_parts()
    gc.disable()
    try:
        run = start(plan, cache=MemoryCache(), listener=lambda event: None, timeout=1e6)
        result = await run
        finished = weakref.ref(run)
        del run
        for _ in range(3):  # for the asyncio tasks that ended the run
            await asyncio.sleep(0)
        assert result.outputs["a.output"] == "hey"
        assert finished() is None
        assert live_parts() == before
    finally:
        gc.enable()


class AwaitedCache(MemoryCache):
    """A cache that must be awaited, as one in a database. It notes how many batches it finds written."""

    can_peek = False

    def __init__(self, journal):
        super().__init__()
        self.journal = journal
        self.written = []

    async def get(self, key):
        for _ in range(5):
            await asyncio.sleep(0)
        self.written.append(len(self.journal.batches))
        return self.peek(key)


class BatchJournal(MemoryJournal):
    """A journal that keeps the batches that it was given."""

    def __init__(self):
        super().__init__()
        self.batches = []

    async def append(self, lease, records):
        self.batches.append([record.name for record in records])
        await super().append(lease, records)


@node
async def more(text: Text) -> Text:
    return text + "."


@node(generative=True)
async def generated(text: Text) -> Text:
    return text + "!"


def chain(*types):
    steps = [{"id": "a", "type": "word", "settings": {"text": "hey"}}]
    steps += [{"id": f"s{number}", "type": each} for number, each in enumerate(types)]
    edges = [
        {"from": f"{before['id']}.output", "to": f"{after['id']}.text"} for before, after in pairwise(steps)
    ]
    flow = Flow.parse({"format": 1, "nodes": steps, "edges": edges})
    return compile(flow, Catalog([word, more, generated]))


@pytest.fixture
def never_soon(monkeypatch):
    monkeypatch.setattr("impasto.runtime.recording.journal_writer._SOON_SECONDS", 1e6)


@pytest.mark.usefixtures("never_soon")
async def test_short_steps_share_a_batch_while_the_cache_is_asked():
    journal = BatchJournal()
    result = await start(chain(*["more"] * 10), journal=journal, cache=AwaitedCache(journal))
    assert result.outputs["s9.output"] == "hey" + "." * 10
    assert len(journal.batches) == 1
    assert journal.batches[0][0] == "run.started"
    assert journal.batches[0][-1] == "run.finished"


@pytest.mark.usefixtures("never_soon")
async def test_end_of_a_generative_step_is_written_before_the_next_step_runs():
    journal = BatchJournal()
    cache = AwaitedCache(journal)
    await start(chain("generated", "more"), journal=journal, cache=cache)
    assert cache.written == [0, 0, 1]
    assert journal.batches[0][-2:] == ["step.finished", "step.queued"]


async def test_entries_are_written_soon_while_the_cache_does_not_answer():
    journal = BatchJournal()
    asked = asyncio.Event()

    class SilentCache(AwaitedCache):
        async def get(self, key):
            await asked.wait()

    async with start(chain("more"), journal=journal, cache=SilentCache(journal)) as run:
        async for event in run.events():
            if event.type == "step.queued":
                break
        asked.set()
    assert journal.batches[0][:2] == ["run.started", "step.queued"]
