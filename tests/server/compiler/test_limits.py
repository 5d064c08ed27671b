"""The size limits of flow documents."""

from dataclasses import replace
from typing import Any

import pytest
from tests.server.sample_nodes import agent_node, sample_catalog

from impasto_server.compiler.limits import MAX_ID_LENGTH, FlowLimits, LimitExceeded, SizeCheck

LIMITS = FlowLimits(nodes=3, edges=2, steps=6, settings_bytes=60, setting_values=5, setting_depth=3)
CATALOG = sample_catalog()
Found = tuple[str, int, int] | None


def checked(document: Any, subflows: dict[str, Any] | None = None, **limits: int) -> Found:
    """Return the limit that a document exceeds: its name, the maximum and the actual size."""
    try:
        SizeCheck(replace(LIMITS, **limits), CATALOG, subflows or {}).check(document)
    except LimitExceeded as refused:
        return refused.limit, refused.maximum, refused.actual
    return None


def nodes(*settings: Any, **about: Any) -> dict[str, Any]:
    return {"nodes": [{"id": f"n{place}", "settings": each, **about} for place, each in enumerate(settings)]}


def runs(*holders: Any) -> dict[str, Any]:
    return {"nodes": [agent_node(f"r{place}", holder) for place, holder in enumerate(holders)]}


@pytest.mark.parametrize(
    ("document", "exceeded"),
    [
        ({"nodes": [{}] * 3}, None),
        ({"nodes": [{}] * 4}, ("IMPASTO_MAX_FLOW_NODES", 3, 4)),
        ({"nodes": {"a": {}, "b": {}, "c": {}}}, None),
        ({"nodes": {"a": {}, "b": {}, "c": {}, "d": {}}}, ("IMPASTO_MAX_FLOW_NODES", 3, 4)),
        ({"edges": [{}] * 2}, None),
        ({"edges": [{}] * 3}, ("IMPASTO_MAX_FLOW_EDGES", 2, 3)),
        ({"nodes": [{"id": "x" * MAX_ID_LENGTH}]}, None),
        ({"nodes": [{"id": "x" * 201}]}, ("node id", 200, 201)),
        ({"nodes": ["damaged", None], "edges": {}}, None),
        ("damaged", None), (None, None), ({}, None),
    ],
)  # fmt: skip
def test_document_has_at_most_so_many_nodes_and_edges(document: Any, exceeded: Found) -> None:
    assert checked(document) == exceeded


@pytest.mark.parametrize(
    ("document", "exceeded"),
    [
        (nodes({"a": 1, "b": [1, 2, 3]}), None),
        (nodes({"a": 1, "b": [1, 2, 3, 4]}), ("IMPASTO_MAX_SETTING_VALUES", 5, 6)),
        (nodes(dict.fromkeys("abcd", 1) | {"e": [1]}), ("IMPASTO_MAX_SETTING_VALUES", 5, 6)),
        (nodes({"a": {"b": {"c": 1}}}), None),
        (nodes({"a": {"b": [[1]]}}), ("IMPASTO_MAX_SETTING_DEPTH", 3, 4)),
        (nodes({"a": "x" * 52}), None),
        (nodes({"a": "x" * 53}), ("IMPASTO_MAX_SETTINGS_BYTES", 60, 61)),
        (nodes({"a": "x" * 22}, {"b": "x" * 22}), None),
        (nodes({"a": "x" * 22}, {"b": "x" * 23}), ("IMPASTO_MAX_SETTINGS_BYTES", 60, 61)),
        (nodes({}, None, "damaged"), None),
        ({"variables": ["x" * 56]}, None),
        ({"variables": ["x" * 57]}, ("IMPASTO_MAX_SETTINGS_BYTES", 60, 61)),
        ({"variables": ["x" * 28], **nodes({"a": "x" * 20})}, None),
        ({"variables": ["x" * 29], **nodes({"a": "x" * 21})}, ("IMPASTO_MAX_SETTINGS_BYTES", 60, 62)),
        ({"variables": [1, 2, 3, 4]}, None),
        ({"variables": [1, 2, 3, 4, 5]}, ("IMPASTO_MAX_SETTING_VALUES", 5, 6)),
        ({"variables": [[[1]]]}, ("IMPASTO_MAX_SETTING_DEPTH", 3, 4)),
        ({"variables": "x" * 60}, None), ({"variables": []}, None),
    ],
)  # fmt: skip
def test_settings_are_limited_in_bytes_values_and_depth(document: Any, exceeded: Found) -> None:
    assert checked(document) == exceeded


@pytest.mark.parametrize(
    ("document", "subflows", "exceeded"),
    [
        (runs("a", "a"), {"a": {"nodes": [{}] * 2}}, None),
        (runs("a", "a"), {"a": {"nodes": [{}] * 3}}, ("IMPASTO_MAX_FLOW_STEPS", 6, 8)),
        (runs("a"), {"a": runs("b", "b"), "b": {"nodes": [{}, {}]}}, ("IMPASTO_MAX_FLOW_STEPS", 6, 7)),
        (runs("a", "b"), {"a": {"nodes": [{}] * 3}}, None),
        (runs("a"), {"a": runs("a", "a", "a")}, None),
        (runs({"nodes": [{}] * 3}, {"nodes": [{}]}), {}, None),
        (runs({"nodes": [{}] * 4}), {}, ("IMPASTO_MAX_FLOW_NODES", 3, 4)),
        (runs("a"), {"a": {"nodes": [{}] * 4}}, ("IMPASTO_MAX_FLOW_NODES", 3, 4)),
        ({"nodes": [{"id": "r", "type": "agent", "settings": "damaged"}]}, {}, None),
        ({"nodes": [{"type": ["agent"], "settings": {"flow": "a"}}]}, {"a": {"nodes": [{}] * 9}}, None),
        (runs(7, None), {}, None),
    ],
)  # fmt: skip
def test_agents_that_a_flow_runs_count_as_their_steps(
    document: Any, subflows: dict[str, Any], exceeded: Found
) -> None:
    assert checked(document, subflows) == exceeded


def test_what_is_no_flow_has_no_steps() -> None:
    for document in ("damaged", None, {}, {"nodes": "damaged"}, {"nodes": ["damaged"]}):
        assert checked(document, steps=0) is None
    assert checked({"nodes": [{}]}, steps=0) == ("IMPASTO_MAX_FLOW_STEPS", 0, 1)
    assert checked(runs("gone"), steps=1) is None
    circle = {"a": runs("a")}
    assert checked(runs("a"), circle, steps=2) is None
    assert checked(runs("a"), circle, steps=1) == ("IMPASTO_MAX_FLOW_STEPS", 1, 2)


def test_values_of_a_flow_in_the_settings_are_not_those_of_its_node() -> None:
    inner = nodes({"a": [1, 2]}, {"b": [1, 2]})
    document = runs(inner)
    document["nodes"][0]["settings"] |= {"x": 1}
    assert checked(document, settings_bytes=1000) is None
    document["nodes"][0]["settings"] |= {"y": [1, 2, 3, 4]}
    assert checked(document, settings_bytes=1000) == ("IMPASTO_MAX_SETTING_VALUES", 5, 6)
