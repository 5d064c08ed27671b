from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.providers.local.text_generation.schema_bounds import bounded


def test_strings_lists_and_objects_get_a_maximum_size() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}
    found = bounded(schema)
    assert found["properties"]["a"]["maxLength"] > 0
    assert found["properties"]["b"]["maxItems"] > 0
    assert found["properties"]["b"]["items"]["maxLength"] > 0
    assert found["additionalProperties"] is False
    assert found["required"] == ["a", "b"]
    assert schema == {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}


def test_existing_bounds_are_kept() -> None:
    schema = {"type": "string", "enum": ["a", "b"]}
    assert bounded(schema, plain=True) == schema
    assert bounded({"type": "string", "pattern": "^#x$", "maxLength": 5})["maxLength"] == 5


def test_plain_strings_contain_no_urls() -> None:
    schema = bounded({"type": "string", "minLength": 4, "maxLength": 40}, plain=True)
    assert jsonschema_rs.is_valid(schema, "A glass of mint tea, at dusk")
    for wrong in ("https://example.com/a/b", "abc", "A" * 60):
        assert not jsonschema_rs.is_valid(schema, wrong)


def test_definitions_and_branches_are_bounded() -> None:
    schema = {
        "$defs": {"x": {"type": "string"}},
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/x"}}],
    }
    found = bounded(schema)
    assert "maxLength" in found["$defs"]["x"]
    assert "maxItems" in found["anyOf"][0]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, {"type": "string", "maxLength": 160}),
        ({"type": "string", "maxLength": 600}, {"type": "string", "maxLength": 600}),
        ({"type": "string", "maxLength": 601}, {"type": "string", "maxLength": 600}),
        ({"type": "string", "const": "a"}, {"type": "string", "const": "a"}),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"type": "integer"}, {"type": "integer"}),
        (
            {"type": "array", "items": {"type": "integer"}},
            {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 5},
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 13},
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 12},
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 20, "maxItems": 30},
            {"type": "array", "items": {"type": "integer"}, "minItems": 12, "maxItems": 12},
        ),
        (
            {"properties": {"a": {"type": "integer"}}},
            {"properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False},
        ),
        (
            {"type": "object"},
            {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        ),
    ],
)
def test_missing_bounds_are_added_and_wide_ones_narrowed(schema: Any, expected: Any) -> None:
    assert bounded(schema) == expected


@pytest.mark.parametrize(
    ("bounds", "lengths"),
    [
        ({}, "2,159"),
        ({"minLength": 1, "maxLength": 1}, "0,0"),
        ({"minLength": 0, "maxLength": 0}, "0,0"),
        ({"minLength": 9, "maxLength": 5}, "4,4"),
        ({"minLength": 4, "maxLength": 40}, "3,39"),
    ],
)
def test_a_plain_string_has_its_length_in_a_pattern(bounds: dict[str, int], lengths: str) -> None:
    found = bounded({"type": "string", "title": "A", **bounds}, plain=True)
    assert found.pop("pattern").endswith(f"]{{{lengths}}}$")
    assert found == {"type": "string", "title": "A"}


def test_a_pattern_of_the_schema_stays_in_a_plain_string() -> None:
    schema = {"type": "string", "pattern": "^#x$"}
    assert bounded(schema, plain=True) == {**schema, "maxLength": 160}


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda schema: {"anyOf": [schema]},
        lambda schema: {"oneOf": [schema]},
        lambda schema: {"allOf": [schema]},
        lambda schema: {"$defs": {"a": schema}},
        lambda schema: {"definitions": {"a": schema}},
        lambda schema: {"type": "array", "items": schema, "minItems": 1, "maxItems": 2},
    ],
)
@pytest.mark.parametrize("plain", [True, False])
def test_inner_strings_are_as_plain_as_outer_ones(wrapped: Callable[[Any], Any], plain: bool) -> None:
    text = {"type": "string"}
    assert bounded(wrapped(text), plain=plain) == wrapped(bounded(text, plain=plain))
    inner = bounded({"type": "object", "properties": {"a": text}}, plain=plain)["properties"]["a"]
    assert inner == bounded(text, plain=plain)
    assert ("pattern" in inner) is plain
