"""Results of earlier runs are reused where a step and its inputs have not changed."""

import asyncio
import json
from typing import Annotated, NamedTuple

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    SKIP,
    Catalog,
    Context,
    DiskCache,
    Flow,
    Image,
    MemoryCache,
    MemoryStore,
    NodeError,
    Setting,
    Text,
    compile,
    execute,
    node,
)
from impasto.testing import flow_of, plan_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    calls.append(f"say {text}")
    return text


@node
async def trim(text: Text, *, name: str = "") -> Text:
    calls.append(f"trim {text}")
    return text.strip()


@node
async def shout(text: Text, *, times: int = 1, extra: dict[str, int] | None = None) -> Text:
    calls.append(f"shout {text}")
    return text.upper() * times


@node(generative=True)
async def dream(text: Text) -> Text:
    calls.append(f"dream {text}")
    return f"{text} {len(calls)}"


class Branches(NamedTuple):
    yes: Text
    no: Text


@node
async def branch(text: Text, *, which: bool) -> Branches:
    return Branches(text, SKIP) if which else Branches(SKIP, text)


NODES = [say, trim, shout, dream]
CHAIN = {"p": "say", "t": "trim", "s": "shout", "u": ("shout", {"times": 2})}
EDGES = [("p.output", "t.text"), ("t.output", "s.text"), ("s.output", "u.text")]


async def test_unchanged_run_reuses_everything_and_costs_nothing():
    cache = MemoryCache()
    plan = plan_of(NODES, CHAIN, EDGES)
    first = await execute(plan, cache=cache)
    calls.clear()
    second = await execute(plan, cache=cache)
    assert calls == []
    assert all(
        step.cached and step.status == "finished" and step.cost_usd == 0 for step in second.steps.values()
    )
    assert dict(second.outputs) == dict(first.outputs)


async def test_changed_setting_runs_exactly_the_dependants():
    cache = MemoryCache()
    await execute(plan_of(NODES, CHAIN, EDGES), cache=cache)
    calls.clear()
    changed = {**CHAIN, "s": ("shout", {"times": 3})}
    result = await execute(plan_of(NODES, changed, EDGES), cache=cache)
    assert calls == ["shout hi", "shout HIHIHI"]
    assert {name: step.cached for name, step in result.steps.items()} == {
        "p": True,
        "t": True,
        "s": False,
        "u": False,
    }


async def test_unchanged_output_stops_the_propagation():
    cache = MemoryCache()
    plan = plan_of(NODES, CHAIN, EDGES)
    await execute(plan, {"p": "tea"}, cache=cache)
    calls.clear()
    await execute(plan, {"p": " tea "}, cache=cache)
    assert calls == ["say  tea ", "trim  tea "]


async def test_keys_ignore_ids_titles_positions_canvas_and_order():
    cache = MemoryCache()
    document = flow_of(
        {"p": "say", "s": ("shout", {"times": 1, "extra": {"a": 1, "b": 2}})}, [("p.output", "s.text")]
    ).to_dict()
    await execute(compile(document, Catalog(NODES)), cache=cache)
    calls.clear()
    other = json.loads(json.dumps(document).replace('"p', '"q').replace('"qosition', '"position'))
    other["nodes"].reverse()
    other["nodes"][0].update(title="Other", position={"x": 3, "y": 4}, settings={"extra": {"b": 2, "a": 1}})
    other["canvas"] = {"notes": ["x"]}
    result = await execute(compile(Flow.parse(other), Catalog(NODES)), cache=cache)
    assert (calls, result.status) == ([], "finished")


async def test_key_depends_on_the_node_version():
    cache = MemoryCache()
    ran = []

    def versioned(number):
        @node(id="v", version=number)
        async def v() -> Text:
            ran.append(number)
            return "same"

        return v

    for number in (1, 1, 2):
        await execute(plan_of([versioned(number)], {"v": "v"}), cache=cache)
    assert ran == [1, 2]


async def test_reuse_modes_and_fresh_select_which_steps_run():
    cache = MemoryCache()
    plan = plan_of(
        NODES, {"p": "say", "t": "trim", "d": "dream"}, [("p.output", "t.text"), ("t.output", "d.text")]
    )
    await execute(plan, cache=cache)
    for options, expected in (
        ({"reuse": "changed"}, []),
        ({"reuse": "pure"}, ["dream hi"]),
        ({"reuse": "none"}, ["say hi", "trim hi", "dream hi"]),
        ({"fresh": ["t"]}, ["trim hi"]),
    ):
        calls.clear()
        await execute(plan, cache=cache, **options)
        assert calls == expected, options


async def test_later_runs_reuse_the_newest_result():
    cache = MemoryCache()
    plan = plan_of(NODES, {"p": "say", "d": "dream"}, [("p.output", "d.text")])
    await execute(plan, cache=cache)
    fresh = await execute(plan, cache=cache, fresh=["d"])
    later = await execute(plan, cache=cache)
    assert later.outputs["d.output"] == fresh.outputs["d.output"]


async def test_equal_steps_in_one_run_run_once():
    plan = plan_of(
        NODES,
        {"p": "say", "a": "shout", "b": "shout", "c": ("shout", {"times": 1})},
        [("p.output", f"{n}.text") for n in "abc"],
    )
    result = await execute(plan)
    assert calls == ["say hi", "shout hi"]
    assert [result.steps[name].cached for name in "abc"] == [False, True, True]
    assert [result.outputs[f"{name}.output"] for name in "abc"] == ["HI"] * 3


async def test_equal_steps_running_at_once_run_once():
    started = asyncio.Event()
    release = asyncio.Event()

    @node
    async def slow(text: Text) -> Text:
        calls.append("slow")
        started.set()
        await release.wait()
        return text

    plan = plan_of(
        [say, slow], {"p": "say", "a": "slow", "b": "slow"}, [("p.output", "a.text"), ("p.output", "b.text")]
    )
    cache = MemoryCache()
    runs = asyncio.gather(*(execute(plan, cache=cache) for _ in range(3)))
    await started.wait()
    release.set()
    for result in await runs:
        assert (result.status, result.outputs["b.output"]) == ("finished", "hi")
    assert calls.count("slow") == 1
    assert cache.inflight == {}


@node
async def either(yes: Text = "", no: Text = "") -> Text:
    return f"yes {yes}" if yes else f"no {no}"


async def test_the_same_value_at_another_input_is_another_result():
    cache, flow = MemoryCache(), {"p": "say", "b": "branch", "e": "either"}
    edges = [("p.output", "b.text"), ("b.yes", "e.yes"), ("b.no", "e.no")]
    for which, text in ((True, "yes hi"), (False, "no hi")):
        plan = plan_of([say, branch, either], {**flow, "b": ("branch", {"which": which})}, edges)
        assert (await execute(plan, cache=cache)).outputs["e.output"] == text


async def test_failure_is_not_cached():
    cache = MemoryCache()

    @node
    async def moody() -> Text:
        calls.append("moody")
        if len(calls) == 1:
            raise NodeError("No.")
        return "yes"

    plan = plan_of([moody], {"m": "moody"})
    assert [(await execute(plan, cache=cache)).status for _ in range(2)] == ["failed", "finished"]


async def test_seed_and_fingerprint_are_in_the_key_where_declared():
    cache = MemoryCache()
    world = {"tide": "low"}

    @node(seeded=True)
    async def roll(*, context: Context) -> Text:
        calls.append("roll")
        return str(context.seed)

    @node(fingerprint=lambda settings: world["tide"])
    async def watch(*, context: Context) -> Text:
        calls.append("watch")
        return context.fingerprint

    plan = plan_of([roll, watch], {"r": "roll", "w": "watch"})
    first = await execute(plan, cache=cache, seed=1)
    await execute(plan, cache=cache, seed=1)
    assert calls == ["roll", "watch"]
    second = await execute(plan, cache=cache, seed=2)
    assert first.outputs["r.output"] != second.outputs["r.output"]
    world["tide"] = "high"
    assert (await execute(plan, cache=cache, seed=1)).outputs["w.output"] == "high"
    assert calls == ["roll", "watch", "roll", "watch"]


async def test_assets_count_by_content_in_the_key():
    cache, store = MemoryCache(), MemoryStore()

    @node
    async def paint(*, name: str, context: Context) -> Image:
        return await context.store(b"same bytes", "image/png", name=name)

    @node
    async def look(image: Image) -> Text:
        calls.append("look")
        return image.media_type

    for name in ("one", "two"):
        plan = plan_of(
            [paint, look], {"p": ("paint", {"name": name}), "l": "look"}, [("p.output", "l.image")]
        )
        await execute(plan, cache=cache, store=store)
    assert calls == ["look"]


async def test_cached_result_whose_asset_is_missing_is_computed_again():
    cache, store = MemoryCache(), MemoryStore()

    @node
    async def paint(*, context: Context) -> Image:
        calls.append("paint")
        return await context.store(b"bytes", "image/png")

    plan = plan_of([paint], {"p": "paint"})
    await execute(plan, cache=cache, store=store)
    store.assets.clear()
    await execute(plan, cache=cache, store=store)
    assert calls == ["paint", "paint"]


async def test_disk_cache_survives_its_process(tmp_path):
    plan = plan_of(NODES, CHAIN, EDGES)
    await execute(plan, cache=DiskCache(tmp_path))
    calls.clear()
    result = await execute(plan, cache=DiskCache(tmp_path))
    assert (calls, result.outputs["u.output"]) == ([], "HIHI")


async def test_cache_write_error_does_not_affect_the_run(caplog):
    class Full(MemoryCache):
        async def put(self, key, outputs):
            raise OSError("disk full")

    result = await execute(plan_of(NODES, CHAIN, EDGES), cache=Full())
    assert result.status == "finished"
    assert "Failed to cache the output" in caplog.text


@pytest.mark.parametrize("answer", [OSError("no such host"), b"", b"junk", b"[1]", b'{"other":1}'])
async def test_invalid_cache_entry_is_ignored(answer):
    class Odd(MemoryCache):
        async def get(self, key):
            if isinstance(answer, OSError):
                raise answer
            return answer

    result = await execute(plan_of(NODES, CHAIN, EDGES), cache=Odd())
    assert (result.status, result.outputs["u.output"]) == ("finished", "HIHI")


@pytest.mark.parametrize("view", [bytearray, memoryview])
async def test_cache_may_return_a_memory_view(view):
    class Viewing(MemoryCache):
        async def get(self, key):
            found = self.peek(key)
            return view(found) if found is not None else None

    plan, cache = plan_of(NODES, CHAIN, EDGES), Viewing()
    await execute(plan, cache=cache)
    calls.clear()
    result = await execute(plan, cache=cache)
    assert (calls, result.outputs["u.output"]) == ([], "HIHI")


async def test_generative_steps_get_a_new_seed_each_run_and_others_the_same():
    seeds = []

    @node(generative=True)
    async def draw(*, context: Context) -> Text:
        seeds.append(context.seed)
        return ""

    plan = plan_of([draw], {"d": "draw"})
    await execute(plan)
    await execute(plan)
    await execute(plan, seed=5)
    await execute(plan, seed=5)
    assert seeds[0] != seeds[1]
    assert seeds[2] == seeds[3]


@node
async def sketch(text: Text, *, context: Context) -> list[Image]:
    return [await context.store(f"{text} {number}".encode(), "image/png") for number in range(2)]


@node
async def frame(picture: Image, *, context: Context) -> Image:
    return await context.store(b"framed " + await context.read(picture), "image/png")


@node
async def hang(pictures: list[Image], label: Text) -> Text:
    return f"{label}: {', '.join(picture.media_type for picture in pictures)}"


async def test_reused_items_are_decoded_for_the_next_step():
    nodes = {"p": "say", "k": "sketch", "f": "frame", "l": "dream", "h": "hang"}
    edges = [("p.output", "k.text"), ("k.output", "f.picture"), ("p.output", "l.text")]
    edges += [("f.output", "h.pictures"), ("l.output", "h.label")]
    plan = compile(flow_of(nodes, edges), Catalog([say, sketch, frame, dream, hang]))
    cache, store = MemoryCache(), MemoryStore()
    await execute(plan, reuse="changed", cache=cache, store=store)
    again = await execute(plan, fresh=["l"], reuse="changed", cache=cache, store=store)
    assert again.status == "finished"
    assert (again.steps["f"].cached, again.steps["h"].cached) == (True, False)
    assert again.outputs["h.output"].endswith(": image/png, image/png")
