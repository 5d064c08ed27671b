"""Which schemas would take too long to check, and what a reference leads to."""

from typing import Any

import pytest

from impasto_nodes.providers.schemas import cost
from impasto_nodes.providers.schemas.cost import MAX_CHECKS, cost_error, resolve_pointer

ROOT = {"$ref": "#"}
NEVER_ENDS = "a part of it refers to itself for the same value, which never ends"
TWO_WAYS = "a part of it leads back to itself in two ways for the same value: exponential time"


@pytest.mark.parametrize("name", ["$ref", "$dynamicRef", "$recursiveRef"])
def test_each_kind_of_reference_to_the_same_value_never_ends(name: str) -> None:
    assert cost_error({name: "#"}) == NEVER_ENDS


@pytest.mark.parametrize("name", ["not", "if", "then", "else"])
def test_part_that_applies_the_whole_to_the_same_value_never_ends(name: str) -> None:
    assert cost_error({name: ROOT}) == NEVER_ENDS


@pytest.mark.parametrize("name", ["allOf", "anyOf", "oneOf"])
def test_list_that_applies_the_whole_to_the_same_value_never_ends(name: str) -> None:
    assert cost_error({name: [{}, ROOT]}) == NEVER_ENDS


@pytest.mark.parametrize("name", ["dependentSchemas", "dependencies"])
def test_dependency_that_applies_the_whole_to_the_same_value_never_ends(name: str) -> None:
    assert cost_error({name: {"a": ROOT}}) == NEVER_ENDS


@pytest.mark.parametrize(
    "schema",
    [
        {"items": ROOT},
        {"properties": {"a": ROOT, "b": ROOT}},
        {"properties": {"a": ROOT, "b": ROOT}, "patternProperties": {}},
        {"properties": {"a": ROOT}, "additionalProperties": ROOT},
        {"properties": {"a": ROOT}, "items": ROOT},
        {"prefixItems": [ROOT, ROOT], "items": ROOT},
        {"patternProperties": {"a": ROOT}},
        {"unevaluatedItems": ROOT},
        {"$ref": 5, "items": ROOT},
        {"properties": "none", "allOf": "none", "dependencies": "none", "items": ROOT},
    ],
)
def test_places_that_never_meet_at_one_value_may_all_lead_back(schema: dict[str, Any]) -> None:
    assert cost_error(schema) == ""


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"a": ROOT, "b": ROOT}},
        {"properties": {"a": ROOT, "b": ROOT}, "patternProperties": {"c": {}}},
        {"properties": {"a": ROOT}, "unevaluatedProperties": ROOT},
        {"properties": {"a": ROOT}, "propertyNames": ROOT},
        {"prefixItems": [ROOT], "contains": ROOT},
        {"prefixItems": [ROOT], "unevaluatedItems": ROOT},
        {"prefixItems": [ROOT], "additionalItems": ROOT},
    ],
)
def test_places_that_may_meet_at_one_value_lead_back_once(schema: dict[str, Any]) -> None:
    assert cost_error(schema) == TWO_WAYS


def test_part_outside_of_a_cycle_may_be_applied_twice() -> None:
    part = {"$ref": "#/$defs/x"}
    schema = {"properties": {"a": part}, "patternProperties": {".": part}, "$defs": {"x": {}}}
    assert cost_error(schema) == ""


def test_each_part_of_a_cycle_counts_as_often_as_the_cycle_is_reached() -> None:
    # The root, 6,666 properties, and twice as many parts of the cycle: 19,999 checks.
    list_of_itself = {"items": {"$ref": "#/$defs/x"}}
    fields: dict[str, Any] = {f"p{number}": {"$ref": "#/$defs/x"} for number in range(6_666)}
    schema = {"properties": fields, "$defs": {"x": list_of_itself}}
    assert cost_error(schema) == ""
    fields["20,000th"] = {}
    assert cost_error(schema) == ""
    fields["20,001st"] = {}
    assert cost_error(schema) == f"its references lead to more than {MAX_CHECKS:,} checks of one value"


@pytest.mark.parametrize(("limit", "is_too_much"), [(3, False), (2, True)])
def test_parts_may_apply_others_as_often_as_the_limit(
    limit: int, is_too_much: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The whole applies ROOT at two places, and ROOT applies the whole.
    monkeypatch.setattr(cost, "_MAX_EDGES", limit)
    error = cost_error({"properties": {"a": ROOT, "b": ROOT}})
    assert error == ("its references lead to more than 20,000 checks of one value" if is_too_much else "")


@pytest.mark.parametrize(("limit", "is_too_much"), [(2, False), (1, True)])
def test_parts_of_a_whole_that_is_one_cycle_are_counted(
    limit: int, is_too_much: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "MAX_CHECKS", limit)
    error = f"its references lead to more than {limit} checks of one value" if is_too_much else ""
    assert cost_error({"items": ROOT}) == error
    assert cost_error({"$ref": "#/$defs/a", "$defs": {"a": {}}}) == error


def test_reference_in_a_part_that_is_never_applied_costs_nothing() -> None:
    assert cost_error({"$defs": {"a": ROOT}}) == ""


def test_schema_without_references_is_never_too_much() -> None:
    assert cost_error({"properties": {f"p{number}": {} for number in range(20_001)}}) == ""


@pytest.mark.parametrize("places", ["ab", "ba"])
def test_dynamic_reference_may_lead_to_every_part_of_the_name(places: str) -> None:
    first, second = places
    parts = {first: {"$dynamicAnchor": "x"}, second: {"$dynamicAnchor": "x", "$ref": "#"}}
    assert cost_error({"$dynamicRef": "#x", "$defs": parts}) == NEVER_ENDS


def test_plain_reference_leads_to_one_of_the_parts_of_its_name() -> None:
    ends, never_ends = {"$dynamicAnchor": "x"}, {"$dynamicAnchor": "x", "$ref": "#"}
    orders = [{"a": ends, "b": never_ends}, {"a": never_ends, "b": ends}]
    errors = [cost_error({"$ref": "#x", "$defs": parts}) for parts in orders]
    assert sorted(errors) == ["", NEVER_ENDS]


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ({"$ref": "#x", "$defs": {"a": {"$anchor": "x"}}}, ""),
        ({"$ref": "#x", "$defs": {"a": [{"$anchor": "x", "$ref": "#"}]}}, NEVER_ENDS),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$anchor": 5}}}, ""),
        ({"$id": "u", "$ref": "#/$defs/a", "$defs": {"a": {}}}, ""),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$id": 5}}}, ""),
    ],
)
def test_reference_leads_to_the_part_of_its_name(schema: dict[str, Any], error: str) -> None:
    assert cost_error(schema) == error


def test_reference_counts_as_one_to_the_whole_where_its_base_is_unknown() -> None:
    assert cost_error({"$ref": "#/$defs/a", "$defs": {"a": {"$id": "u"}}}) == NEVER_ENDS


PARTS = {"a": {"b c": 1, "d/e": 2, "f~g": 3}, "list": ["first", {"x": 4}], "5": 5}


@pytest.mark.parametrize(
    ("reference", "part"),
    [
        ("#", PARTS),
        ("#/a/b%20c", 1),
        ("#/a/d~1e", 2),
        ("#/a/f~0g", 3),
        ("#/list/0", "first"),
        ("#/list/1/x", 4),
        ("#/5", 5),
        ("#/list/2", None),
        ("#/list/-1", None),
        ("#/list/x", None),
        ("#/a/missing", None),
        ("#/5/x", None),
        ("#name", None),
    ],
)
def test_pointer_is_followed_by_names_and_places(reference: str, part: Any) -> None:
    assert resolve_pointer(PARTS, reference) == part
