"""What a function returned is held against its annotation, and is the same fresh and reused."""

import math

import pytest

from impasto import Json, MemoryCache, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


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
async def test_a_result_is_the_same_fresh_and_reused(returned, kept):
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
async def test_a_number_that_is_not_finite_is_refused(returned):
    @node
    async def give() -> Json:
        return returned

    result = await execute(plan_of([give], {"g": "give"}))
    assert result.steps["g"].error.code == "bad_output"
    assert "not finite" in result.steps["g"].error.detail


@pytest.mark.parametrize("kind", ["async", "thread"])
async def test_a_function_that_changes_its_settings_does_not_change_the_next_run(kind):
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
