import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    Integer,
    MemoryCache,
    MemoryJournal,
    NodeError,
    Text,
    compile,
    execute,
    node,
    resume,
)
from impasto.testing import flow_of, plan_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: str = "hi") -> Text:
    return text


@node
async def trim(text: Text) -> Text:
    return text.strip()


@node(generative=True)
async def dream(text: Text) -> Text:
    calls.append(f"dream {text}")
    return f"{text} {len(calls)}"


NODES = [say, trim, dream]
TWO_DREAMS = {"p": "say", "a": "dream", "b": "dream"}
TWO_DREAM_EDGES = [("p.output", "a.text"), ("p.output", "b.text")]


def dreams(result):
    return [result.outputs["a.output"], result.outputs["b.output"]]


@pytest.mark.parametrize("reuse", ["changed", "pure", "none"])
async def test_equal_generative_steps_each_have_a_result(reuse):
    plan = plan_of(NODES, TWO_DREAMS, TWO_DREAM_EDGES)
    for cache in (None, MemoryCache()):
        calls.clear()
        result = await execute(plan, cache=cache, reuse=reuse)
        assert dreams(result) == ["hi 1", "hi 2"]
        assert not any(result.steps[name].cached for name in "ab")


async def test_later_run_finds_the_result_of_each_equal_generative_step():
    cache = MemoryCache()
    plan = plan_of(NODES, TWO_DREAMS, TWO_DREAM_EDGES)
    first = await execute(plan, cache=cache)
    calls.clear()
    assert dreams(await execute(plan, cache=cache)) == dreams(first)
    alone = await execute(plan, cache=cache, targets=["b"])
    assert alone.outputs["b.output"] == first.outputs["b.output"]
    assert calls == []
    renamed = plan_of(
        NODES, {"p": "say", "c": "dream", "d": "dream"}, [("p.output", f"{n}.text") for n in "cd"]
    )
    other = await execute(renamed, cache=cache)
    assert [other.outputs[f"{name}.output"] for name in "cd"] == dreams(first)
    new = await execute(plan, cache=cache, fresh=["a"])
    assert calls == ["dream hi"]
    assert (new.outputs["a.output"], new.outputs["b.output"]) == ("hi 1", first.outputs["b.output"])


async def test_generative_steps_whose_inputs_turn_out_equal_each_have_a_result():
    cache = MemoryCache()
    nodes = {"p": "say", "q": ("say", {"text": " hi "}), "t": "trim", "a": "dream", "b": "dream"}
    plan = plan_of(NODES, nodes, [("p.output", "a.text"), ("q.output", "t.text"), ("t.output", "b.text")])
    first = await execute(plan, cache=cache)
    assert len(set(dreams(first))) == 2
    assert dreams(await execute(plan, cache=cache)) == dreams(first)


async def test_equal_items_of_a_generative_step_each_have_a_result():
    @node
    async def three() -> list[Text]:
        return ["hi", "hi", "tea"]

    cache = MemoryCache()
    plan = plan_of([three, dream], {"p": "three", "d": "dream"}, [("p.output", "d.text")])
    first = await execute(plan, cache=cache)
    assert sorted(calls) == ["dream hi", "dream hi", "dream tea"]
    assert len(set(first.outputs["d.output"])) == 3
    assert (await execute(plan, cache=cache)).outputs == first.outputs
    assert len(calls) == 3


async def test_equal_generative_steps_with_a_seed_share_a_result():
    @node(generative=True)
    async def paint(text: Text, *, seed: int | None = None) -> Text:
        calls.append("paint")
        return f"{text} {len(calls)}"

    nodes = {"p": "say", "a": ("paint", {"seed": 7}), "b": ("paint", {"seed": 7})}
    result = await execute(plan_of([say, paint], nodes, TWO_DREAM_EDGES))
    assert dreams(result) == ["hi 1", "hi 1"]
    result = await execute(plan_of(NODES, TWO_DREAMS, TWO_DREAM_EDGES), seed=7)
    assert len(set(dreams(result))) == 1


@pytest.mark.parametrize("source", ["say", "number"], ids=["as it comes", "converted"])
async def test_resumed_run_gives_an_equal_generative_step_a_result_of_its_own(source):
    cache, journal = MemoryCache(), MemoryJournal()
    attempts = []

    @node
    async def number() -> Integer:
        return 5

    @node(generative=True)
    async def moody(text: Text) -> Text:
        attempts.append(text)
        if len(attempts) == 2:
            raise NodeError("No.")
        return f"{text} {len(attempts)}"

    said = {"say": ("say", {"text": "5"}), "number": "number"}[source]
    nodes = {"p": said, "q": ("say", {"text": " 5 "}), "t": "trim", "a": "moody", "b": "moody"}
    edges = [("p.output", "a.text"), ("q.output", "t.text"), ("t.output", "b.text")]
    catalog = Catalog([say, trim, number, moody])
    first = await execute(compile(flow_of(nodes, edges), catalog), cache=cache, journal=journal, run_id="r")
    assert [first.steps[name].status for name in "ab"] == ["finished", "failed"]
    assert dreams(await resume("r", catalog=catalog, cache=cache, journal=journal)) == ["5 1", "5 3"]
