"""Prompts for very small models: examples, and how a text is shortened."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import PRESETS
from impasto_nodes.providers.local.language_models.families import family_of
from impasto_nodes.providers.local.text_generation.examples import EXAMPLES, kind_of
from impasto_nodes.providers.local.text_generation.prompts import ask_by_example, sampling, shorten

BRIEF = "Trail running shoes made from ocean plastic"


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


def test_question_is_short_and_the_last_message() -> None:
    messages = ask_by_example("Write an ad. " + "Really. " * 200, BRIEF, PRESETS["ad_copy"])
    assert messages[0]["role"] == "system"
    assert messages[-1]["role"] == "user"
    assert len(messages[-1]["content"]) < 400
    assert "headline, body, call_to_action" in messages[-1]["content"]


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
        ("hashtags", "hashtag"),
        ("image_prompts", "scene"),
        ("cta", "call_to_action"),
        ("whatever", "text"),
        ("s", "text"),
    ],
)
def test_the_end_of_a_property_name_selects_the_kind_of_its_text(name: str, kind: str) -> None:
    assert kind_of(name) == kind


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
