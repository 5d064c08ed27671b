"""How steps end: the data of their last events, what is recorded for a resume, and values that are freed."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import (
    SKIP,
    Catalog,
    Context,
    Image,
    Integer,
    Json,
    Lazy,
    MemoryCache,
    MemoryJournal,
    NodeError,
    Text,
    execute,
    node,
    resume,
    start,
)
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


def last_event(result, step):
    """The type and the data of the step's last event, and its seconds."""
    event = [event for event in result.events if event.step == step][-1]
    assert json.loads(event.body) == event.data
    data = dict(event.data)
    seconds = data.pop("seconds", None)
    return event.type, data, seconds


async def test_finished_step_says_what_it_gave_and_what_it_cost():
    @node
    async def pay(text: Text, *, context: Context) -> Text:
        context.charge(0.25, images=2)
        context.record_generation(provider="shop")
        await asyncio.sleep(0)
        return text + "!"

    plan = plan_of([*NODES, pay], {"p": "say", "x": "pay"}, [("p.output", "x.text")])
    cache = MemoryCache()
    result = await execute(plan, cache=cache)
    kind, data, seconds = last_event(result, "x")
    assert (kind, 0 < seconds < 20, result.steps["x"].seconds) == ("step.finished", True, seconds)
    assert data.pop("made_by")["provider"] == "shop"
    assert data == {"outputs": {"output": "hi!"}, "cost_usd": 0.25, "cached": False, "units": {"images": 2}}
    unpaid = {"outputs": {"output": "hi"}, "cost_usd": 0.0, "cached": False, "units": {}, "made_by": None}
    assert last_event(result, "p")[:2] == ("step.finished", unpaid)
    again = await execute(plan, cache=cache)
    reused = {"outputs": {"output": "hi!"}, "cost_usd": 0.0, "cached": True, "units": {}, "made_by": None}
    assert last_event(again, "x") == ("step.finished", reused, 0.0)
    assert again.events[-1].data == {"seconds": again.seconds, "cost_usd": 0.0}


@pytest.mark.parametrize("usd", [0.0, 0.5])
async def test_failed_step_says_why_and_what_made_it_cost(usd):
    @node
    async def pay(*, context: Context) -> Text:
        context.record_generation(provider="shop")
        context.charge(usd)
        raise NodeError("No.", code="refused")

    result = await execute(plan_of([pay], {"x": "pay"}))
    kind, data, seconds = last_event(result, "x")
    assert (kind, 0 < seconds < 20, result.steps["x"].seconds) == ("step.failed", True, seconds)
    made_by = data.pop("made_by", {"provider": None})
    assert made_by["provider"] == ("shop" if usd else None)
    error = {"code": "refused", "message": "No.", "detail": None, "retryable": False, "provider": None}
    assert data == {"error": error, "cost_usd": usd}
    assert (result.steps["x"].cost_usd, result.cost_usd) == (usd, usd)


@pytest.mark.parametrize("usd", [0.0, 0.5])
@pytest.mark.parametrize("end", ["cancelled", "timeout"])
async def test_step_that_was_stopped_says_so_and_what_it_cost(usd, end):
    has_started = asyncio.Event()

    @node
    async def pay(*, context: Context) -> Text:
        context.record_generation(provider="shop")
        context.charge(usd)
        has_started.set()
        await asyncio.Event().wait()
        return ""

    plan = plan_of([*NODES, pay], {"x": "pay", "s": "shout"}, [("x.output", "s.text")])
    async with start(plan, timeout=0.01 if end == "timeout" else None) as run:
        await has_started.wait()
        result = await (run.cancel() if end == "cancelled" else run.result())
    kind, data, _ = last_event(result, "x")
    made_by = data.pop("made_by", {"provider": None})
    assert made_by["provider"] == ("shop" if usd else None)
    cost = {"cost_usd": 0.5} if usd else {}
    assert (kind, data) == ("step.skipped", {"because": None, "reason": "cancelled", **cost})
    assert last_event(result, "s") == ("step.skipped", {"because": None, "reason": "cancelled"}, None)
    step = result.steps["x"]
    assert (step.status, step.reason, step.cost_usd) == ("cancelled", "cancelled", usd)
    assert result.steps["s"].status == "skipped"
    assert result.events[-1].type == ("run.cancelled" if end == "cancelled" else "run.failed")


@node
async def words() -> list[Text]:
    return ["a", "", "b"]


@node
async def filled(text: Text) -> Text:
    return text or SKIP


@node
async def label(text: Text, other: Text = "none") -> Text:
    return f"{text} {other}"


async def test_list_with_skipped_items_is_resumed_with_them():
    has_failed = []

    @node
    async def once(text: Text) -> Text:
        if not has_failed:
            has_failed.append(text)
            raise NodeError("No.")
        return f"<{text}>"

    nodes = [words, filled, once, label]
    plan = plan_of(
        nodes,
        {"w": "words", "f": "filled", "o": "once", "l": "label"},
        [("w.output", "f.text"), ("f.output", "o.text"), ("w.output", "l.text"), ("f.output", "l.other")],
    )
    journal = MemoryJournal()
    first = await execute(plan, journal=journal, run_id="r", max_concurrency=1)
    assert first.steps["f"].outputs == {"output": ["a", "b"]}
    assert last_event(first, "f")[1]["outputs"] == {"output": ["a", "b"]}
    outcomes = [record for record in await journal.read("r") if record.kind == "outcome"]
    assert [(each.name, each.step, bytes(each.body)) for each in outcomes] == [
        ("", "f", b'{"output":["a",{"$type":"Skip"},"b"]}')
    ]
    assert first.outputs["l.output"] == ["a a", " none", "b b"]
    again = await resume("r", catalog=Catalog(nodes), journal=journal)
    assert (again.status, again.outputs["o.output"]) == ("finished", ["<a>", "<b>"])
    assert again.outputs["l.output"] == ["a a", " none", "b b"]


LARGE = 2**70 + 1


async def test_large_whole_numbers_are_the_same_live_streamed_and_resumed():
    attempts = []

    @node
    async def give() -> list[Json]:
        return [1, {"n": LARGE}]

    @node
    async def hole(data: Json) -> Json:
        return SKIP if data == 1 else data

    @node
    async def once(data: Json) -> Json:
        attempts.append(data)
        if len(attempts) < 3:
            raise NodeError("No.")
        return data

    @node
    async def stream(data: list[Json]) -> AsyncIterator[Json]:
        yield data[1]

    nodes = [give, hole, once, stream]
    plan = plan_of(
        nodes,
        {"g": "give", "h": "hole", "o": "once", "s": "stream"},
        [("g.output", "h.data"), ("h.output", "o.data"), ("g.output", "s.data")],
    )
    journal = MemoryJournal()
    first = await execute(plan, journal=journal, run_id="r")
    parts = [event.data["value"] for event in first.events if event.type == "step.partial"]
    assert (first.outputs["s.output"], parts) == ({"n": LARGE}, [{"n": LARGE}])
    assert last_event(first, "h")[1]["outputs"] == {"output": [{"n": LARGE}]}
    attempts.append(None)
    again = await resume("r", catalog=Catalog(nodes), journal=journal)
    assert again.outputs["g.output"] == [1, {"n": LARGE}]
    assert again.outputs["o.output"] == [{"n": LARGE}]
    assert again.outputs["s.output"] == {"n": LARGE}


async def test_value_of_a_lazy_input_is_freed_once_its_reader_has_ended():
    alive: list[weakref.ref[Image]] = []

    @node
    async def paint() -> Image:
        image = Image(asset_id="a")
        alive.append(weakref.ref(image))
        return image

    @node
    async def look(image: Lazy[Image]) -> Text:
        return (await image).asset_id

    @node
    async def check(text: Text) -> Integer:
        gc.collect()
        return sum(ref() is not None for ref in alive)

    plan = plan_of(
        [paint, look, check],
        {"p": "paint", "l": "look", "c": "check"},
        [("p.output", "l.image"), ("l.output", "c.text")],
    )
    result = await execute(plan)
    assert (result.outputs["l.output"], result.outputs["c.output"]) == ("a", 0)
    assert result.outputs["p.output"] == Image(asset_id="a")


async def test_value_that_another_step_still_reads_is_kept():
    made = []

    @node
    async def paint() -> Image:
        made.append(Image(asset_id="a"))
        return made[-1]

    @node
    async def look(image: Image) -> Text:
        return str(image is made[-1])

    @node
    async def later(image: Image, text: Text) -> Text:
        return str(image is made[-1])

    plan = plan_of(
        [paint, look, later],
        {"p": "paint", "l": "look", "m": "later"},
        [("p.output", "l.image"), ("p.output", "m.image"), ("l.output", "m.text")],
    )
    result = await execute(plan)
    assert (result.outputs["l.output"], result.outputs["m.output"]) == ("True", "True")
