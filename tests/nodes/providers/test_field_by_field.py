"""Measures for very small models: examples, scores, texts taken from the brief."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import PRESETS
from impasto_nodes.providers.local.language_models.families import family_of
from impasto_nodes.providers.local.text_generation.examples import EXAMPLES, kind_of
from impasto_nodes.providers.local.text_generation.fields import FieldWriter, is_simple
from impasto_nodes.providers.local.text_generation.prompts import ask_by_example, sampling, shorten
from impasto_nodes.providers.local.text_generation.quality_score import data_score, text_score
from impasto_nodes.providers.local.text_generation.vocabulary import unknown_share
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
    ("name", "kind"),
    [
        ("Subject", "headline"),
        ("headlines", "headline"),
        ("product_name", "title"),
        ("tags", "hashtag"),
        ("button", "call_to_action"),
        ("calls_to_action", "call_to_action"),
        ("camera", "motion"),
        ("s", "text"),
    ],
)
def test_the_end_of_a_property_name_tells_its_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


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


TRAIL = "Trail running shoes made from ocean plastic"


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Ocean plastic shoes", 1.0),
        ("Ocean waves", 0.5 + 0.5 / 3),
        ("Ocean ocean ocean", 0.5 / 2.1 + 0.5 / 3),
        ("OceanPlastic", 0.5 + 0.5 * 2 / 3),
        ("Ocean plastic output", 0.5 + 0.5 * 2 / 3 - 0.4),
        ("Merino ocean plastic", 0.5 + 0.5 * 2 / 3 - 1 / 3),
        (TRAIL.upper(), 0.6),
        (f"{TRAIL}!", 0.6),
        (f"{TRAIL} for people of the hills", 1.0),
        ("", 0.0),
        ("an ox", 0.0),
    ],
)
def test_a_score_counts_words_of_the_brief_against_repetition_and_copies(text: str, score: float) -> None:
    assert text_score(text, TRAIL) == pytest.approx(score)


def test_a_brief_without_long_words_is_no_reproach() -> None:
    assert text_score("Ocean plastic", "") == 0.5
    assert text_score("Ocean plastic", "Ocean") == 1.0


@pytest.mark.parametrize(
    ("data", "score"),
    [
        (["Ocean plastic shoes", "Ocean waves"], 1.0),
        ({"a": "Ocean plastic shoes", "b": "Ocean plastic SHOES"}, 0.5 / 1.4 + 0.5 - 0.5),
        ({"a": "Ocean plastic shoes", "b": "Long miles, dry feet"}, 1.0 - 3 / 6 - 0.5),
        ([], 1.0),
    ],
)
def test_a_score_of_data_is_that_of_its_texts_less_doubles_and_copies(data: Any, score: float) -> None:
    assert data_score(data, TRAIL) == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "characters", "short"),
    [
        ("One. Two three four", 8, "One."),
        ("One. Two. Three", 12, "One. Two."),
        ("One two three", 8, "One two"),
        ("Onetwothree", 8, "Onetwoth"),
        ("One  two", 7, "One two"),
        ("One two", 6, "One"),
    ],
)
def test_a_prompt_is_shortened_to_a_sentence_or_a_word(text: str, characters: int, short: str) -> None:
    assert shorten(text, characters) == short


def test_a_tiny_model_gets_a_role_two_examples_and_the_question() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    messages = ask_by_example("Be kind.", "Soap", schema)
    assert [message["role"] for message in messages] == [
        "system",
        *("user", "assistant"),
        *("user", "assistant"),
        "user",
    ]
    assert messages[-1]["content"] == "Be kind.\nBrief: Soap\nAnswer with JSON: a, b"
    assert messages[-2]["content"] == json.dumps(EXAMPLES[1].data(schema))
    messages = ask_by_example("", "Soap", None)
    assert messages[-1]["content"] == "Write a short text.\nBrief: Soap"
    assert messages[-2]["content"] == EXAMPLES[1].text


def test_a_later_draft_is_a_little_less_predictable() -> None:
    family = family_of("qwen3-1.7b.gguf")
    assert sampling(family, None, 7) == {
        "frequency_penalty": 0.2,
        "temperature": 0.7,
        "top_p": 0.8,
        "presence_penalty": 0.5,
        "seed": 7,
        "extra_body": {
            "top_k": 20,
            "dry_multiplier": 0.8,
            "dry_allowed_length": 3,
            "cache_prompt": True,
            "chat_template_kwargs": {"enable_thinking": False},
        },
    }
    later = sampling(family, None, 2**31 - 1, attempt=2)
    assert (later["temperature"], later["seed"]) == (pytest.approx(1.0), 1)
    fixed = sampling(family_of("smollm2-1.7b"), 0.3, 7, attempt=2)
    assert fixed["temperature"] == 0.3
    assert "chat_template_kwargs" not in fixed["extra_body"]
    assert family.sampling["temperature"] == 0.7


@pytest.mark.parametrize(
    ("text", "known", "language", "share"),
    [
        ("Our refillable soap", "", "en", 0.0),
        ("Our refillable soap blorgs", "", "en", 0.0),
        ("Zorbel blorgs refillable soap", "", "en", 0.5),
        ("Zorbel blorgs refillable soap", "ZORBEL", "en", 0.0),
        ("Zorbel zorbel soap", "", "en", 0.0),
        ("Zorbel blorgs", "", "ja", 0.0),
        ("", "", "en", 0.0),
        ("Sommerfest Straßenfest Seifenkiste", "", "de", 0.0),
        ("Zorbelfest Blorgsfest", "", "de", 1.0),
        ("Zorbelfest Blorgsfest", "Zorbel, Blorg", "de", 0.0),
        ("Zorbelfest Blorgsfest", "Zorbel, Blorg", "en", 1.0),
        ("Zorbfest Zorbenfest Brot", "Zorb", "de", 0.0),
        ("Zorfest Blofest", "Zor, Blo", "de", 1.0),
        ("Festrad Festrat", "Fest", "de", 1.0),
    ],
)
def test_the_share_of_unknown_words_allows_for_names_and_compounds(
    text: str, known: str, language: str, share: float
) -> None:
    assert unknown_share(text, known, language) == share


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
