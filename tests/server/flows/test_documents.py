"""Flow documents: what they use, how they are imported and exported, and what is copied with them."""

from typing import Any

import pytest
from tests.server.sample_nodes import agent_node, image_reference, sample_catalog

from impasto_server.flows.beta import origins_after_copy, origins_in
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.import_export import empty_document, export_document, require_lists, split_import
from impasto_server.flows.models import FlowRow
from impasto_server.flows.subflows import flow_ids_in, holders_in, inside, subflow_ids
from impasto_server.flows.used_parts import used_parts

CATALOG = sample_catalog()


def test_agents_of_a_document_are_found_at_any_depth() -> None:
    inner = {"nodes": [agent_node("x", "c"), agent_node("y", "d", version=2)]}
    document = {
        "nodes": [
            agent_node("a", "one"), agent_node("b", "two", version=3),
            agent_node("c", "", version=3), agent_node("d", inner),
            agent_node("e", 7), {"id": "f", "type": ["agent"]},
            {"id": "g", "type": "shout", "settings": {"flow": "no"}},
            {"id": "h", "type": "agent", "settings": "damaged"}, "damaged",
        ]
    }  # fmt: skip
    assert list(holders_in(CATALOG, document)) == ["one", "two@3", "c", "d@2"]
    assert list(subflow_ids(CATALOG, document)) == ["one", "two", "c", "d"]
    for damaged in (None, [], {}, {"nodes": {}}, {"nodes": None}):
        assert list(holders_in(CATALOG, damaged)) == []


def test_reference_names_the_agents_on_its_path() -> None:
    assert flow_ids_in("one") == ["one"]
    assert flow_ids_in("one@3/two@1/three") == ["one", "two", "three"]


def test_references_of_a_document_inside_another_start_with_the_outer_one() -> None:
    document = {
        "nodes": [
            agent_node("a", "one", version=3),
            agent_node("b", {"nodes": [agent_node("c", "two")]}),
            agent_node("d", ""),
        ]
    }
    before = repr(document)
    assert inside(CATALOG, "outer@1", document) == {
        "nodes": [
            agent_node("a", "outer@1/one@3"),
            agent_node("b", {"nodes": [agent_node("c", "outer@1/two")]}),
            agent_node("d", ""),
        ]
    }
    assert repr(document) == before


def test_parts_of_a_document_are_named_by_the_nodes_that_use_them() -> None:
    document = {
        "nodes": [
            {
                "id": "n1",
                "title": "Hero " + "x" * 120,
                "settings": {"image": image_reference("a1", name="a.png")},
            },
            {
                "id": "n2",
                "settings": {
                    "image": image_reference("a1", name="b.png"),
                    "brand": {"$type": "Brand", "saved": "b1"},
                },
            },
            agent_node("n3", "f1"),
            {"settings": {"image": image_reference("a2", name="")}},
            "damaged",
        ],
        "cover": image_reference("a3", name="c.png"),
    }
    found = used_parts(CATALOG, document)
    assert {key: (use.name, [*use.nodes]) for key, use in found.files.items()} == {
        "a1": ("a.png", ["Hero " + "x" * 115, "n2"]),
        "a2": (found.files["a2"].name, []),
        "a3": ("c.png", []),
    }
    assert {key: [*nodes] for key, nodes in found.brands.items()} == {"b1": ["n2"]}
    assert {key: [*nodes] for key, nodes in found.agents.items()} == {"f1": ["n3"]}
    assert len(found) == 5
    assert len(used_parts(CATALOG, {"nodes": {}})) == 0


def row(**about: Any) -> FlowRow:
    usual = {"id": "f1", "name": "Poster", "description": "For print", "category": "marketing"}
    return FlowRow(**usual | about)


def test_exported_document_has_the_agents_own_name_and_origins() -> None:
    document = {"format": 2, "name": "old", "category": "old", "copied_from": ["forged"], "nodes": [], "x": 1}
    assert export_document(row(copied_from=["f0"]), document) == {
        "format": 2,
        "name": "Poster",
        "description": "For print",
        "category": "marketing",
        "copied_from": ["f0", "f1"],
        "nodes": [],
        "x": 1,
    }
    assert export_document(row(), {})["format"] == 1
    assert [*export_document(row(), {"nodes": []})][:2] == ["format", "name"]


@pytest.mark.parametrize(
    ("document", "name", "description", "category"),
    [
        ({"name": " Poster\0 ", "description": "For print", "category": "ads"}, "Poster", "For print", "ads"),
        ({"name": "x" * 121, "description": "y" * 2001}, "x" * 120, "y" * 2000, "uncategorized"),
        ({"name": "Poster", "category": "unknown"}, "Poster", "", "uncategorized"),
        ({"name": " "}, "Imported agent", "", "uncategorized"),
        ({"name": 7, "description": None}, "Imported agent", "", "uncategorized"),
    ],
)  # fmt: skip
def test_import_takes_name_description_and_category(
    document: dict[str, Any], name: str, description: str, category: str
) -> None:
    body, flow = split_import(
        {**document, "nodes": [], "order": 3, "beta": True, "copied_from": ["f0"], "x": 1}
    )
    assert (body.name, body.description, body.category) == (name, description, category)
    assert flow == {"name": name, "nodes": [], "x": 1}


def test_document_needs_lists_and_its_titles_are_plain() -> None:
    for damaged in ({}, {"nodes": {}}, {"nodes": [], "edges": {}}, {"edges": []}):
        with pytest.raises(DocumentInvalid, match="lists of nodes and edges"):
            require_lists(damaged)
    turned = "a\u202eb"
    document = {
        "nodes": [{"id": turned, "title": turned}, {"title": 7}, "damaged"],
        "variables": [{"name": "n", "description": turned}, {"name": "n"}],
    }
    assert require_lists(document) == {
        "nodes": [{"id": turned, "title": "ab"}, {"title": 7}, "damaged"],
        "variables": [{"name": "n", "description": "ab"}, {"name": "n"}],
    }
    assert require_lists({"nodes": [], "variables": "damaged"}) == {"nodes": [], "variables": "damaged"}
    assert empty_document("New") == {"format": 1, "name": "New", "nodes": [], "edges": []}


def test_copy_of_an_agent_names_its_origins() -> None:
    assert origins_after_copy(row()) == ["f1"]
    assert origins_after_copy(row(built_in="poster", copied_from=["a", "b"])) == ["a", "b", "poster"]
    assert origins_in({"copied_from": ["a", 7, "b"]}) == ["a", "b"]
    for damaged in ({}, {"copied_from": "a"}, {"copied_from": None}):
        assert origins_in(damaged) == []
    assert origins_in({"copied_from": ["x" * 120, "x" * 121, "", "a", "a"]}) == ["x" * 120, "a"]
    many = [f"{number}" for number in range(51)]
    assert origins_in({"copied_from": many}) == many[1:], "the newest are kept"
