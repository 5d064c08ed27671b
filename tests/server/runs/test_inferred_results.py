"""Results of a run whose document does not compile today, from the outputs of its steps."""

from typing import Any

import pytest

from impasto_server.runs.launch.planned_results import planned_results
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import Step

pytestmark = pytest.mark.anyio
IMAGE = {"$type": "Image", "asset_id": "a1"}


def node(node_id: str, **about: Any) -> dict[str, Any]:
    return {"id": node_id, "type": "of a plugin that is gone", **about}


def edge(one: str, other: str) -> dict[str, str]:
    return {"from": f"{one}.output", "to": f"{other}.text"}


async def inferred(
    app_state: Any,
    nodes: list[dict[str, Any]],
    outputs: dict[str, dict[str, Any]],
    edges: list[dict[str, str]] | None = None,
    subflows: dict[str, Any] | None = None,
) -> list[tuple[Any, ...]]:
    document = {"format": 1, "nodes": nodes, **({} if edges is None else {"edges": edges})}
    row = RunRow(id="run", owner_id="mara", document=document, subflows=subflows or {}, targets=None)
    steps = [
        Step(id=name, node_type="", title=f"Step {name}", status="finished", outputs=values)
        for name, values in outputs.items()
    ]
    found = await planned_results(app_state, row, steps)
    return [tuple(each[name] for name in ("node", "port", "type", "list", "title")) for each in found]


async def test_results_are_the_outputs_that_no_edge_takes_elsewhere(app_state: Any) -> None:
    nodes = [
        node("a"), node("b", title="Poster"), node("c", result=False), node("d", result=True), node("e"),
        node("x.y"), node("not_run"), node("empty"),
    ]  # fmt: skip
    edges = [edge("a", "b"), edge("d", "e"), {"from": "x.y.out.put", "to": "b.text"}]
    outputs = {name: {"output": f"text {name}"} for name in ("a", "b", "c", "d", "e", "x.y")}
    outputs["empty"] = {}
    expected = [
        ("b", "output", "Text", False, "Poster"),
        ("d", "output", "Text", False, "Step d"),
        ("e", "output", "Text", False, "Step e"),
    ]
    assert await inferred(app_state, nodes, outputs, edges) == [
        *expected,
        ("x.y", "output", "Text", False, "Step x.y"),
    ]
    edges[2] = {"from": "x.y.output", "to": "b.text"}
    assert await inferred(app_state, nodes, outputs, edges) == expected
    assert await inferred(app_state, [node("a")], {"a": {"output": 1}}) == [
        ("a", "output", "Integer", False, "Step a")
    ]


async def test_type_of_a_result_is_that_of_its_value(app_state: Any) -> None:
    values: dict[str, tuple[Any, str, bool]] = {
        "text": ("a", "Text", False), "whole": (1, "Integer", False), "number": (1.5, "Number", False),
        "yes": (True, "Boolean", False), "nothing": (None, "Json", False), "image": (IMAGE, "Image", False),
        "data": ({"a": 1}, "Json", False), "texts": (["a", None, "b"], "Text", True),
        "images": ([IMAGE, IMAGE], "Image", True), "mixed": (["a", 1], "Json", False),
        "rows": ([{"a": 1}], "Json", False), "empty": ([], "Json", False), "nested": ([["a"]], "Text", True),
    }  # fmt: skip
    outputs = {name: value for name, (value, _, _) in values.items()}
    found = await inferred(app_state, [node("a", title="All")], {"a": outputs | {"two_words": "x"}})
    assert {port: (kind, is_list) for _, port, kind, is_list, _ in found} == {
        **{name: (kind, is_list) for name, (_, kind, is_list) in values.items()},
        "two_words": ("Text", False),
    }
    assert [title for *_, title in found][-1] == "All: Two words"
    two = await inferred(app_state, [node("a")], {"a": {"one": "x", "other": "y"}})
    assert [title for *_, title in two] == ["Step a: One", "Step a: Other"]


async def test_results_of_agents_are_those_of_their_steps_under_their_title(app_state: Any) -> None:
    inner = {"nodes": [node("x", title="Inner"), node("y")], "edges": [edge("x", "y")]}
    nodes = [
        node("saved", settings={"flow": "f1"}, title="Posters"),
        node("versioned", settings={"text": "t", "flow": "f2", "version": 3}),
        node("inline", settings={"flow": inner}),
        node("unknown", settings={"flow": "gone"}),
        node("bare"),
    ]
    outputs = {f"{name}/y": {"output": "a"} for name in ("saved", "versioned", "inline", "unknown", "bare")}
    outputs["saved/x"] = {"output": "b"}
    found = await inferred(app_state, nodes, outputs, [], {"f1": inner, "f2@3": inner})
    assert found == [
        ("saved/y", "output", "Text", False, "Posters"),
        ("versioned/y", "output", "Text", False, "Step versioned/y"),
        ("inline/y", "output", "Text", False, "Step inline/y"),
    ]


async def test_results_that_the_row_holds_are_not_computed(app_state: Any) -> None:
    planned: list[Any] = [{"node": "a"}]
    assert await planned_results(app_state, RunRow(planned_results=planned), []) == planned
    assert await planned_results(app_state, RunRow(planned_results=[]), []) == []
