"""Compiled flow documents."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import orjson
from tests.server.sample_nodes import agent_node, flow, sample_catalog

from impasto import Audio, Catalog, Image, Json, Setting, Text, node
from impasto_nodes.inputs import mask
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.operations import Operations
from impasto_server.flows.compilation import compile_document, launch_estimate_of
from impasto_server.flows.schemas import Estimate, LaunchEstimate, Notice, StepCost

LIMITS = FlowLimits(nodes=10, edges=10, steps=10, settings_bytes=1000, setting_values=100, setting_depth=10)


class Answer(NamedTuple):
    """A text, and the same content as JSON."""

    output: Text
    data: Json


@node
async def answer() -> Answer:
    """Return a text and JSON."""
    return Answer("one", {"words": 1})


@node
async def report() -> Json:
    """Return JSON only."""
    return {"words": 1}


def test_json_beside_text_of_same_node_is_not_a_kind() -> None:
    catalog = Catalog([answer, report])
    both = {"format": 1, "nodes": [{"id": "a", "type": "answer"}], "edges": []}
    assert compile_document(both, catalog, {}).kinds == ["text"]
    with_report = {**both, "nodes": [*both["nodes"], {"id": "r", "type": "report"}]}
    assert compile_document(with_report, catalog, {}).kinds == ["text", "data"]


@node(category="inputs")
async def photos(*, images: Annotated[list[Image], Setting(input=True)] = []) -> list[Image]:  # noqa: B006
    """The images that the user uploads."""
    return images


@node(category="inputs")
async def song(*, audio: Annotated[Audio | None, Setting(input=True)] = None) -> Audio | None:
    """The audio that the user uploads."""
    return audio


def test_files_that_a_launch_may_give_have_kinds() -> None:
    catalog = Catalog([answer, photos, song])
    nodes = [{"id": name, "type": name} for name in ("song", "photos", "answer")]
    assert compile_document({"format": 1, "nodes": nodes, "edges": []}, catalog, {}).takes == [
        "image",
        "audio",
    ]
    assert compile_document({"format": 1, "nodes": nodes[2:], "edges": []}, catalog, {}).takes == []


def test_masks_are_a_kind_of_result_and_of_file() -> None:
    catalog = Catalog([mask])
    compiled = compile_document({"format": 1, "nodes": [{"id": "area", "type": "mask"}]}, catalog, {})
    assert (compiled.kinds, compiled.takes) == (["mask"], ["mask"])


def test_cost_functions_are_asked_once_for_each_row_of_a_table() -> None:
    asked: list[str] = []

    def cost(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> float:
        asked.append(settings["text"])
        return 0.25

    @node(category="inputs", cost=cost)
    async def ask(*, text: Annotated[str, Setting(input=True)] = "none") -> Text:
        return text

    document = {"format": 1, "nodes": [{"id": "a", "type": "ask"}], "edges": []}
    operations = Operations(Catalog([ask]), LIMITS)
    header = {"key": "one", "flow_id": None, "targets": None, "configured": None, "fresh": []}
    rows = [{"a": "red"}, {"a": "blue"}]
    parts = [orjson.dumps(part) for part in (document, {}, rows)]
    operations.inputs(header, parts)
    asked.clear()
    (answer,) = operations.inputs(header, parts)
    assert asked == ["red", "blue"]
    assert [row["provider_costs"] for row in orjson.loads(answer)["rows"]] == [{"": 0.25}] * 2


def unknown_price(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    notice = {"code": "length", "message": "At most 8 s.", "hint": "Ask for 8 s.", "settings": {"seconds": 8}}
    return {"usd": None, "seconds": 3.0, "notices": [notice]}


@node(id="rent", cost=unknown_price)
def rent(text: Text) -> Text:
    """Return the text, at a price that is not known."""
    return text


PRICED = Catalog([*(found.function for found in sample_catalog()), rent])


def test_steps_are_estimated_and_those_without_a_price_are_named() -> None:
    inner = flow("ask", "buy", "rent", edges=["ask.output -> buy.text", "buy.output -> rent.text"])
    edges = ["ask.output -> buy.text", "buy.output -> draw.text", "draw.output -> inner.ask"]
    document = flow("ask", "buy", "draw", agent_node("inner", inner), edges=edges)
    compiled = compile_document(document, PRICED, {})
    assert compiled.steps == {
        "buy": Estimate(usd="0.4"),
        "draw": Estimate(usd="0", seconds=4.0),
        "inner/buy": Estimate(usd="0.4"),
        "inner/rent": Estimate(usd="0", seconds=3.0, price_unknown=True),
    }
    notice = Notice(code="length", message="At most 8 s.", hint="Ask for 8 s.", step="inner/rent",
                    settings={"seconds": 8})  # fmt: skip
    whole = {"usd": "0.8", "seconds": 7.0, "price_unknown": True, "notices": [notice]}
    assert compiled.estimate == Estimate(**whole)
    assert compiled.plan is not None
    costs = [
        StepCost(node="buy", usd="0.4", price_unknown=False),
        StepCost(node="inner", usd="0.4", price_unknown=True),
    ]
    assert launch_estimate_of(compiled.plan, {"ask": "a"}) == LaunchEstimate(**whole, steps=costs)


def test_step_without_a_price_is_a_node_of_the_launch_that_costs_nothing_known() -> None:
    compiled = compile_document(flow("ask", "rent", edges=["ask.output -> rent.text"]), PRICED, {})
    assert compiled.plan is not None
    found = launch_estimate_of(compiled.plan, {"ask": "a"})
    assert found.steps == [StepCost(node="rent", usd="0", price_unknown=True)]
    assert compiled.node_types == {"ask": False, "rent": False}


def test_document_that_does_not_compile_has_problems_and_an_empty_form() -> None:
    compiled = compile_document(flow("gone"), PRICED, {})
    assert (compiled.plan, compiled.results, compiled.steps, compiled.node_types) == (None, [], {}, {})
    assert (compiled.kinds, compiled.takes, compiled.estimate) == ([], [], Estimate())
    assert compiled.inputs == {"type": "object", "properties": {}, "required": []}
    assert [(problem.code, problem.node) for problem in compiled.problems] == [("unknown_type", "gone")]
