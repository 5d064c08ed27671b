"""Nodes that collect, flatten, pair, filter, sort and take items of lists."""

import pytest

from impasto import Catalog, Image, NodeError, Text, compile, execute, node
from impasto.testing import flow_of, run_node
from impasto_nodes.control import collect, filter_list, flatten, pair, sort, take

pytestmark = pytest.mark.anyio


@node
async def variants() -> list[Text]:
    return ["a", "b"]


@node
async def formats(variant: Text) -> list[Text]:
    return [f"{variant}1", f"{variant}2", f"{variant}3"]


async def collected(how):
    nodes = {"v": "variants", "f": "formats", "c": ("collect", {"how": how})}
    edges = [("v.output", "f.variant"), ("f.output", "c.items"), ("v.output", "c.items")]
    result = await execute(compile(flow_of(nodes, edges), Catalog([variants, formats, collect])))
    return result.outputs["c.output"]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("flatten", ["a1", "a2", "a3", "b1", "b2", "b3", "a", "b"]),
        ("zip", ["a1", "a", "a2", "b", "a3", "b1", "b2", "b3"]),
        ("group", [["a1", "a2", "a3", "b1", "b2", "b3"], ["a", "b"]]),
    ],
)
async def test_collect_takes_lists_of_lists_beside_lists(how, expected):
    assert await collected(how) == expected


async def test_flatten_and_pair():
    done = await run_node(flatten, {"lists": [[1, 2], [], [3]]})
    assert done.outputs == {"output": [1, 2, 3]}
    done = await run_node(pair, {"first": ["a", "b", "c"], "second": [1, 2]})
    assert done.outputs == {"first": ["a", "b"], "second": [1, 2]}
    done = await run_node(pair, {"first": ["a", "b"], "second": [1, 2]}, {"how": "every combination"})
    assert done.outputs == {"first": ["a", "a", "b", "b"], "second": [1, 2, 1, 2]}


async def test_filter_keeps_items_by_their_own_text_or_by_another_list():
    items = ["red car", "blue car", "red bike"]
    done = await run_node(filter_list, {"items": items}, {"value": "red"})
    assert done.outputs == {"output": ["red car", "red bike"]}
    done = await run_node(filter_list, {"items": items}, {"value": "red", "invert": True})
    assert done.outputs == {"output": ["blue car"]}
    by = {"items": items, "by": [1, 5, 3]}
    done = await run_node(filter_list, by, {"match": "greater than", "value": "2"})
    assert done.outputs == {"output": ["blue car", "red bike"]}
    for node_type in (filter_list, sort):
        with pytest.raises(NodeError) as refused:
            await run_node(node_type, {"items": items, "by": [1, 2]})
        assert refused.value.code == "length_mismatch"
        assert refused.value.message == (
            "'By' has 2 values for 3 items. Connect a list with one for each item."
        )
    done = await run_node(filter_list, {"items": ["a", None, " "]}, {"match": "is empty"})
    assert done.outputs == {"output": [None, " "]}
    exact = {"value": "Red", "same_case": True}
    done = await run_node(filter_list, {"items": ["red", "Red"]}, exact)
    assert done.outputs == {"output": ["Red"]}


async def test_sort_takes_finite_numbers_alone_as_numbers():
    items = ["b", "NaN", "1,5", "a", "Infinity", "1.25", "2"]
    done = await run_node(sort, {"items": items})
    assert done.outputs == {"output": ["1.25", "1,5", "2", "a", "b", "Infinity", "NaN"]}


async def test_sort_is_numeric_before_alphabetic_and_stable():
    done = await run_node(sort, {"items": ["10", "B", "9", "a", "-2.5", "C"]})
    assert done.outputs == {"output": ["-2.5", "9", "10", "a", "B", "C"]}
    done = await run_node(sort, {"items": ["x", "y", "z"], "by": [1, 2, 2]}, {"order": "descending"})
    assert done.outputs == {"output": ["y", "z", "x"]}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [1]),
        ({"count": 2, "skip": 1}, [2, 3]),
        ({"count": 2, "side": "end"}, [3, 4]),
        ({"count": 2, "side": "end", "skip": 1}, [2, 3]),
        ({"count": 9}, [1, 2, 3, 4]),
        ({"count": 0}, []),
        ({"count": 9, "side": "end"}, [1, 2, 3, 4]),
        ({"count": 2, "side": "end", "skip": 9}, []),
    ],
)
async def test_take_counts_from_either_side(settings, expected):
    done = await run_node(take, {"items": [1, 2, 3, 4]}, settings)
    assert done.outputs == {"output": expected}


async def test_collect_takes_lists_eight_deep_beside_single_values():
    @node
    async def deep() -> list[list[list[list[list[list[list[list[Text]]]]]]]]:
        return [[[[[[[["a"]]]], [[[["b"]]]]]]]]

    @node
    async def flat() -> Text:
        return "c"

    edges = [("d.output", "c.items"), ("f.output", "c.items")]
    plan = compile(flow_of({"d": "deep", "f": "flat", "c": "collect"}, edges), Catalog([deep, flat, collect]))
    assert (await execute(plan)).outputs["c.output"] == ["a", "b", "c"]


async def test_collected_images_enter_a_node_once_per_image():
    @node
    async def draw() -> list[Image]: ...

    @node
    async def shrink(image: Image) -> list[Image]: ...

    @node
    async def look(image: Image) -> Text: ...

    nodes = {"d": "draw", "s": "shrink", "c": "collect", "l": "look"}
    edges = [
        ("d.output", "s.image"),
        ("s.output", "c.items"),
        ("d.output", "c.items"),
        ("c.output", "l.image"),
    ]
    plan = compile(flow_of(nodes, edges), Catalog([draw, shrink, look, collect]))
    assert {step.id: step.fan_out for step in plan.steps} == {"d": 0, "s": 1, "c": 0, "l": 1}
