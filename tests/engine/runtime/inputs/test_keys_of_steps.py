"""What makes two calls the same one, such as seeds and lazy inputs, and inputs that do not fit."""

from typing import Annotated, NamedTuple

import pytest
from tests.engine.runtime.run_nodes import calls, say

from impasto import (
    SKIP,
    Any,
    Context,
    InputUnavailable,
    Json,
    Lazy,
    MemoryCache,
    NodeError,
    Number,
    Setting,
    Text,
    execute,
    node,
)
from impasto.cache.keys import LIST_END, LIST_START, NO_VALUE, short_digest
from impasto.hashing import digest
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Sides(NamedTuple):
    left: Text
    right: Text


@node
async def sides(*, left: str = "l", right: str = "r") -> Sides:
    calls.append("sides")
    return Sides(left, right)


@node
async def first(text: Lazy[Text]) -> Text:
    calls.append("first")
    return await text


@node
async def first_of(texts: Lazy[list[Text]]) -> Text:
    calls.append("first_of")
    return ",".join(await texts)


async def test_fingerprint_may_be_awaited_and_is_known_to_the_function():
    world = {"tide": 1}

    async def tide(settings):
        return world["tide"] + settings["n"]

    @node(fingerprint=tide)
    async def watch(*, n: Annotated[int, Setting(input=True)] = 1, context: Context) -> Text:
        calls.append("watch")
        return context.fingerprint

    cache, plan = MemoryCache(), plan_of([watch], {"w": "watch"})
    assert (await execute(plan, cache=cache)).outputs["w.output"] == "2"
    assert (await execute(plan, cache=cache)).steps["w"].cached
    assert (await execute(plan, {"w": 5}, cache=cache)).outputs["w.output"] == "6"
    world["tide"] = 3
    assert (await execute(plan, cache=cache)).outputs["w.output"] == "4"
    assert calls == ["watch"] * 3


async def test_step_whose_fingerprint_fails_fails_alone():
    def broken(settings):
        raise NodeError("No tide.", code="no_tide")

    @node(fingerprint=broken)
    async def watch() -> Text:
        return ""

    result = await execute(plan_of([say, watch], {"w": "watch", "s": "say"}))
    assert (result.steps["w"].error.code, result.outputs) == ("no_tide", {"s.output": "hi"})
    assert [event.type for event in result.events if event.step == "w"] == ["step.queued", "step.failed"]


async def test_seed_of_the_run_matters_to_steps_that_ask_for_it_alone():
    @node(seeded=True)
    async def roll(*, context: Context) -> Text:
        calls.append("roll")
        return str(context.seed)

    @node
    async def plain() -> Text:
        calls.append("plain")
        return ""

    plan, cache = plan_of([roll, plain], {"r": "roll", "p": "plain"}), MemoryCache()
    for seed in (None, 1, 2, 1, None):
        await execute(plan, cache=cache, seed=seed)
    assert calls == ["roll", "plain", "roll", "roll"]


@pytest.mark.parametrize("kind", ["first", "first_of"])
async def test_lazy_input_from_another_port_or_source_is_another_call(kind):
    cache, port = MemoryCache(), "text" if kind == "first" else "texts"
    nodes = {"a": "sides", "b": ("sides", {"left": "other"}), "f": kind}
    wirings = [["a.left"], ["a.right"], ["b.left"]] + ([["a.left", "b.left"]] if kind == "first_of" else [])
    found = []
    for _ in range(2):
        for wiring in wirings:
            plan = plan_of([sides, first, first_of], nodes, [(edge, f"f.{port}") for edge in wiring])
            result = await execute(plan, cache=cache, targets=["f"])
            found.append((result.outputs["f.output"], result.steps["f"].cached))
    values = ["l", "r", "other", "l,other"][: len(wirings)]
    assert found == [(value, False) for value in values] + [(value, True) for value in values]


async def test_lazy_input_depends_on_the_runs_inputs():
    cache = MemoryCache()
    plan = plan_of([say, first], {"s": "say", "f": "first"}, [("s.output", "f.text")])
    given = [None, {"s": "tea"}, None, {"s": "tea"}]
    results = [await execute(plan, each, cache=cache) for each in given]
    assert [result.outputs["f.output"] for result in results] == ["hi", "tea", "hi", "tea"]
    assert [result.steps["f"].cached for result in results] == [False, False, True, True]


@node
async def give(*, value: Annotated[Json, Setting(input=True)] = None) -> Any:
    return value


@node
async def half(number: Number) -> Number:
    return number / 2


@node
async def parsed(data: Json) -> Json:
    return data


@pytest.mark.parametrize(
    ("value", "edge", "why"),
    [
        ("three", "h.number", "expected Number, got str"),
        ([1], "h.number", "expected Number, got list"),
        (None, "h.number", "expected Number, got NoneType"),
    ],
)
async def test_value_that_cannot_be_converted_is_named_with_its_input(value, edge, why):
    plan = plan_of([give, half], {"g": "give", "h": "half"}, [("g.output", edge)])
    error = (await execute(plan, {"g": value})).steps["h"].error
    assert (error.code, error.message) == ("conversion_failed", f"The value for 'number' does not fit: {why}")
    assert (await execute(plan, {"g": 3})).outputs["h.output"] == 1.5


async def test_text_that_is_no_json_is_named_with_its_input():
    plan = plan_of([say, parsed], {"s": "say", "p": "parsed"}, [("s.output", "p.data")])
    error = (await execute(plan, {"s": "{"})).steps["p"].error
    assert error.message.startswith("The value for 'data' does not fit: the text is not JSON (")
    assert (await execute(plan, {"s": '{"a":1}'})).outputs["p.output"] == {"a": 1}


@node
async def closed() -> Text:
    return SKIP


@node
async def broken() -> Text:
    raise NodeError("No.")


@node
async def passed(text: Text) -> Text:
    return text


@pytest.mark.parametrize(
    ("feeder", "because", "reason"),
    [
        ("closed", "x", "closed"),
        ("broken", "x", "failed"),
        ("passed", "y", "closed"),
        ("passed", "y", "failed"),
    ],
)
async def test_node_may_go_on_without_a_lazy_input_and_knows_why_it_is_missing(feeder, because, reason):
    found = []

    @node
    async def careful(text: Lazy[Text]) -> Text:
        try:
            return await text
        except InputUnavailable as error:
            found.append((error.message, error.because, error.reason))
            return "without"

    source = {"closed": "closed", "failed": "broken"}[reason]
    nodes = {"x": feeder, "c": "careful"}
    edges = [("x.output", "c.text")]
    if feeder == "passed":
        nodes["y"] = source
        edges.append(("y.output", "x.text"))
    result = await execute(plan_of([closed, broken, passed, careful], nodes, edges))
    assert result.outputs["c.output"] == "without"
    sentence = f"The input 'text' has no value: step '{because}' was {reason}."
    assert found == [(sentence, because, reason)]


class Noting(MemoryCache):
    """A cache that notes the keys under which it is given the outputs, by the output's JSON."""

    def __init__(self):
        super().__init__()
        self.keys: dict[str, str] = {}

    async def put(self, key, outputs):
        self.keys[outputs.decode()] = key
        await super().put(key, outputs)


@node
async def joined(words: list[Text], more: list[Text], one: Text, two: Text = "", *, seed: int = 0) -> Text:
    return ",".join([*words, "|", *more, "|", one])


@node
async def words() -> list[Text]:
    return ["z", "z"]


@node(seeded=True)
async def rolled(text: Text, data: Json = None) -> Text:
    return f"rolled {text}"


@node(generative=True)
async def dream(text: Text) -> Text:
    calls.append("dream")
    return f"dream {len(calls)}"


async def test_key_is_made_of_the_settings_and_of_each_input_in_order():
    plan = plan_of(
        [say, joined, rolled, dream],
        {
            "a": ("say", {"text": "a"}),
            "b": ("say", {"text": "b"}),
            "c": ("say", {"text": "c" * 40}),
            "j": "joined",
            "r": "rolled",
        },
        [
            ("a.output", "j.words"),
            ("b.output", "j.words"),
            ("c.output", "j.more"),
            ("a.output", "j.one"),
            ("b.output", "r.text"),
        ],
    )
    cache = Noting()
    await execute(plan, cache=cache, seed=5)
    statics = {step.id: step.static for step in plan.steps}
    a, b, c = b'"a"\0', b'"b"\0', short_digest(b'"%s"' % (b"c" * 40))
    lists = LIST_START + a + b + LIST_END + LIST_START + c + LIST_END
    long = "c" * 40
    assert cache.keys == {
        '{"output":"a"}': digest(statics["a"]).hex(),
        '{"output":"b"}': digest(statics["b"]).hex(),
        f'{{"output":"{long}"}}': digest(statics["c"]).hex(),
        f'{{"output":"a,b,|,{long},|,a"}}': digest(statics["j"] + lists + a + NO_VALUE).hex(),
        '{"output":"rolled b"}': digest(statics["r"] + b + NO_VALUE + digest(b"seed 5")).hex(),
    }


async def test_key_of_a_repeated_generative_call_has_its_number():
    nodes = {"a": ("say", {"text": "a"}), "b": "words", "d": "dream", "e": "dream", "f": "dream"}
    plan = plan_of(
        [say, words, dream],
        nodes,
        [("a.output", "d.text"), ("a.output", "e.text"), ("b.output", "f.text")],
    )
    cache = Noting()
    result = await execute(plan, cache=cache, max_concurrency=1)
    static = next(step.static for step in plan.steps if step.id == "d")
    numbered = digest(static + b"\0repetition 1")
    a, z = b'"a"\0', b'"z"\0'

    def key_of(output):
        return cache.keys[f'{{"output":"{output}"}}']

    assert key_of(result.outputs["d.output"]) == digest(static + a).hex()
    assert key_of(result.outputs["e.output"]) == digest(numbered + a).hex()
    first, second = result.outputs["f.output"]
    assert key_of(first) == digest(static + z).hex()
    assert key_of(second) == digest(static + z + b"\0repetition 1").hex()
