"""Events and their JSON."""

import orjson
import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import SKIP, Context, Integer, MemoryCache, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def dear(text: Text, *, context: Context) -> Text:
    context.charge(0.25, tokens=3)
    context.made_by(provider="acme", model="m1")
    return f'"{text}" \u00fc'


@node
async def odd(number: Integer) -> Text:
    return SKIP if number % 2 == 0 else str(number)


@node
async def numbers() -> list[Integer]:
    return [1, 2, 3]


async def test_event_body_equals_its_data():
    plan = plan_of(
        [*NODES, dear, odd, numbers],
        {"p": "say", "d": "dear", "n": "numbers", "o": "odd"},
        [("p.output", "d.text"), ("n.output", "o.number")],
    )
    cache = MemoryCache()
    for _ in range(2):
        result = await execute(plan, cache=cache)
        assert result.status == "finished"
        for event in result.events:
            assert orjson.loads(event.body) == event.data


async def test_event_data_is_the_same_before_and_after_serialization():
    plan = plan_of([*NODES, dear], {"p": "say", "d": "dear"}, [("p.output", "d.text")])
    result = await execute(plan)
    finished = next(event for event in result.events if event.type == "step.finished" and event.step == "d")
    assert finished.data["outputs"] == {"output": '"hi" ü'}
    assert (finished.data["cost_usd"], finished.data["units"]) == (0.25, {"tokens": 3})
    assert finished.data["made_by"]["provider"] == "acme"
