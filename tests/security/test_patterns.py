"""Patterns and schemas that users write cost bounded time and reach nothing outside themselves."""

import time
from typing import Any

import pytest

from impasto_nodes.providers.protocols import TextResult
from impasto_nodes.providers.schemas.answers import (
    MAX_SCHEMA_PATTERNS,
    NotInShape,
    first_error,
    parse_answer,
    schema_error,
)

HOSTILE = ["^(a+)+$", "^(a|aa)*$", "^(a|a?)+$", "(.*a){20}", "^([a-zA-Z]+)*$"]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_hostile_pattern_is_matched_in_linear_time(pattern: str) -> None:
    schema = {"type": "string", "pattern": pattern}
    started = time.process_time()
    assert schema_error(schema) == ""
    first_error("a" * 100_000 + "!", schema)
    assert time.process_time() - started < 1


def test_a_pattern_that_linear_time_does_not_allow_is_refused_before_the_run() -> None:
    assert "regex" in schema_error({"type": "string", "pattern": "(?=a)b"})


@pytest.mark.parametrize(
    "reference", ["http://127.0.0.1:9/schema.json", "file:///etc/passwd", "other.json", "urn:x:y"]
)
def test_a_schema_never_fetches_what_it_refers_to(reference: str) -> None:
    assert "outside of itself" in schema_error({"properties": {"a": {"$ref": reference}}})
    assert "outside of itself" in schema_error({"allOf": [{"$dynamicRef": reference}]})


def test_a_reference_under_a_base_of_its_own_is_not_fetched() -> None:
    schema = {"properties": {"a": {"$id": "http://127.0.0.1:9/base/", "$ref": "#/missing"}}}
    assert schema_error(schema) != ""


def test_a_schema_of_more_than_10_000_values_is_refused() -> None:
    assert schema_error({"enum": list(range(9_998))}) == ""  # with the schema itself and the list: 10,000
    assert "more than 10,000 values" in schema_error({"enum": list(range(9_999))})


@pytest.mark.parametrize(("levels", "error"), [(64, ""), (65, "64 levels"), (100_000, "64 levels")])
def test_a_schema_of_more_than_64_levels_is_refused(levels: int, error: str) -> None:
    schema: dict[str, Any] = {}
    for _ in range(levels - 1):
        schema = {"not": schema}
    found = schema_error(schema)
    assert error in found if error else found == ""


@pytest.mark.parametrize("pattern", ["x{1,500}", "\\w{100}", "(\\w{1,9}){1,9}"])
def test_every_schema_that_is_admitted_is_checked_within_a_fifth_of_a_second(pattern: str) -> None:
    named = {f"p{index}": {"pattern": f"{pattern}{index}"} for index in range(MAX_SCHEMA_PATTERNS)}
    started = time.process_time()
    assert schema_error({"properties": named}) == ""
    assert time.process_time() - started < 0.2


def test_many_patterns_are_refused() -> None:
    named = {f"p{index}": {"pattern": "x"} for index in range(MAX_SCHEMA_PATTERNS)}
    assert "more than 300 patterns" in schema_error({"properties": named, "patternProperties": {"y": {}}})


def test_pattern_that_is_large_when_compiled_is_refused() -> None:
    assert "regex" in schema_error({"pattern": "(\\w{1,30}){1,30}"})


def test_an_answer_in_a_fence_of_spaces_is_read_in_linear_time() -> None:
    text = "```" + " " * 200_000 + "``"
    started = time.process_time()
    with pytest.raises(NotInShape):
        parse_answer(TextResult(text=text, provider="x", model="y"), {})
    assert time.process_time() - started < 1


def doubling(levels: int) -> dict[str, Any]:
    """Each definition applies the next one twice: 2 to the power of `levels` checks of one value."""
    parts: dict[str, Any] = {
        f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(levels)
    }
    return {"$ref": "#/$defs/a0", "$defs": parts | {f"a{levels}": {"type": "integer"}}}


TREE = {"type": "object", "properties": {"name": {"type": "string"}, "children": {"items": {"$ref": "#"}}}}
BINARY = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#/properties/left"}}}
LIST = {"$defs": {"node": {"anyOf": [{"type": "null"}, {"properties": {"next": {"$ref": "#/$defs/node"}}}]}}}


def test_references_that_multiply_the_checks_of_a_value_are_refused() -> None:
    for levels in (20, 500):
        assert "more than 20,000 checks" in schema_error(doubling(levels))
    # Twelve levels, with the references themselves, are 16,382 checks; each property is one more.
    accepted = doubling(12) | {"properties": {f"p{number}": {} for number in range(3_618)}}
    assert schema_error(accepted) == ""
    accepted["properties"]["last"] = {}
    assert "more than 20,000 checks" in schema_error(accepted)


@pytest.mark.parametrize("schema", [TREE, BINARY, LIST | {"$ref": "#/$defs/node"}])
def test_a_schema_that_leads_back_to_itself_once_is_accepted(schema: dict[str, Any]) -> None:
    assert schema_error(schema) == ""
    deep: Any = {}
    for _ in range(60):
        deep = {"children": [deep], "left": deep, "next": deep}
    started = time.process_time()
    first_error({"children": [deep]}, schema)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "part",
    [
        {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}},
        {"properties": {"a": {"$ref": "#"}}, "patternProperties": {"^a$": {"$ref": "#"}}},
        {"anyOf": [{"properties": {"a": {"$ref": "#"}}}, {"additionalProperties": {"$ref": "#"}}]},
        {"items": {"$ref": "#"}, "contains": {"$ref": "#"}},
        {"$dynamicAnchor": "x", "allOf": [{"items": {"$dynamicRef": "#x"}}, {"items": {"$ref": "#"}}]},
    ],
)
def test_a_schema_that_leads_back_to_itself_twice_for_one_value_is_refused(part: dict[str, Any]) -> None:
    assert "two ways" in schema_error(part)


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"anyOf": [{"not": {"$ref": "#"}}]}])
def test_a_schema_that_refers_to_itself_for_the_same_value_is_refused(schema: dict[str, Any]) -> None:
    assert "never ends" in schema_error(schema)
