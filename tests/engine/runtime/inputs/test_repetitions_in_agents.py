"""Generative steps with equal inputs inside agents that are used twice, in mapped steps, and after a stop."""

import asyncio
from typing import Annotated, Any

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    MemoryCache,
    MemoryJournal,
    NodeError,
    Setting,
    Text,
    compile,
    execute,
    node,
    resume,
)
from impasto.testing import flow_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: Annotated[str, Setting(input=True)]) -> Text:
    return text


@node
async def lines(text: Text) -> list[Text]:
    return text.split()


@node(generative=True)
async def dream(text: Text, *, seed: int | None = None) -> Text:
    calls.append(text)
    return f"{text} {len(calls)}"


@node(subflow="flow")
async def inner(*, flow: Annotated[dict[str, Any] | str, Setting()] = "") -> None:
    raise AssertionError("an agent is laid flat: its node never runs")


CATALOG = Catalog([say, lines, dream, inner])


def dreamer(**settings):
    nodes = {"prompt": "say", "picture": ("dream", settings)}
    return flow_of(nodes, [("prompt.output", "picture.text")]).to_dict()


def twice(flow):
    """An agent that uses another one twice for the same text."""
    nodes = {"prompt": "say", "a": ("inner", {"flow": flow}), "b": ("inner", {"flow": flow})}
    return flow_of(nodes, [("prompt.output", "a.prompt"), ("prompt.output", "b.prompt")])


def over_lines(flow):
    """An agent that uses another one for each word."""
    nodes = {"p": "say", "l": "lines", "a": ("inner", {"flow": flow})}
    return flow_of(nodes, [("p.output", "l.text"), ("l.output", "a.prompt")])


def pictures(result):
    found = [value for name, value in result.outputs.items() if name.endswith("picture.output")]
    return [each for value in found for each in (value if isinstance(value, list) else [value])]


async def test_two_uses_of_an_agent_each_have_a_result_and_later_runs_find_both():
    cache, plan = MemoryCache(), compile(twice(dreamer()), CATALOG)
    first = await execute(plan, {"prompt": "hi"}, cache=cache)
    assert sorted(pictures(first)) == ["hi 1", "hi 2"]
    assert pictures(await execute(plan, {"prompt": "hi"}, cache=cache)) == pictures(first)
    assert len(calls) == 2


async def test_agents_that_use_an_agent_twice_each_have_results():
    cache, plan = MemoryCache(), compile(twice(twice(dreamer()).to_dict()), CATALOG)
    first = await execute(plan, {"prompt": "hi"}, cache=cache)
    assert sorted(pictures(first)) == ["hi 1", "hi 2", "hi 3", "hi 4"]
    assert pictures(await execute(plan, {"prompt": "hi"}, cache=cache)) == pictures(first)
    assert len(calls) == 4


async def test_agent_over_equal_items_has_a_result_for_each():
    cache, plan = MemoryCache(), compile(over_lines(dreamer()), CATALOG)
    first = await execute(plan, {"p": "hi hi tea"}, cache=cache)
    assert len(set(pictures(first))) == len(calls) == 3
    assert pictures(await execute(plan, {"p": "hi hi tea"}, cache=cache)) == pictures(first)
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("flow", "inputs"),
    [(twice(dreamer(seed=7)), {"prompt": "hi"}), (over_lines(dreamer(seed=7)), {"p": "hi hi"})],
    ids=["two uses", "equal items"],
)
async def test_seed_asks_for_the_same_result_in_agents_too(flow, inputs):
    result = await execute(compile(flow, CATALOG), inputs, cache=MemoryCache())
    assert pictures(result) == ["hi 1", "hi 1"]


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize(
    ("flow", "inputs", "count"),
    [
        (twice(dreamer()), {"prompt": "hi"}, 2),
        (twice(twice(dreamer()).to_dict()), {"prompt": "hi"}, 4),
        (over_lines(dreamer()), {"p": "hi hi hi"}, 3),
    ],
    ids=["two uses", "nested uses", "equal items"],
)
async def test_resumed_run_keeps_results_and_repeats_none(flow, inputs, count, failing):
    ordered: list[str] = []

    @node(id="dream", generative=True)
    async def moody(text: Text, *, seed: int | None = None) -> Text:
        ordered.append(text)
        number = len(ordered)
        await asyncio.sleep(0)
        if number == failing:
            raise NodeError("No.")
        return f"{text} {number}"

    catalog = Catalog([say, lines, moody, inner])
    cache, journal = MemoryCache(), MemoryJournal()
    plan = compile(flow, catalog)
    first = await execute(plan, inputs, cache=cache, journal=journal, run_id="r")
    assert first.status == ("failed" if failing <= count else "finished")
    found = pictures(await resume("r", catalog=catalog, cache=cache, journal=journal))
    assert len(found) == len(set(found)) == count
    assert set(pictures(first)) <= set(found)
