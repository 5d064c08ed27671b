"""Measures for very small models: examples, scores, texts taken from the brief."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import PRESETS
from impasto_nodes.providers.local.text_generation.examples import EXAMPLES, kind_of
from impasto_nodes.providers.local.text_generation.fields import FieldWriter, is_simple
from impasto_nodes.providers.local.text_generation.prompts import ask_by_example, shorten
from impasto_nodes.providers.local.text_generation.quality_score import data_score, text_score
from impasto_nodes.providers.local.writing.brief import read

BRIEF = "Trail running shoes made from ocean plastic"
BRAND = "Write.\nYou write for Northbound Coffee.\nSlow-steeped coffee for early people.\nTone: warm."
BRIEFS = (
    "Summer sale: 30% off all linen shirts until Sunday midnight.",
    "A reusable water bottle that tells you when the water is stale.",
    "Neue Laufschuhe aus recyceltem Ozeanplastik, ab Montag im Laden.",
    "We open our first roastery to visitors on the last Saturday of the month. Come early!",
)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_match_the_schema_of_any_preset(name: str, example: Any) -> None:
    kinds = {key: value for key, value in PRESETS[name].items() if key != "required"}
    found = example.data(PRESETS[name])
    assert set(found) == set(kinds["properties"])
    lengths = [
        error for error in errors(found, PRESETS[name]) if error.kind.name not in {"minLength", "minItems"}
    ]
    assert lengths == []


def errors(data: Any, schema: Mapping[str, Any]) -> list[Any]:
    return list(jsonschema_rs.Draft202012Validator(schema).iter_errors(data))


def test_field_names_select_the_kind_of_text() -> None:
    assert kind_of("headlines") == "headline"
    assert kind_of("hashtags") == "hashtag"
    assert kind_of("image_prompts") == "scene"
    assert kind_of("cta") == "call_to_action"
    assert kind_of("whatever") == "text"


def test_score_prefers_relevant_and_new_text() -> None:
    good = text_score("Rainy trail? Running shoes of ocean plastic keep their grip.", BRIEF)
    assert good > text_score("The world is tiny. The world is tiny.", BRIEF)
    assert good > text_score("Merino socks and mint tea on running days.", BRIEF)
    assert good > text_score("Here is a rewritten version of the prompt: ocean plastic shoes.", BRIEF)
    assert good > text_score(BRIEF, BRIEF)
    assert text_score("", BRIEF) == 0.0
    assert text_score("#OceanPlasticShoes", BRIEF, hits=1) > text_score("#LemonBars", BRIEF, hits=1)


def test_repeated_data_has_a_lower_score() -> None:
    once = {"a": "Ocean plastic shoes", "b": "For every trail"}
    twice = {"a": "Ocean plastic shoes", "b": "ocean plastic shoes"}
    assert data_score(once, BRIEF) > data_score(twice, BRIEF)
    assert data_score({"seconds": 3}, BRIEF) == 1.0


def test_question_is_short_and_the_last_message() -> None:
    messages = ask_by_example("Write an ad. " + "Really. " * 200, BRIEF, PRESETS["ad_copy"])
    assert messages[0]["role"] == "system"
    assert messages[-1]["role"] == "user"
    assert len(messages[-1]["content"]) < 400
    assert "headline, body, call_to_action" in messages[-1]["content"]
    assert shorten("One. Two three four", 8) == "One."


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
