"""Compiled flow documents."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import orjson

from impasto import Audio, Catalog, Image, Json, Setting, Text, node
from impasto_nodes.inputs import mask
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.operations import Operations
from impasto_server.flows.compilation import compile_document

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
