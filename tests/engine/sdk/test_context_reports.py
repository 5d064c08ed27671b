"""What a node reports through its context, and what it is refused."""

import math
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from impasto import Context, Image, Json, MemoryStore, Text, execute, node
from impasto.errors import NodeError
from impasto.runtime.policies.retry import Backoff
from impasto.testing import plan_of, run_node

pytestmark = pytest.mark.anyio


class Two(NamedTuple):
    first: Text
    second: list[Image]


async def reported(function, kind, **options):
    """The data of the events of one kind that a node reports."""
    ran = await run_node(function, run_id="r", **options)
    return [event.data for event in ran.events if event.type == kind]


async def test_progress_is_a_share_with_a_text():
    @node
    async def work(*, context: Context) -> Text:
        context.progress(-1)
        context.progress(0.25, "A quarter")
        context.progress(1.0, ValueError("odd"))
        context.progress(7, "beyond")
        return ""

    assert await reported(work, "step.progress") == [
        {"fraction": 0.0, "message": ""},
        {"fraction": 0.25, "message": "A quarter"},
        {"fraction": 1.0, "message": "odd"},
        {"fraction": 1.0, "message": "beyond"},
    ]


async def test_parts_name_their_output_and_place():
    image = Image(asset_id="i")

    @node
    async def work(*, context: Context) -> Two:
        context.partial("a")
        context.partial("b", "second")
        context.partial([1], "first", 0)
        context.preview(image, "second", 2)
        context.preview(image)
        return Two("", [])

    shown = {"$type": "Image", "asset_id": "i"}
    found = await reported(work, "step.partial")
    for data in found[3:]:
        data["value"] = {name: data["value"][name] for name in shown}
    assert found == [
        {"port": "first", "delta": "a"},
        {"port": "second", "delta": "b"},
        {"port": "first", "item": [0], "value": [1]},
        {"port": "second", "item": [2], "value": shown},
        {"port": "first", "value": shown},
    ]


async def test_part_of_a_step_without_outputs_is_its_output():
    @node
    async def work(*, context: Context) -> None:
        context.partial("a")

    assert await reported(work, "step.partial") == [{"port": "output", "delta": "a"}]


@pytest.mark.parametrize("method", [None, "edited"])
async def test_generation_is_recorded_as_a_whole(method):
    @node
    async def work(*, context: Context) -> Text:
        settings = {"size": (1, 2)}
        context.record_generation(
            provider="acme", model="m", prompt="p", seed=7, settings=settings, method=method
        )
        return ""

    (finished,) = await reported(work, "step.finished")
    assert finished["made_by"] == {
        "provider": "acme",
        "model": "m",
        "prompt": "p",
        "seed": 7,
        "settings": {"size": [1, 2]},
    } | ({"method": method} if method else {})


@pytest.mark.parametrize("usd", [-0.5, math.nan, math.inf])
async def test_amount_that_is_no_price_is_refused(usd):
    refused = []

    @node
    async def work(*, context: Context) -> Text:
        for act in (context.charge, context.reserve):
            with pytest.raises(ValueError, match="finite number of dollars of at least 0"):
                act(usd)
            refused.append(act)
        with pytest.raises(ValueError, match="finite numbers of units"):
            context.charge(0.5, tokens=math.inf)
        context.charge(0.0, tokens=-1)
        return ""

    (finished,) = await reported(work, "step.finished")
    assert len(refused) == 2
    assert (finished["cost_usd"], finished["units"]) == (0, {"tokens": -1})


async def test_what_a_step_remembers_is_recalled_by_its_key():
    @node
    async def work(*, context: Context) -> Json:
        await context.remember("a", {"n": (1,)})
        with pytest.raises(TypeError, match="remember\\(\\) key must be a str, got 5"):
            await context.remember(5, 1)
        return [await context.recall("a"), await context.recall("b")]

    assert (await run_node(work)).output == [{"n": [1]}, None]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({1}, "set is neither JSON data nor a value type"),
        ([math.nan], "remember() cannot save this value: it holds a number that is not finite"),
        (2**64, "remember() cannot save this value: it holds an integer of more than 64 bits"),
        ({1: 2}, "remember() cannot save this value: it holds an object whose keys are not text"),
    ],
    ids=["set", "nan", "large", "keys"],
)
async def test_value_that_would_not_be_the_same_after_a_crash_is_not_remembered(value, why):
    @node
    async def work(*, context: Context) -> Json:
        with pytest.raises(TypeError) as raised:
            await context.remember("a", value)
        return [str(raised.value), await context.recall("a")]

    assert (await run_node(work)).output == [why, None]


async def test_step_knows_its_run_its_place_and_its_attempt():
    @node
    async def words() -> list[Text]:
        return ["a", "b"]

    @node(retries=1)
    async def work(text: Text, *, context: Context) -> Json:
        if context.attempt == 1:
            raise NodeError("busy", retryable=True)
        extra = context.log.extra
        return [text, context.step, list(context.item), context.run_id, context.attempt, extra]

    plan = plan_of([words, work], {"a": "words", "w": "work"}, [("a.output", "w.text")])
    result = await execute(plan, run_id="r", backoff=Backoff(base=0))
    extra = {"run_id": "r", "step": "w"}
    assert result.outputs["w.output"] == [["a", "w", [0], "r", 2, extra], ["b", "w", [1], "r", 2, extra]]


async def test_callback_is_opened_for_the_run_the_step_and_the_name():
    opened = []

    @asynccontextmanager
    async def open_callback(topic):
        opened.append(topic)
        yield "callback"

    @node
    async def work(*, context: Context) -> Text:
        async with context.callback("job") as callback:
            return callback

    ran = await run_node(work, run_id="r", callbacks=open_callback)
    assert (ran.output, opened) == ("callback", ["r node job"])


async def test_asset_has_its_name_size_and_provenance():
    store = MemoryStore()

    @node
    async def work(*, context: Context) -> Image:
        context.record_generation(provider="acme")
        return await context.store(b"pixels", "image/png", name="cup.png", width=3, height=2, seconds=1.0)

    image = (await run_node(work, store=store, run_id="r")).output
    assert (image.media_type, image.name, image.width, image.height, image.bytes) == (
        "image/png",
        "cup.png",
        3,
        2,
        6,
    )
    origin = store.origins[image.asset_id]
    assert (origin.run_id, origin.step, origin.node_type, origin.inputs) == ("r", "node", "work", ())
    assert (origin.width, origin.height, origin.seconds) == (3, 2, 1.0)
    assert origin.generation["provider"] == "acme"
