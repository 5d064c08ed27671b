"""Compiled flow documents."""

from typing import NamedTuple

from impasto import Catalog, Json, Text, node
from impasto_server.flows.compilation import compile_document


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
