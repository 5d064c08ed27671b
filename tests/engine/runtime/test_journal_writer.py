import gc
import weakref

import pytest

from impasto import Catalog, Flow, MemoryCache, Text, compile, node, start

pytestmark = pytest.mark.anyio


@node
async def word(*, text: str) -> Text:
    return text


async def test_a_run_that_nobody_holds_is_gone_without_the_collector():
    flow = Flow.parse({"format": 1, "nodes": [{"id": "a", "type": "word", "settings": {"text": "hey"}}]})
    plan = compile(flow, Catalog([word]))
    gc.collect()
    gc.disable()
    try:
        run = start(plan, cache=MemoryCache(), listener=lambda event: None)
        result = await run
        gone = weakref.ref(run)
        del run
        assert result.outputs["a.output"] == "hey"
        assert gone() is None
    finally:
        gc.enable()
