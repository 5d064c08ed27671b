"""Presets of data: their schemas, their meaning, and how an answer is shown as text."""

from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import NAMES, PRESETS, as_text, meaning_of, schema_for
from impasto_nodes.providers.litellm.text import is_closed


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_strict_schema(name: str) -> None:
    jsonschema_rs.Draft202012Validator(PRESETS[name])
    assert is_closed(PRESETS[name])


def limits(schema: Any) -> Any:
    """The fields of a schema with the least and the largest length, count or value of each."""
    if schema["type"] == "object":
        return {name: limits(field) for name, field in schema["properties"].items()}
    if schema["type"] == "array":
        return [limits(schema["items"]), schema["minItems"], schema["maxItems"]]
    names = ("minimum", "maximum") if schema["type"] == "integer" else ("minLength", "maxLength")
    return tuple(schema.get(name) for name in names)


HASHTAG = (None, 30)


def test_each_field_of_a_preset_has_its_limits() -> None:
    assert {name: limits(schema) for name, schema in PRESETS.items()} == {
        "ad_copy": {"headline": (8, 60), "body": (30, 200), "call_to_action": (4, 30)},
        "ad_set": {
            "offer": (3, 90),
            "calls_to_action": [(4, 30), 4, 4],
            "headlines": [(8, 60), 4, 4],
        },
        "social_post": {"caption": (30, 220), "hashtags": [HASHTAG, 1, 6]},
        "shot_list": {
            "title": (4, 60),
            "shots": [{"scene": (12, 160), "motion": (3, 60), "seconds": (2, 10)}, 3, 6],
        },
        "hashtags": {"hashtags": [HASHTAG, 1, 10]},
        "headlines": {"headlines": [(8, 70), 3, 6]},
        "voice_over": {"script": (40, 400)},
        "image_prompts": {"prompts": [(20, 240), 3, 4]},
    }


def test_fields_that_need_it_say_what_they_hold() -> None:
    shot = PRESETS["shot_list"]["properties"]["shots"]["items"]["properties"]
    assert shot["scene"]["description"] == "What the camera sees"
    assert shot["motion"]["description"] == "How the camera moves"
    offer = PRESETS["ad_set"]["properties"]["offer"]
    assert offer["description"] == "What the customer gets, in one line"
    assert "description" not in PRESETS["ad_copy"]["properties"]["headline"]


@pytest.mark.parametrize(
    ("tag", "is_valid"), [("#tea", True), ("#", False), ("tea", False), ("#tea#time", False)]
)
def test_a_hashtag_is_one_word_behind_its_sign(tag: str, is_valid: bool) -> None:
    validator = jsonschema_rs.Draft202012Validator(PRESETS["hashtags"])
    assert validator.is_valid({"hashtags": [tag]}) is is_valid


def test_every_field_of_a_preset_is_required() -> None:
    validator = jsonschema_rs.Draft202012Validator(PRESETS["ad_copy"])
    full = {
        "headline": "A kiln for two",
        "body": "Fires at night, and cools by day.",
        "call_to_action": "Book",
    }
    assert validator.is_valid(full)
    assert not any(validator.is_valid({k: v for k, v in full.items() if k != name}) for name in full)
    assert not validator.is_valid(full | {"more": "x"})


def test_each_preset_has_a_schema() -> None:
    assert schema_for("none", None) is None
    assert ("none", *PRESETS, "custom") == NAMES
    assert schema_for("custom", {"type": "array"}) == {"type": "array"}
    assert schema_for("custom", None) == {"type": "object"}
    assert all(schema_for(name, None) for name in NAMES if name != "none")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"headline": "Cold", "body": "Warm."}, "Cold\n\nWarm."),
        ({"caption": "Sip.", "hashtags": ["#a", "#b"]}, "Sip.\n\n#a #b"),
        (["One", "Two"], "One\nTwo"),
        ("plain", "plain"),
        ({"n": 3}, "3"),
        (3, "3"),
        (2.5, "2.5"),
        (True, "True"),
        ([], ""),
        (["#a", "b"], "#a\nb"),
        (["#a", "#b"], "#a #b"),
        ({"a": [], "b": 1}, "\n\n1"),
        ([{"a": "é"}], '[\n  {\n    "a": "é"\n  }\n]'),
        ({"a": ["é", 1]}, '{\n  "a": [\n    "é",\n    1\n  ]\n}'),
        (None, "null"),
        ({"shots": [{"scene": "x"}]}, '{\n  "shots": [\n    {\n      "scene": "x"\n    }\n  ]\n}'),
    ],
)
def test_data_is_converted_to_text(data: object, text: str) -> None:
    assert as_text(data) == text


def test_an_own_shape_has_no_meaning() -> None:
    assert meaning_of({"output_schema_preset": "custom"}) is None
    assert meaning_of({}) is None
    assert {name: found for name in NAMES if (found := meaning_of({"output_schema_preset": name}))} == {
        "ad_copy": "ad",
        "social_post": "post",
        "shot_list": "shot_list",
        "hashtags": "hashtags",
    }


def test_an_open_object_anywhere_is_not_strict() -> None:
    assert not is_closed({"type": "object", "properties": {"a": {"type": "string"}}})
    assert not is_closed({"type": "array", "items": {"type": "object", "properties": {}}})
