"""Estimates of cost and time before a run."""

import math
from typing import Annotated

import pytest

from impasto import Catalog, Integer, Setting, Text, compile, node
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
