"""Outputs are checked against their annotation, and are equal fresh and reused."""

import math
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.runtime.run_nodes import FAST

from impasto import Integer, Json, Lazy, MemoryCache, NodeError, Text, execute, node
from impasto.events import Event
from impasto.hashing import parse_json
from impasto.runtime.step_output import output_from_value as read
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def give() -> Json:
    return None


@pytest.mark.parametrize(
    ("returned", "kept"),
    [
        ({1: 2}, {"1": 2}),
        ({"pair": (1, 2)}, {"pair": [1, 2]}),
        ([1, [2, (3,)]], [1, [2, [3]]]),
        ({"n": 2**80}, {"n": 2**80}),
        (-(2**70), -(2**70)),
    ],
)
async def test_output_is_equal_fresh_and_reused(returned, kept):
    @node
    async def give() -> Json:
        return returned

    plan, cache = plan_of([give], {"g": "give"}), MemoryCache()
    fresh = await execute(plan, cache=cache, reuse="changed")
    reused = await execute(plan, cache=cache, reuse="changed")
    assert reused.steps["g"].cached
    assert fresh.outputs["g.output"] == reused.outputs["g.output"] == kept
    assert repr(fresh.outputs["g.output"]) == repr(reused.outputs["g.output"])


@pytest.mark.parametrize("returned", [math.nan, -math.inf, {"deep": [1, math.nan]}])
async def test_number_that_is_not_finite_is_refused(returned):
    @node
    async def give() -> Json:
        return returned

    result = await execute(plan_of([give], {"g": "give"}))
    assert result.steps["g"].error.code == "bad_output"
    assert "not finite" in result.steps["g"].error.detail


@pytest.mark.parametrize("kind", ["async", "thread"])
async def test_mutated_setting_does_not_affect_the_next_run(kind):
    def grow(words: list[str]) -> str:
        words.append("more")
        return " ".join(words)

    @node(id="grow")
    async def grow_async(*, words: list[str]) -> Text:
        return grow(words)

    @node(id="grow")
    def grow_thread(*, words: list[str]) -> Text:
        return grow(words)

    plan = plan_of([grow_async if kind == "async" else grow_thread], {"g": ("grow", {"words": ["once"]})})
    assert [(await execute(plan)).outputs["g.output"] for _ in range(2)] == ["once more", "once more"]


@pytest.mark.parametrize("size", [0, 5000])
@pytest.mark.parametrize("kind", ["async", "thread", "fanned out", "lazy"])
async def test_mutated_input_does_not_affect_other_readers(kind, size):
    given = {"deep": [1, 2, *[0] * size]}

    def spoil(data: dict[str, list[int]]) -> int:
        data["deep"].append(9)
        return sum(data.pop("deep"))

    @node
    async def give() -> Json:
        return given

    @node
    async def gives() -> list[Json]:
        return [given]

    @node(id="spoil_async")
    async def spoil_async(data: Json) -> Integer:
        return spoil(data)

    @node(id="spoil_thread")
    def spoil_thread(data: Json) -> Integer:
        return spoil(data)

    @node(id="spoil_lazy")
    async def spoil_lazy(data: Lazy[Json]) -> Integer:
        return spoil(await data)

    @node
    async def look(data: Json, after: Json) -> Json:
        return data

    source = "gives" if kind == "fanned out" else "give"
    spoiler = "spoil_async" if kind == "fanned out" else f"spoil_{kind}"
    plan = plan_of(
        [give, gives, spoil_async, spoil_thread, spoil_lazy, look],
        {"g": source, "s": spoiler, "l": "look"},
        [("g.output", "s.data"), ("g.output", "l.data"), ("s.output", "l.after")],
    )
    cache = MemoryCache()
    for _ in range(2):
        result = await execute(plan, cache=cache)
        assert result.outputs["s.output"] == ([12] if kind == "fanned out" else 12)
        assert result.outputs["l.output"] == ([given] if kind == "fanned out" else given)
    assert given["deep"][:3] == [1, 2, 0][: len(given["deep"])]


async def test_each_attempt_gets_unmodified_arguments():
    seen = []

    @node
    async def give() -> list[Text]:
        return ["a"]

    @node(retries=2)
    async def greedy(words: list[Text], driven: list[Text], *, more: list[str], edge: list[str]) -> Integer:
        seen.append((words.pop(), driven.pop(), more.pop(), edge.pop()))
        if len(seen) < 3:
            raise NodeError("busy", retryable=True)
        return len(seen)

    plan = plan_of(
        [give, greedy],
        {"g": "give", "x": ("greedy", {"more": ["m"]})},
        [("g.output", "x.words"), ("g.output", "x.driven"), ("g.output", "x.edge")],
    )
    assert (await execute(plan, backoff=FAST)).outputs["x.output"] == 3
    assert seen == [("a", "a", "m", "a")] * 3


async def test_result_mutated_after_return_is_not_seen():
    kept = []

    @node
    async def history(*, n: int) -> list[Integer]:
        kept.append(n)
        return kept

    @node
    async def count(items: list[Integer], after: list[Integer]) -> Integer:
        return len(items)

    plan = plan_of(
        [history, count],
        {"a": ("history", {"n": 1}), "b": ("history", {"n": 2}), "c": "count"},
        [("a.output", "c.items"), ("b.output", "c.after")],
    )
    assert (await execute(plan)).outputs["c.output"] == 1


async def test_small_output_uses_little_memory():
    @node
    async def number(*, n: int) -> Json:
        return {"v": n}

    plan = plan_of([number], {f"n{index}": ("number", {"n": index}) for index in range(500)})
    await execute(plan)
    tracemalloc.start()
    try:
        result = await execute(plan)
        taken = tracemalloc.get_traced_memory()[0] / len(result.steps)
    finally:
        tracemalloc.stop()
    assert taken < 2000  # bytes per step, events included


async def test_small_event_uses_little_memory():
    events = [Event("r", 1, 0.0, "step.progress", "a", {"fraction": 0.5, "message": ""}) for _ in range(500)]
    tracemalloc.start()
    try:
        bodies = [event.body for event in events]
        taken = tracemalloc.get_traced_memory()[0] / len(bodies)
    finally:
        tracemalloc.stop()
    assert taken < 500


NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text(st.characters(codec="utf-8"))


@given(
    st.recursive(st.booleans() | NUMBERS | WORDS, lambda each: st.lists(each) | st.dictionaries(WORDS, each))
)
def test_every_reader_gets_the_value_that_the_journal_returns(value):
    returned = {"kept": value}
    outcome = read(plan_of([give], {"g": "give"}).steps[0].type, returned)
    read_by_each = [outcome.value(0, {}) for _ in range(3)]
    assert [repr(each) for each in read_by_each] == [repr(parse_json(outcome.blobs[0]))] * 3
    assert len({id(each) for each in read_by_each}) == 3  # each reader has its own copy
