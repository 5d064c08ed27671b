"""Data that is filled field by field from a brief."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import PRESETS
from impasto_nodes.providers.local.text_generation.examples import EXAMPLES
from impasto_nodes.providers.local.text_generation.fields import FieldWriter, is_simple
from impasto_nodes.providers.local.writing.brief import read

BRIEF = "Trail running shoes made from ocean plastic"
BRAND = "Write.\nYou write for Northbound Coffee.\nSlow-steeped coffee for early people.\nTone: warm."
BRIEFS = (
    "Summer sale: 30% off all linen shirts until Sunday midnight.",
    "A reusable water bottle that tells you when the water is stale.",
    "Neue Laufschuhe aus recyceltem Ozeanplastik, ab Montag im Laden.",
    "We open our first roastery to visitors on the last Saturday of the month. Come early!",
)


def errors(data: Any, schema: Mapping[str, Any]) -> list[Any]:
    return list(jsonschema_rs.Draft202012Validator(schema).iter_errors(data))


def test_only_simple_schemas_are_filled_field_by_field() -> None:
    assert all(is_simple(schema) for schema in PRESETS.values())
    assert not is_simple({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}})
    assert not is_simple({"anyOf": [{"type": "string"}]})


async def constrain(schema: Mapping[str, Any]) -> Any:
    return {key: part.get("enum", [3])[0] for key, part in schema["properties"].items()}


@pytest.mark.anyio
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("brief", BRIEFS)
async def test_data_always_matches_the_requested_schema(name: str, brief: str) -> None:
    data = await FieldWriter(read(brief, BRAND), constrain).fill(PRESETS[name])
    assert [error.message for error in errors(data, PRESETS[name])] == []


@pytest.mark.anyio
async def test_values_that_a_brief_cannot_give_are_generated_under_a_schema() -> None:
    schema = {
        "type": "object",
        "properties": {"mood": {"enum": ["calm", "loud"]}, "stars": {"type": "integer"}},
    }
    assert await FieldWriter(read("Soap"), constrain).fill(schema) == {"mood": "calm", "stars": 3}


@pytest.mark.anyio
async def test_camera_movement_differs_in_each_shot() -> None:
    data = await FieldWriter(read(BRIEF), constrain).fill(PRESETS["shot_list"])
    assert len({shot["motion"] for shot in data["shots"]}) == 3
    assert len({shot["scene"] for shot in data["shots"]}) == 3


SOCK = EXAMPLES[0]


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        ({"enum": ["calm", "loud"]}, "calm"),
        ({"type": "boolean"}, True),
        ({"type": "integer"}, 3),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "number", "maximum": 2}, 2),
        ({"type": "string", "maxLength": 3}, "Our"),
        ({"properties": {"cta": {"type": "string"}}}, {"cta": "Try a pair today"}),
        (
            {"type": "array", "items": {"enum": ["calm", "loud"]}, "minItems": 3},
            ["calm", "loud", "calm"],
        ),
        ({"type": "array", "items": {"type": "integer"}}, [3, 4]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 1}, [3]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 9}, [3, 4]),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 3}, [True, False, True]),
        (
            {"type": "array"},
            [
                "Our merino running sock wicks away sweat and cushions every stride.",
                "It stays fresh from the first step to the last.",
            ],
        ),
        (
            {
                "type": "object",
                "properties": {
                    "headline": {"type": "string"},
                    "subject": {"type": "string"},
                    "title": {"type": "string"},
                    "hook": {"type": "string"},
                    "slogan": {"type": "string"},
                },
            },
            {
                "headline": "Long miles, dry feet",
                "subject": "Rain can wait outside",
                "title": "Long miles, dry feet",
                "hook": "Run through the puddles",
                "slogan": "Long miles, dry feet",
            },
        ),
    ],
)
def test_an_example_is_data_of_any_schema(schema: Any, data: Any) -> None:
    assert SOCK.data(schema) == data


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"enum": [1]}, True),
        ({"type": "string"}, True),
        ({}, False),
        ({"type": "null"}, False),
        ({"type": "string", "anyOf": []}, False),
        ({"type": "object", "oneOf": []}, False),
        ({"type": "object", "allOf": []}, False),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "array"}, False),
        ({"type": "array", "items": {"$ref": "#/a"}}, False),
        ({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}, False),
        ({"type": "object"}, True),
        ({"type": "string", "properties": {"a": {}}}, True),
    ],
)
def test_a_schema_without_references_and_alternatives_is_simple(schema: Any, expected: bool) -> None:
    assert is_simple(schema) is expected


async def no_model(schema: Mapping[str, Any]) -> Any:
    raise AssertionError(f"a model was asked for {schema}")


async def filled(brief: str, schema: Mapping[str, Any], name: str = "text") -> Any:
    return await FieldWriter(read(brief), no_model).fill(schema, name)


TEXTS = {"type": "array", "items": {"type": "string"}}
SHOP = "Our shop in Leeds, teapots and cups"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("bounds", "number"),
    [
        ({}, 3),
        ({"minItems": 4}, 4),
        ({"minItems": 7}, 5),
        ({"maxItems": 2}, 2),
        ({"minItems": 6, "maxItems": 9}, 6),
    ],
)
async def test_a_list_has_three_items_within_its_bounds(bounds: dict[str, int], number: int) -> None:
    assert len(await filled(SHOP, {**TEXTS, **bounds}, "headlines")) == number


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("bounds", "tags"),
    [
        ({}, ["#Shop", "#Leeds", "#Teapots", "#Cups"]),
        ({"maxItems": 2}, ["#Shop", "#Leeds"]),
        ({"minItems": 4}, ["#Shop", "#Leeds", "#Teapots", "#Cups"]),
        ({"items": {"type": "string", "pattern": "s$"}}, ["#Leeds", "#Teapots", "#Cups"]),
    ],
)
async def test_hashtags_of_a_brief_fill_a_list_of_hashtags(bounds: dict[str, Any], tags: list[str]) -> None:
    assert await filled(SHOP, {**TEXTS, **bounds}, "hashtags") == tags


@pytest.mark.anyio
async def test_a_list_of_hashtags_that_must_be_longer_than_the_brief_has_is_filled_with_lines() -> None:
    assert await filled("Teapots", TEXTS, "hashtags") == ["#Teapots"]
    lines = await filled("Teapots", {**TEXTS, "minItems": 2}, "hashtags")
    assert len(lines) == 3
    assert lines[0] == "Teapots."


@pytest.mark.anyio
async def test_six_hashtags_are_enough() -> None:
    brief = "Bread and rolls, cakes, coffee and lemonade, marmalade, honey and butter"
    assert len(await filled(brief, {**TEXTS, "maxItems": 9}, "hashtags")) == 6
    assert len(await filled(brief, TEXTS, "hashtags")) == 5


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("brief", "schema", "seconds"),
    [
        ("Soap", {"type": "integer"}, 4),
        ("A 30-second teaser for our soap", {"type": "number"}, 30),
        ("A 90-second teaser for our soap", {"type": "integer"}, 60),
        ("A 90-second teaser for our soap", {"type": "integer", "maximum": 20}, 20),
        ("Soap", {"type": "integer", "minimum": 6}, 6),
    ],
)
@pytest.mark.parametrize("name", ["seconds", "duration"])
async def test_seconds_are_those_of_the_brief_within_the_bounds(
    brief: str, schema: Any, seconds: int, name: str
) -> None:
    assert await filled(brief, schema, name) == seconds


@pytest.mark.anyio
async def test_other_numbers_are_generated() -> None:
    assert await FieldWriter(read("Soap"), constrain).fill({"type": "integer"}, "stars") == 3


@pytest.mark.anyio
async def test_movements_repeat_only_when_all_are_said() -> None:
    moves = await filled("Soap", {**TEXTS, "minItems": 7, "maxItems": 7}, "motions")
    assert len(set(moves)) == 6
    assert moves[6] == moves[0] == "Slow push in"
    short = {**TEXTS, "items": {"type": "string", "minLength": 7, "maxLength": 10}}
    assert await filled("Soap", short, "motions") == ["Held still", "Tilt up", "Drift down"]
    unfit = {"type": "string", "minLength": 30}
    assert len(await filled("Soap", unfit, "motion")) >= 30


@pytest.mark.anyio
async def test_a_generated_word_is_not_said_again() -> None:
    async def generated(schema: Mapping[str, Any]) -> Any:
        return dict.fromkeys(schema["properties"], "Find out more")

    schema = {
        "type": "object",
        "properties": {"mood": {"type": "string", "pattern": "^F"}, "cta": {"type": "string"}},
    }
    data = await FieldWriter(read("Soap"), generated).fill(schema)
    assert data == {"mood": "Find out more", "cta": "Get in touch"}


@pytest.mark.anyio
async def test_a_text_has_240_characters_unless_the_schema_allows_up_to_400() -> None:
    brief = " ".join(f"Our soap number {number} smells of rye." for number in range(10, 30))
    assert 200 < len(await filled(brief, {"type": "string"})) <= 240
    assert 360 < len(await filled(brief, {"type": "string", "maxLength": 900})) <= 400


@pytest.mark.anyio
async def test_a_sentence_of_four_hundred_characters_is_a_text() -> None:
    sentence = f"Our soap{' is very, very good' * 20} {'a' * 10}."
    assert len(sentence) == 400
    assert await filled(sentence, {"type": "string", "maxLength": 900}) == sentence
    assert await filled(f"{sentence[:-1]}b.", {"type": "string", "maxLength": 900}) != f"{sentence[:-1]}b."


@pytest.mark.anyio
async def test_a_shot_lasts_a_second_at_least() -> None:
    shot = {"type": "object", "properties": {"seconds": {"type": "integer"}}}
    shots = await filled("A 5-second teaser", {"type": "array", "items": shot, "minItems": 5}, "shots")
    assert shots == [{"seconds": 1}] * 5
    shots = await filled(
        "A 5-second teaser", {"type": "array", "items": shot, "minItems": 20, "maxItems": 20}, "shots"
    )
    assert shots == [{"seconds": 1}] * 20
