"""The document of a comparison: the draft in which a node has a copy for each further variant."""

from typing import Any

import pytest
from tests.server.sample_nodes import sample_catalog

from impasto_server.runs.errors import NotComparable
from impasto_server.runs.launch.comparison import Derived, derive

CATALOG = sample_catalog()


def derived(document: dict[str, Any], node: str = "say", *changed: dict[str, Any]) -> Derived:
    return derive(document, CATALOG, node, changed or ({"mark": "?"},))


def test_variants_take_the_place_of_the_node_with_its_edges() -> None:
    say = {
        "id": "say",
        "type": "shout",
        "settings": {"mark": "!"},
        "exposed": {"mark": {}},
        "result": False,
        "x": 1,
    }
    document = {
        "format": 1,
        "nodes": [{"id": "ask", "type": "ask"}, say, "damaged", {"id": "say_3", "type": "shout"}],
        "edges": [
            {"from": "ask.output", "to": "say.text", "y": 2},
            {"from": "say.output", "to": "say_3.text"},
            {"from": "ask.output", "to": 7},
        ],
        "variables": [],
    }
    found = derived(document, "say", {"mark": "?"}, {"mark": "."})
    assert (found.node, found.steps, found.title) == ("say", ["say", "say_2", "say_4"], "Shout")
    common = {"type": "shout", "x": 1, "result": True}
    assert found.document == {
        **document,
        "nodes": [
            {"id": "ask", "type": "ask"},
            {**common, "settings": {"mark": "!"}, "id": "say", "title": "Shout A"},
            {**common, "settings": {"mark": "?"}, "variables": {}, "id": "say_2", "title": "Shout B"},
            {**common, "settings": {"mark": "."}, "variables": {}, "id": "say_4", "title": "Shout C"},
            "damaged",
            {"id": "say_3", "type": "shout"},
        ],
        "edges": [
            *document["edges"],
            {"from": "ask.output", "to": "say_2.text", "y": 2},
            {"from": "ask.output", "to": "say_4.text", "y": 2},
        ],
    }
    assert say["result"] is False, "the draft stays as it is"


def test_title_is_the_nodes_own_and_six_variants_have_letters() -> None:
    document = {"nodes": [{"id": "say", "type": "shout", "title": "Slogan"}]}
    found = derived(document, "say", *({"mark": mark} for mark in "abcde"))
    assert found.title == "Slogan"
    titles = [node["title"] for node in found.document["nodes"]]
    assert titles == [f"Slogan {letter}" for letter in "ABCDEF"]
    assert found.document["edges"] == []


@pytest.mark.parametrize(
    ("settings", "changed", "letters"),
    [
        ({}, [{"mark": "!"}], "A and B"),
        ({"mark": "?"}, [{"mark": "!"}, {}], "B and C"),
        ({"mark": "?"}, [{"mark": "."}, {"mark": "?"}], "A and C"),
        ("damaged", [{"mark": "!"}], "A and B"),
    ],
)
def test_settings_that_are_the_defaults_are_the_same_as_none(
    settings: Any, changed: list[dict[str, Any]], letters: str
) -> None:
    document = {"nodes": [{"id": "say", "type": "shout", "settings": settings}]}
    with pytest.raises(NotComparable, match=f"Variants {letters} have the same settings"):
        derived(document, "say", *changed)


def test_setting_that_an_edge_sets_is_that_of_the_draft_in_every_variant() -> None:
    nodes = [{"id": "say", "type": "shout", "settings": {"mark": "?"}}, {"id": "say.mark", "type": "ask"}]
    edges = [{"from": "ask.output", "to": "say.mark"}]
    with pytest.raises(NotComparable, match="An edge sets 'mark'"):
        derived({"nodes": nodes, "edges": edges}, "say", {"mark": "."})
    edges = [{"from": "ask.output", "to": "say.mark.text"}, {"from": "ask.output", "to": "sayer.mark"}]
    assert derived({"nodes": nodes, "edges": edges}, "say", {"mark": "."}).document["edges"] == edges


@pytest.mark.parametrize(
    ("node", "sentence"),
    [
        ({"type": "gone"}, "is not installed"),
        ({"type": None}, "is not installed"),
        ({"type": "ask"}, "takes its value from the launch"),
        ({"type": "spell"}, "no settings"),
        ({"type": "shout", "mode": "disabled"}, "is disabled"),
        ({"type": "shout", "mode": "bypassed"}, "is bypassed"),
        ({"type": "shout", "pin": {}}, "is pinned"),
    ],
)
def test_node_that_does_not_run_by_its_settings_is_refused(node: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotComparable, match=sentence):
        derived({"nodes": [{"id": "say", **node}]})
    assert derived({"nodes": [{"id": "say", "type": "shout", "mode": "active", "pin": None}]}).steps


def test_variables_of_damaged_drafts_set_nothing() -> None:
    for variables, uses in (
        ("damaged", {"mark": "tone"}),
        ([{"name": 7}, "x", {"name": "other"}], {"mark": "tone"}),
        ([{"name": "tone", "value": "?"}], "damaged"),
        ([{"name": "tone", "value": "?"}], {"mark": 7}),
    ):
        document = {"nodes": [{"id": "say", "type": "shout", "variables": uses}], "variables": variables}
        second = derived(document, "say", {"mark": "."}).document["nodes"][1]
        assert second["settings"] == {"mark": "."}
