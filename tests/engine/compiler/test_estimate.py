"""Estimates of cost and time before a run."""

import math
from typing import Annotated

import pytest

from impasto import Catalog, Integer, Json, Lazy, Setting, Text, compile, execute, node
from impasto.compiler.estimate import Notice, least_usd, step_estimate
from impasto.testing import flow_of, plan_of


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


def test_estimate_adds_dollars_and_takes_the_seconds_of_the_critical_path():
    @node(cost=lambda settings, inputs: {"usd": settings["n"] * 0.1, "seconds": settings["n"]})
    async def work(text: Text, *, n: int = 1) -> Text:
        return text

    plan = plan_of(
        [say, work],
        {"s": "say", "a": ("work", {"n": 2}), "b": ("work", {"n": 5}), "c": "work"},
        [("s.output", "a.text"), ("s.output", "b.text"), ("a.output", "c.text")],
    )
    assert plan.estimate({}) == {"usd": pytest.approx(0.8), "seconds": 5}
    assert plan_of([say], {"s": "say"}).estimate() == {"usd": 0, "seconds": None}
    each = plan.step_estimates()
    assert each["b"] == {"usd": pytest.approx(0.5), "seconds": 5}
    assert "s" not in each


def test_forecast_asks_each_cost_function_once():
    asked = []

    def cost(settings, inputs):
        asked.append(inputs["text"])
        return {"usd": 0.25, "seconds": 2, "provider": "shop"}

    @node(cost=cost)
    async def work(text: Text) -> Text:
        return text

    plan = plan_of([say, work], {"s": "say", "a": "work"}, [("s.output", "a.text")])
    asked.clear()
    forecast = plan.forecast({"s": "hello"})
    assert forecast.total() == {"usd": 0.25, "seconds": 2}
    assert forecast.by_step() == {"a": {"usd": 0.25, "seconds": 2}}
    assert forecast.provider_costs() == {"shop": 0.25}
    assert (forecast.unpriced_steps(), forecast.notices()) == ([], [])
    assert asked == ["hello"]


def test_estimate_propagates_inputs_along_edges():
    @node
    async def how_many(*, value: Annotated[int, Setting(input=True)] = 1) -> Integer:
        return value

    @node
    async def words(*, value: Annotated[list[str], Setting(input=True)] = []) -> list[Text]:  # noqa: B006
        return value

    @node(cost=lambda settings, inputs: {"usd": settings["n"] * 0.1, "seconds": 2, "items": settings["n"]})
    async def draw(*, n: int = 1) -> list[Text]: ...

    @node(cost=lambda settings, inputs: {"usd": 1, "seconds": 3})
    async def film(text: Text) -> Text: ...

    @node(cost=lambda settings, inputs: len(inputs["text"] or "") * 0.01)
    async def speak(text: Text) -> Text: ...

    plan = plan_of(
        [how_many, words, draw, film, speak],
        {"c": "how_many", "w": "words", "p": "draw", "f": "film", "g": "film", "s": "speak"},
        [("c.output", "p.n"), ("p.output", "f.text"), ("w.output", "g.text"), ("c.output", "s.text")],
    )
    assert plan.step_estimates({"c": 4, "w": ["a", "b"]}) == {
        "p": {"usd": pytest.approx(0.4), "seconds": 2},
        "f": {"usd": 4, "seconds": 3},
        "g": {"usd": 2, "seconds": 3},
        "s": {"usd": pytest.approx(0.01), "seconds": None},
    }
    assert plan.estimate({"c": 4, "w": ["a", "b"]})["seconds"] == 5
    assert plan.step_estimates({})["f"]["usd"] == 1
    assert plan.step_estimates({"w": []})["g"]["usd"] == 0


@pytest.mark.parametrize(
    "answer", [{"usd": "much"}, {"items": "three"}, "free", {"usd": math.nan}, {"usd": -3}, [1]]
)
def test_invalid_cost_counts_as_zero(answer):
    @node(cost=lambda settings, inputs: answer)
    async def call() -> Text:
        return ""

    assert compile(flow_of({"a": "call"}), Catalog([call])).estimate()["usd"] == 0.0


def test_notices_of_cost_functions_reach_the_user_once_with_their_step():
    notice = {"code": "slow", "message": "This takes long.", "hint": "Shorten the text."}

    @node(cost=lambda settings, inputs: {"usd": 0, "value": f"{inputs['text']}!"} if inputs["text"] else 0)
    async def shout(text: Text) -> Text:
        return f"{text}!"

    @node(cost=lambda settings, inputs: {"usd": 0, "notices": [notice] if inputs["text"] == "hello!" else []})
    async def work(text: Text) -> Text:
        return text

    plan = plan_of(
        [say, shout, work],
        {"s": "say", "loud": "shout", "a": "work", "b": "work"},
        [("s.output", "loud.text"), ("loud.output", "a.text"), ("loud.output", "b.text")],
    )
    assert plan.notices({"s": "hi"}) == []
    ((step, found),) = plan.notices({"s": "hello"})
    assert (step, found.code, found.message, found.hint) == (
        "a",
        "slow",
        "This takes long.",
        "Shorten the text.",
    )


@pytest.mark.parametrize(
    ("answer", "estimate", "costs", "unpriced"),
    [
        (0.5, {"usd": 0.5, "seconds": None}, {"": 0.5}, []),
        ({"usd": 0.5, "seconds": 3, "provider": "shop"}, {"usd": 0.5, "seconds": 3}, {"shop": 0.5}, []),
        ({"usd": 2, "seconds": None, "provider": None}, {"usd": 2, "seconds": None}, {"": 2}, []),
        ({"seconds": 0}, {"usd": 0, "seconds": 0}, {}, []),
        ({"seconds": -1}, {"usd": 0, "seconds": 0}, {}, []),
        ({"usd": math.inf, "seconds": 1}, {"usd": 0, "seconds": 1}, {}, []),
        ({"seconds": 1, "closed": [["output"]]}, {"usd": 0, "seconds": 1}, {}, []),
        ({"usd": None}, None, {}, ["a"]),
        ({}, None, {}, []),
        (None, None, {}, []),
        (0, None, {}, []),
    ],
    ids=str,
)
def test_answer_of_a_cost_function_is_read_as_a_whole(answer, estimate, costs, unpriced):
    @node(cost=lambda settings, inputs: answer)
    async def call() -> Text: ...

    plan = plan_of([call], {"a": "call"})
    assert plan.step_estimates() == ({} if estimate is None else {"a": estimate})
    assert (plan.provider_costs(), plan.unpriced_steps()) == (costs, unpriced)
    usd, seconds = (0, None) if estimate is None else estimate.values()
    assert plan.estimate() == {"usd": usd, "seconds": seconds}
    assert step_estimate(plan.steps[0], {}, {}) == (usd, seconds)


@pytest.mark.parametrize(
    ("answer", "usd"),
    [({"usd": 1}, 1), ({"usd": 1, "at_least": 0.25}, 0.25), ({"usd": 1, "at_least": 2}, 1), (0.5, 0.5)],
    ids=str,
)
def test_step_starts_with_the_least_that_it_can_do_with(answer, usd):
    @node(cost=lambda settings, inputs: answer)
    async def call() -> Text: ...

    assert least_usd(plan_of([call], {"a": "call"}).steps[0], {}, {}) == usd


def test_dollars_of_providers_add_up_and_their_sum_is_rounded():
    @node(cost=lambda settings, inputs: {"usd": settings["usd"], "provider": settings["by"]})
    async def call(*, usd: float, by: str = "") -> Text: ...

    steps = [(0.1, "a"), (0.2, "a"), (0.1234567, "b"), (0.5, "")]
    nodes = {f"n{at}": ("call", {"usd": usd, "by": by}) for at, (usd, by) in enumerate(steps)}
    plan = plan_of([call], nodes)
    assert plan.estimate() == {"usd": 0.923457, "seconds": None}
    assert plan.provider_costs() == {"a": pytest.approx(0.3), "b": 0.1234567, "": 0.5}


def test_notices_have_what_the_cost_function_says():
    first = {"code": "a", "message": "A.", "hint": "Do.", "settings": {"size": 2, "on": True}}

    @node(cost=lambda settings, inputs: {"notices": [first, {"code": "b", "message": settings["text"]}]})
    async def call(*, text: str) -> Text: ...

    nodes = {"x": ("call", {"text": "B."}), "y": ("call", {"text": "C."})}
    assert plan_of([call], nodes).notices() == [
        ("x", Notice("a", "A.", "Do.", (("size", 2), ("on", True)))),
        ("x", Notice("b", "B.", "", ())),
        ("y", Notice("b", "C.", "", ())),
    ]


@pytest.mark.parametrize(
    ("given", "usd"), [(3, 3), (7, 2), (None, 2)], ids=["fits", "is refused", "is not known"]
)
def test_setting_that_an_edge_drives_has_the_value_that_is_expected(given, usd):
    @node(cost=lambda settings, inputs: {} if given is None else {"value": given})
    async def decide() -> Integer: ...

    @node(cost=lambda settings, inputs: settings["times"])
    async def work(*, times: Annotated[int, Setting(le=5)] = 1) -> Text: ...

    plan = plan_of([decide, work], {"d": "decide", "w": ("work", {"times": 2})}, [("d.output", "w.times")])
    assert plan.estimate()["usd"] == usd


def test_values_arrive_as_a_run_would_convert_them():
    seen = []

    @node(cost=lambda settings, inputs: seen.append(inputs))
    async def read(data: Json = None, texts: list[Text] = [], *more: Text) -> Text: ...  # noqa: B006

    edges = [("s.output", f"r.{port}") for port in ("data", "texts", "more")]
    plan = plan_of([say, read], {"s": "say", "r": "read"}, edges)
    for text in ("[1]", "{"):
        plan.estimate({"s": text})
    assert seen == [
        {"data": [1], "texts": ["[1]"], "more": ["[1]"]},
        {"data": None, "texts": ["{"], "more": ["{"]},
    ]
    seen.clear()
    plan_of([read], {"r": "read"}).estimate()
    assert seen == [{"data": None, "texts": None, "more": None}]


def test_lists_of_unknown_values_are_as_long_and_as_deep_as_those_that_arrive():
    seen = []

    @node(cost=lambda settings, inputs: {"items": settings["n"]})
    async def draw(text: Text = "", *, n: int) -> list[Text]: ...

    @node(cost=lambda settings, inputs: seen.append(inputs["texts"]))
    async def read(texts: list[list[Text]]) -> Text: ...

    @node(cost=lambda settings, inputs: seen.append(inputs["texts"]))
    async def join(texts: list[Text]) -> Text: ...

    types = [draw, read, join]
    nodes = {"a": ("draw", {"n": 2}), "b": ("draw", {"n": 3})}
    plan_of(types, {**nodes, "r": "read"}, [("a.output", "b.text"), ("b.output", "r.texts")]).estimate()
    plan_of(types, {**nodes, "r": "read"}, [("a.output", "r.texts"), ("b.output", "r.texts")]).estimate()
    plan_of(types, {"a": ("draw", {"n": -1}), "r": "join"}, [("a.output", "r.texts")]).estimate()
    assert seen == [[[None] * 3] * 2, None, []]


def test_steps_that_a_run_skips_with_a_disabled_one_cost_nothing():
    @node(cost=1)
    async def work(text: Text, *, size: int = 1) -> Text: ...

    @node(cost=10)
    async def mix(first: Text = "", second: Text = "", later: Lazy[Text] = None) -> Text: ...

    @node(cost=100)
    async def resize(text: Text = "", *, size: int) -> Integer: ...

    @node
    async def measure(text: Text) -> Integer: ...

    nodes = {"s": "say", "off": "work", "m": "measure"}
    nodes |= {
        "needs": "work",
        "all": "mix",
        "some": "mix",
        "lazily": "mix",
        "driven": "resize",
        "own": "work",
        "held": ("resize", {"size": 2}),
        "alone": ("resize", {"size": 2}),
    }
    edges = [
        ("s.output", "off.text"), ("off.output", "m.text"), ("off.output", "needs.text"),
        ("needs.output", "all.first"), ("off.output", "all.second"),
        ("off.output", "some.first"), ("s.output", "some.second"),
        ("off.output", "lazily.later"), ("off.output", "lazily.first"),
        ("m.output", "driven.size"),
        ("m.output", "own.size"), ("s.output", "own.text"),
        ("m.output", "held.size"), ("s.output", "held.text"), ("m.output", "alone.size"),
    ]  # fmt: skip
    flow, catalog = flow_of(nodes, edges), Catalog([say, work, mix, resize, measure])
    assert {*compile(flow, catalog).step_estimates()} == {*nodes} - {"s", "m"}
    flow.node("off").mode = "disabled"
    plan = compile(flow, catalog)
    assert plan.step_estimates() == {
        "some": {"usd": 10, "seconds": None},
        "lazily": {"usd": 10, "seconds": None},
        "own": {"usd": 1, "seconds": None},
        "held": {"usd": 100, "seconds": None},
    }
    assert plan.estimate() == {"usd": 121, "seconds": None}


@pytest.mark.anyio
async def test_estimate_leaves_out_exactly_the_steps_that_a_run_skips():
    @node(cost=1)
    async def work(text: Text, other: Text = "", *, size: int = 1) -> Text:
        return text

    @node(cost=1)
    async def gather(*texts: Text) -> Text:
        return "".join(texts)

    @node(cost=1)
    async def count(text: Text = "") -> Integer:
        return len(text)

    nodes = {"s": "say", "off": "work", "a": "work", "b": "work", "c": "gather", "d": "gather", "e": "count",
             "f": "work", "g": "count"}  # fmt: skip
    edges = [
        ("s.output", "off.text"), ("off.output", "a.text"), ("s.output", "b.text"), ("off.output", "b.other"),
        ("off.output", "c.texts"), ("s.output", "c.texts"), ("off.output", "d.texts"),
        ("a.output", "d.texts"), ("d.output", "e.text"), ("b.output", "f.text"), ("e.output", "f.size"),
        ("f.output", "g.text"),
    ]  # fmt: skip
    flow = flow_of(nodes, edges)
    flow.node("off").mode = "disabled"
    plan = compile(flow, Catalog([say, work, gather, count]))
    ran = {name for name, step in (await execute(plan)).steps.items() if step.status == "finished"}
    assert {*plan.step_estimates()} == ran - {"s"} == {"b", "c", "f", "g"}
