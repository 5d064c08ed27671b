"""How values arrive at inputs that take a list: one value is a list of one, and lists are joined."""

import pytest

from impasto import Any, FlowInvalid, Integer, Json, Lazy, Text, execute, node
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


@node
async def later(value: Lazy[Text]) -> Text:
    return await value


@pytest.mark.parametrize(
    ("sources", "target", "message"),
    [
        (
            ["nested", "text"],
            "c.values",
            "Type mismatch: list[list[Any]] cannot be used as list[Any], from 's0.output' to 'c.values'.",
        ),
        (
            ["text", "nested"],
            "c.values",
            "Type mismatch: list[list[Any]] cannot be used as list[Any], from 's1.output' to 'c.values'.",
        ),
        (
            [("texts", {"count": 1})],
            "l.value",
            "Type mismatch: list[Text] cannot be used as Text, from 's0.output' to 'l.value'.",
        ),
    ],
    ids=["gathered first", "gathered last", "lazy"],
)
async def test_a_deeper_list_does_not_reach_an_input_that_takes_a_whole(sources, target, message):
    @node(id="nested")
    async def deeper() -> list[list[Any]]:
        return []

    nodes = {f"s{number}": source for number, source in enumerate(sources)} | {"c": "collect", "l": "later"}
    edges = [(f"s{number}.output", target) for number in range(len(sources))]
    with pytest.raises(FlowInvalid) as raised:
        plan_of([text, texts, deeper, collect, later], nodes, edges)
    found = next(each for each in raised.value.problems if each.code == "wrong_type")
    hint = "This input takes a list as a whole. Put a node that works on single items between them."
    assert (found.message, found.hint, found.node, found.port) == (message, hint, *target.split("."))


async def test_problems_of_edges_say_which_to_keep():
    @node
    async def single(value: Text, *, size: int = 1) -> Text:
        return value

    @node
    async def number() -> Integer:
        return 1

    many = {f"s{at}": "text" for at in range(7)}
    edges = [(f"{name}.output", "o.value") for name in many]
    edges += [("n.output", "o.size"), ("n.output", "o.size")]
    edges += [(f"s{at}.output", "p.value") for at in range(5)]
    nodes = {**many, "n": "number", "o": "single", "p": "single", "q": "single"}
    with pytest.raises(FlowInvalid) as raised:
        plan_of([text, number, single], nodes, edges)
    assert [(each.message, each.port or each.setting, each.hint) for each in raised.value.problems] == [
        ("The input 'value' of node 'q' is not connected.", "value", "Connect an output that gives Text."),
        (
            "The input 'value' of node 'o' has 7 edges: 's0.output' and 's1.output' and 's2.output' and "
            "'s3.output' and 's4.output' and 2 more.",
            "value",
            "Keep one of them.",
        ),
        ("The setting 'size' of node 'o' has 2 edges.", "size", "Keep one of them."),
        (
            "The input 'value' of node 'p' has 5 edges: 's0.output' and 's1.output' and 's2.output' and "
            "'s3.output' and 's4.output'.",
            "value",
            "Keep one of them.",
        ),
    ]


async def test_value_into_a_setting_has_its_type():
    @node
    async def resized(*, size: int = 1, rows: list[int] = [], either: int | str = 1) -> Text:  # noqa: B006
        return f"{size} {rows} {either}"

    @node
    async def number() -> Integer:
        return 7

    types = [text, texts, number, resized]
    nodes = {"n": "number", "t": "text", "l": ("texts", {"count": 1}), "r": "resized"}
    for source, setting, given, goal in (
        ("t", "size", "Text", "Integer"),
        ("t", "rows", "Text", "list[Integer]"),
        ("l", "rows", "list[Text]", "list[Integer]"),
    ):
        with pytest.raises(FlowInvalid) as raised:
            plan_of(types, nodes, [(f"{source}.output", f"r.{setting}")])
        assert [each.message for each in raised.value.problems] == [
            f"Type mismatch: {given} cannot be used as {goal}, from '{source}.output' to 'r.{setting}'."
        ]
    edges = [("n.output", "r.size"), ("n.output", "r.rows"), ("t.output", "r.either")]
    assert (await execute(plan_of(types, nodes, edges))).outputs["r.output"] == "7 [7] t"
