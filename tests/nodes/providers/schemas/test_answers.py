"""Answers as data, and what is wrong with a schema before a run."""

from typing import Any

import pytest

from impasto_nodes.providers.protocols import TextResult
from impasto_nodes.providers.schemas.answers import (
    BadSchema,
    NotInShape,
    first_error,
    parse_answer,
    require_schema,
    schema_error,
    schema_problems,
)


def answer(text: str, **facts: Any) -> TextResult:
    return TextResult(text=text, provider="openai", model="m", **facts)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ("```\n[1]\n```", [1]),
        ("  ```json 7```\n", 7),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_answer_is_read_with_or_without_a_fence(text: str, data: Any) -> None:
    assert parse_answer(answer(text), {}) == data


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```",
        "``````",
        "```json\n100000",
        "100000```",
        "NaN",
        "[Infinity]",
        '"\\ud800"',
        "18446744073709551616",
        "[" * 100_000,
    ],
)
def test_answer_that_no_document_can_hold_is_refused(text: str) -> None:
    with pytest.raises(NotInShape) as refused:
        parse_answer(answer(text), {})
    assert refused.value.why.startswith("This is not valid JSON: ")


def test_answer_that_was_cut_off_says_so() -> None:
    with pytest.raises(NotInShape) as refused:
        parse_answer(answer('{"a": ', is_truncated=True), {})
    assert refused.value.why == "This is not valid JSON: the answer was cut off"
    assert refused.value.code == "not_in_shape"


@pytest.mark.parametrize(
    ("data", "schema", "error"),
    [
        ({"a": 1}, {"properties": {"a": {"type": "integer"}}}, ""),
        ({"a": "x"}, {"properties": {"a": {"type": "integer"}}}, 'At $.a: "x" is not of type "integer"'),
        ({"full name": [1]}, {"properties": {"full name": {"items": False}}}, 'At $["full name"][0]: '),
        ({"ä": 1}, {"additionalProperties": {"type": "null"}}, 'At $["ä"]: 1 is not of type "null"'),
    ],
)
def test_first_error_names_the_place(data: Any, schema: dict[str, Any], error: str) -> None:
    found = first_error(data, schema)
    assert found.startswith(error) if error else found == ""


def test_answer_that_does_not_follow_the_schema_is_refused() -> None:
    with pytest.raises(NotInShape) as refused:
        parse_answer(answer("3"), {"type": "string"})
    assert refused.value.why == 'At $: 3 is not of type "string"'
    assert refused.value.detail == 'At $: 3 is not of type "string"\n3'
    assert (refused.value.provider, refused.value.code, refused.value.retryable) == (
        "openai",
        "not_in_shape",
        False,
    )


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ({"$ref": "#/$defs/a"}, "it refers to #/$defs/a, which is not in it"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, ""),
        ({"allOf": [{"$ref": "#a"}, {"items": {"$anchor": "a"}}]}, ""),
        ({"$ref": "#b", "$defs": {"x": {"$anchor": "a"}}}, "it refers to #b, which is not in it"),
        ({"$id": "http://x/", "$ref": "#a"}, "it refers to #a, which is not in it"),
        ({"$ref": "#a", "$defs": {"x": {"$dynamicAnchor": "a"}}}, ""),
        ({"items": [{"$dynamicRef": "other"}]}, "it refers to other, outside of itself"),
        ({"items": {"$ref": "#"}}, ""),
        ({"$ref": "#"}, "a part of it refers to itself for the same value, which never ends"),
        ({"$ref": "other.json"}, "it refers to other.json, outside of itself"),
        ({"properties": {"a": {"type": "word"}}}, "at $.properties.a.type: "),
    ],
)
def test_schema_stands_by_itself(schema: dict[str, Any], error: str) -> None:
    found = schema_error(schema)
    assert found.startswith(error) if error else found == ""
    if error:
        with pytest.raises(BadSchema) as refused:
            require_schema(schema)
        assert (refused.value.code, refused.value.detail) == ("bad_schema", found)
        assert refused.value.message == "The schema is not a valid JSON Schema. Correct it and run again."
    else:
        require_schema(schema)


@pytest.mark.parametrize(("pattern", "is_accepted"), [("a{1000}", True), ("[a-z]{2000}", False)])
def test_pattern_is_small_when_it_is_compiled(pattern: str, is_accepted: bool) -> None:
    error = "" if is_accepted else f'at $.pattern: "{pattern}" is not a "regex"'
    assert schema_error({"pattern": pattern}) == error


@pytest.mark.parametrize(("count", "is_accepted"), [(300, True), (301, False)])
def test_patterns_of_values_and_of_names_are_counted(count: int, is_accepted: bool) -> None:
    names: dict[str, Any] = {f"p{number}": {} for number in range(count - 2)}
    parts = [{"pattern": "x"}, {"pattern": "x"}, {"properties": {"pattern": {}, "patternProperties": {}}}]
    schema = {"patternProperties": names, "allOf": parts}
    assert (schema_error(schema) == "") is is_accepted


def test_fault_of_a_schema_is_a_problem_of_its_part() -> None:
    (problem,) = schema_problems({"properties": {"a b": {"type": "word"}}})
    message = problem.pop("message")
    assert message.startswith(
        'The schema is not a valid JSON Schema: at $.properties["a b"].type: "word" is '
    )
    assert message.endswith(".")
    assert problem == {
        "code": "bad_schema",
        "setting": 'schema.properties["a b"].type',
        "hint": "Correct the schema.",
        "severity": "error",
    }


def test_fields_without_choices_are_warned_of() -> None:
    empty: dict[str, Any] = {"enum": []}
    schema = {
        "properties": {
            "size": empty,
            "color": {"enum": ["red"]},
            "tags": {"items": {"properties": {"tag": empty}}},
            "names": {"items": empty},
            "odd": True,
        }
    }
    problems = list(schema_problems(schema))
    assert [(each["setting"], each["severity"]) for each in problems] == [
        ("schema.properties.size.enum", "warning"),
        ("schema.properties.tags.items.properties.tag.enum", "warning"),
        ("schema.properties.names.items.enum", "warning"),
    ]
    assert problems[2] == {
        "code": "bad_schema",
        "message": "The field 'names' has no choices, so that no value is valid.",
        "setting": "schema.properties.names.items.enum",
        "hint": "Add a choice, or change the type.",
        "severity": "warning",
    }
    assert not list(schema_problems({"enum": [], "items": True}))
