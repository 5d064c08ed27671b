"""What a document would make, read without running it."""

from typing import NamedTuple

from impasto import Catalog, Json, Text, node
from impasto_server.flows.compilation import compile_document


class Answer(NamedTuple):
    """A text, and the same as data."""

    output: Text
    data: Json


@node
async def answer() -> Answer:
    """Say it in two ways."""
    return Answer("one", {"words": 1})


@node
async def report() -> Json:
    """Say it as data only."""
    return {"words": 1}


def test_data_beside_a_text_of_the_same_node_is_no_kind_of_its_own() -> None:
    catalog = Catalog([answer, report])
    both = {"format": 1, "nodes": [{"id": "a", "type": "answer"}], "edges": []}
    assert compile_document(both, catalog, {}).kinds == ["text"]
    with_report = {**both, "nodes": [*both["nodes"], {"id": "r", "type": "report"}]}
    assert compile_document(with_report, catalog, {}).kinds == ["text", "data"]
