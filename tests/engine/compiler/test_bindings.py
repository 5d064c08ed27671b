"""How values arrive at inputs that take a list: one value is a list of one, and lists are joined."""

import pytest

from impasto import Any, Json, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def anything(*, count: int) -> Any:
    return "a" if count == 1 else ["a"] * count


@node
async def data(*, count: int) -> Json:
    return "j" if count == 1 else ["j"] * count


@node
async def text() -> Text:
    return "t"


@node
async def texts(*, count: int) -> list[Text]:
    return ["l"] * count


@node
async def nested() -> list[Any]:
    return [["n", "n"], "n"]


@node
async def collect(values: list[Any]) -> Json:
    return values


@node
async def one(value: Any) -> Json:
    return {"value": value}


@pytest.mark.parametrize(
    ("sources", "values"),
    [
        ([("text", {})], ["t"]),
        ([("texts", {"count": 2})], ["l", "l"]),
        ([("texts", {"count": 0})], []),
        ([("anything", {"count": 1})], ["a"]),
        ([("anything", {"count": 2})], ["a", "a"]),
        ([("anything", {"count": 0})], []),
        ([("data", {"count": 1})], ["j"]),
        ([("data", {"count": 3})], ["j", "j", "j"]),
        ([("nested", {})], [["n", "n"], "n"]),
        ([("text", {}), ("texts", {"count": 2}), ("text", {})], ["t", "l", "l", "t"]),
        ([("anything", {"count": 2}), ("text", {})], ["a", "a", "t"]),
        ([("text", {}), ("anything", {"count": 1}), ("data", {"count": 2})], ["t", "a", "j", "j"]),
        ([("nested", {}), ("texts", {"count": 1})], [["n", "n"], "n", "l"]),
    ],
)
async def test_values_of_edges_to_a_list_are_joined_in_order(sources, values):
    nodes = {f"s{number}": source for number, source in enumerate(sources)}
    edges = [(f"{name}.output", "c.values") for name in nodes]
    types = [anything, data, text, texts, nested, collect]
    result = await execute(plan_of(types, {**nodes, "c": "collect"}, edges))
    assert result.outputs["c.output"] == values


@pytest.mark.parametrize(
    ("source", "output"),
    [
        (("texts", {"count": 2}), [{"value": "l"}, {"value": "l"}]),
        (("nested", {}), [{"value": ["n", "n"]}, {"value": "n"}]),
        (("anything", {"count": 2}), {"value": ["a", "a"]}),
    ],
    ids=["list of texts", "list of any", "any that is a list"],
)
async def test_a_step_runs_once_for_each_value_of_an_output_that_is_declared_a_list(source, output):
    plan = plan_of([anything, texts, nested, one], {"s": source, "o": "one"}, [("s.output", "o.value")])
    assert (await execute(plan)).outputs["o.output"] == output
