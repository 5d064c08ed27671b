import gc
import weakref

import pytest

from impasto import Catalog, Flow, MemoryCache, Text, compile, node, start
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


async def test_finished_run_is_freed_by_reference_counting():
    flow = Flow.parse({"format": 1, "nodes": [{"id": "a", "type": "word", "settings": {"text": "hey"}}]})
    plan = compile(flow, Catalog([word]))
    gc.collect()
    before = live_parts()
    gc.disable()
    try:
        run = start(plan, cache=MemoryCache(), listener=lambda event: None)
        result = await run
        finished = weakref.ref(run)
        del run
        assert result.outputs["a.output"] == "hey"
        assert finished() is None
        assert live_parts() == before
    finally:
        gc.enable()
