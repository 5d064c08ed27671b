"""Regenerating single items of a fanned-out step, or of a list that one call returns."""

import asyncio
import itertools
from typing import NamedTuple

import orjson
import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    Context,
    DiskCache,
    InputsInvalid,
    MemoryCache,
    MemoryJournal,
    Text,
    execute,
    node,
    resume,
    start,
)
from impasto.testing import FakeContext, plan_of

pytestmark = pytest.mark.anyio
count = itertools.count()


@pytest.fixture(params=["memory", "disk"])
def cache(request, tmp_path):
    return MemoryCache() if request.param == "memory" else DiskCache(tmp_path)


@node
async def words() -> list[Text]:
    return ["sun", "sea", "sky"]


@node(generative=True)
async def paint(text: Text) -> Text:
    calls.append(text)
    return f"{text} {next(count)}"


@node(generative=True)
async def paint_all(*, n: int = 3, context: Context) -> list[Text]:
    kept = context.kept() or [None] * n
    calls.append(kept.count(None))
    return [f"picture {next(count)}" if one is None else one for one in kept]


@node(generative=True)
async def paint_around(text: Text, *, context: Context) -> list[Text]:
    kept = context.kept() or [None] * 2
    calls.append((text, kept.count(None)))
    return [f"{text} {next(count)}" if one is None else one for one in kept]


@node
async def frame(text: Text) -> Text:
    calls.append("frame")
    return f"[{text}]"


NODES = [words, paint, paint_all, paint_around, frame]
FANNED_OUT = plan_of(
    NODES, {"w": "words", "p": "paint", "f": "frame"}, [("w.output", "p.text"), ("p.output", "f.text")]
)
LISTED = plan_of(NODES, {"p": "paint_all", "f": "frame"}, [("p.output", "f.text")])
NESTED = plan_of(NODES, {"w": "words", "p": "paint_around"}, [("w.output", "p.text")])


async def test_one_item_of_a_fanned_out_step_is_regenerated(cache):
    before = (await execute(FANNED_OUT, cache=cache)).outputs["f.output"]
    calls.clear()
    result = await execute(FANNED_OUT, cache=cache, fresh=["p#1"])
    after = result.outputs["f.output"]
    assert calls == ["sea", "frame"]
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1] != before[1]
    assert after == (await execute(FANNED_OUT, cache=cache)).outputs["f.output"]


async def test_one_item_of_a_returned_list_is_regenerated(cache):
    before = (await execute(LISTED, cache=cache)).outputs["f.output"]
    calls.clear()
    after = (await execute(LISTED, cache=cache, fresh=["p#0", "p#2"])).outputs["f.output"]
    assert calls == [2, "frame", "frame"]
    assert after[1] == before[1]
    assert after[0] != before[0]
    assert after[2] != before[2]
    assert after == (await execute(LISTED, cache=cache)).outputs["f.output"]


async def test_one_item_of_a_list_returned_for_an_item_is_regenerated(cache):
    plan, at = NESTED, "p.output"
    before = (await execute(plan, cache=cache)).outputs[at]
    calls.clear()
    after = (await execute(plan, cache=cache, fresh=["p#2.1"])).outputs[at]
    assert calls == [("sky", 1)]
    assert (after[:2], after[2][0]) == (before[:2], before[2][0])
    assert after[2][1] != before[2][1]
    calls.clear()
    await execute(plan, cache=cache, fresh=["p#0"])
    assert calls == [("sun", 2)]


async def test_cache_is_asked_once_per_step():
    class Counting(MemoryCache):
        def peek(self, key):
            looked.append(key)
            return super().peek(key)

    looked: list[str] = []
    cache = Counting()
    await execute(FANNED_OUT, cache=cache)
    looked.clear()
    await execute(FANNED_OUT, cache=cache, fresh=["p#1"])
    assert len(looked) == len(set(looked))


async def test_position_outside_the_list_regenerates_nothing(cache):
    before = await execute(LISTED, cache=cache)
    calls.clear()
    after = await execute(LISTED, cache=cache, fresh=["p#7"])
    assert calls == []
    assert after.outputs == before.outputs


async def test_without_an_earlier_result_every_item_is_generated(cache):
    await execute(LISTED, cache=cache, fresh=["p#1"])
    assert calls == [3, "frame", "frame", "frame"]
    calls.clear()
    await execute(LISTED, fresh=["p#1"])
    assert calls == [3, "frame", "frame", "frame"]


async def test_fresh_step_keeps_no_items(cache):
    await execute(LISTED, cache=cache)
    for options in ({"fresh": ["p", "p#1"]}, {"fresh": ["p#1"], "reuse": "pure"}):
        calls.clear()
        await execute(LISTED, cache=cache, **options)
        assert calls[0] == 3, options


async def test_step_of_which_an_item_runs_again_does_not_take_the_output_of_an_equal_step(cache):
    @node
    async def listed(*, context: Context) -> list[Text]:
        calls.append(context.kept())
        return [one or f"word {next(count)}" for one in context.kept() or [None, None]]

    plan = plan_of([listed], {"a": "listed", "b": "listed"})
    first = await execute(plan, cache=cache)
    assert calls == [None]
    again = await execute(plan, cache=cache, fresh=["b#0"])
    before, after = first.outputs["a.output"], again.outputs["b.output"]
    assert calls == [None, [None, before[1]]]
    assert (again.outputs["a.output"], after[1], after[0] != before[0]) == (before, before[1], True)


async def test_two_runs_that_regenerate_an_item_each_compute_it(cache):
    await execute(LISTED, cache=cache)
    results = await asyncio.gather(*(execute(LISTED, cache=cache, fresh=["p#1"]) for _ in range(2)))
    one, other = (result.outputs["p.output"][1] for result in results)
    assert one != other


async def test_resume_remembers_which_items_to_regenerate(cache):
    held, journal = asyncio.Event(), MemoryJournal()

    @node(generative=True)
    async def slowly(*, context: Context) -> list[Text]:
        kept = context.kept()
        calls.append(kept)
        if kept and not held.is_set():
            held.set()
            await asyncio.Event().wait()
        return [one or f"picture {next(count)}" for one in kept or [None, None]]

    plan = plan_of([slowly], {"s": "slowly"})
    first = (await execute(plan, cache=cache)).outputs["s.output"]
    run = await start(plan, cache=cache, journal=journal, run_id="r", fresh=["s#0"]).begin()
    await held.wait()
    await run.abandon()
    after = (await resume("r", catalog=Catalog([slowly]), journal=journal, cache=cache)).outputs["s.output"]
    assert calls == [None, [None, first[1]], [None, first[1]]]
    assert (after[0] != first[0], after[1]) == (True, first[1])


@pytest.mark.parametrize("name", ["q#1", "p#", "p#one", "p#1.", "p#-1", "#1", "p#1#2", "p#١"])
async def test_invalid_item_name_is_refused(name):
    with pytest.raises(InputsInvalid, match="no node"):
        await execute(LISTED, fresh=[name])


async def test_node_id_that_looks_like_an_item_name_means_the_node(cache):
    plan = plan_of(NODES, {"p": "paint_all", "p#1": "paint_all"})
    await execute(plan, cache=cache)
    calls.clear()
    await execute(plan, cache=cache, fresh=["p#1"])
    assert calls == [3]


class Pair(NamedTuple):
    pictures: list[Text]
    names: list[Text]


async def test_each_port_keeps_its_own_list(cache):
    @node(generative=True)
    async def both(*, context: Context) -> Pair:
        pictures = context.kept("pictures") or [None, None]
        names = context.kept("names") or [None, None]
        calls.append((pictures, names))
        return Pair([one or f"p{next(count)}" for one in pictures], [one or "n" for one in names])

    plan = plan_of([both], {"b": "both"})
    first = await execute(plan, cache=cache)
    calls.clear()
    await execute(plan, cache=cache, fresh=["b#1"])
    assert calls == [([first.outputs["b.pictures"][0], None], ["n", None])]


async def test_fake_context_returns_the_earlier_list():
    context = FakeContext()
    assert context.kept() is None
    context.earlier = ["a", None]
    assert (await paint_all(context=context))[0] == "a"


def outputs_of(result, *steps):
    """The outputs of an earlier run, in the form of the option `earlier`."""
    return {step: orjson.dumps({"output": result.outputs[f"{step}.output"]}) for step in steps}


@pytest.mark.parametrize(
    ("plan", "steps"),
    [(FANNED_OUT, ("w", "p")), (LISTED, ("p",)), (NESTED, ("w", "p"))],
    ids=["fanned out", "listed", "nested"],
)
async def test_regeneration_keeps_the_other_items_of_the_run_it_is_based_on(cache, plan, steps):
    first = await execute(plan, cache=cache, targets=steps)
    second = await execute(plan, cache=cache, targets=steps, fresh=["p"])
    assert first.outputs["p.output"] != second.outputs["p.output"]
    again = await execute(plan, cache=cache, targets=steps, fresh=["p#1"], earlier=outputs_of(first, *steps))
    before, after = first.outputs["p.output"], again.outputs["p.output"]
    assert [after[0], after[2:]] == [before[0], before[2:]]
    assert after[1] != before[1]
