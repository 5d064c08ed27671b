"""Patterns and schemas that users write cost bounded time and reach nothing outside themselves."""

import time
from typing import Any

import pytest

from impasto_nodes.ai.structure import (
    MAX_SCHEMA_PATTERNS,
    NotInShape,
    first_error,
    parse_answer,
    schema_error,
)
from impasto_nodes.providers.protocols import TextResult

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
        parse_answer(TextResult(text, provider="x", model="y"), {})
    assert time.process_time() - started < 1
