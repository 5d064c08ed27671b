"""A request of text as litellm's messages and options."""

from typing import Any

import pytest
from tests.fakes.reports import seen_by, shown
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import EmptyAnswer
from impasto_nodes.providers.litellm.schema_examples import describe_examples
from impasto_nodes.providers.litellm.text import (
    LiteLLMText,
    is_closed,
    messages_for,
    options_for,
    takes_temperature,
)
from impasto_nodes.providers.protocols import ImageData, TextRequest


def request(**facts: Any) -> TextRequest:
    return TextRequest(model="m", prompt="A can", **facts)


def test_request_is_a_message_of_the_user_after_that_of_the_system() -> None:
    assert messages_for(request()) == [{"role": "user", "content": "A can"}]
    system, user = messages_for(
        request(system="Write.", images=(ImageData(media_type="image/png", data=b"abc"),))
    )
    assert system == {"role": "system", "content": "Write."}
    assert user == {
        "role": "user",
        "content": [
            {"type": "text", "text": "A can"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}},
        ],
    }


def test_only_settings_that_are_set_are_sent() -> None:
    assert options_for(request()) == {}
    assert options_for(request(temperature=0.0, max_tokens=5, seed=0)) == {
        "temperature": 0.0,
        "max_tokens": 5,
        "seed": 0,
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("provider", "model", "is_sent"),
    [
        ("openai", "gpt-4o-mini", True),
        ("openai", "gpt-5-mini", False),
        ("ollama", "own", True),
        ("no provider", "unknown", True),
    ],
)
async def test_temperature_is_sent_unless_the_model_is_known_to_have_none(
    provider: str, model: str, is_sent: bool
) -> None:
    asked = TextRequest(model=model, prompt="A can", temperature=0.5)
    assert await takes_temperature(provider, asked) is is_sent


@pytest.mark.anyio
@pytest.mark.parametrize("temperature", [None, 0.5])
async def test_temperature_that_the_model_does_not_have_is_reported(
    fakes: State, temperature: float | None
) -> None:
    context = FakeContext(configuration={"OPENAI_API_KEY": GOOD_KEY} | addresses(fakes))
    asked = TextRequest(model="gpt-5-mini", prompt="A can", temperature=temperature)
    assert [part async for part in LiteLLMText("openai").stream(asked, seen_by(context))]
    notice = (0.0, "gpt-5-mini has no temperature: the setting is ignored.")
    assert shown(context) == ([] if temperature is None else [notice])
    (sent,) = fakes.requests("/chat/completions", "POST")
    assert "temperature" not in sent.body
    context.close()


@pytest.mark.anyio
async def test_question_has_the_key_of_its_step_until_an_answer_is_empty(fakes: State) -> None:
    context = FakeContext(configuration={"OPENAI_API_KEY": GOOD_KEY} | addresses(fakes))

    async def ask() -> None:
        asked = TextRequest(model="gpt-5-mini", prompt="A can")
        assert [part async for part in LiteLLMText("openai").stream(asked, seen_by(context))]

    await ask()
    await ask()
    for _ in range(2):
        fakes.misbehave("no_text", on="/chat/completions")
        with pytest.raises(EmptyAnswer):
            await ask()
    await ask()
    first = "test-node:9941b8aff409b3c9"
    keys = [one.headers["idempotency-key"] for one in fakes.requests("/chat/completions", "POST")]
    assert keys == [first, first, first, f"{first}:1", f"{first}:2"]
    context.close()


@pytest.mark.parametrize("is_strict", [True, False])
def test_schema_is_strict_if_it_is_closed(is_strict: bool) -> None:
    schema = {"type": "object", "properties": {"a": {"examples": ["x"]}}, "required": ["a"]}
    schema |= {"additionalProperties": not is_strict}
    assert options_for(request(schema=schema))["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "answer",
            "schema": schema | {"properties": {"a": {"description": "For example: x."}}},
            "strict": is_strict,
        },
    }


CLOSED: dict[str, Any] = {"type": "object", "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "is_one"),
    [
        (True, True),
        ({"type": "string"}, True),
        (CLOSED, True),
        (CLOSED | {"properties": {"a": {}}, "required": ["a"]}, True),
        (CLOSED | {"properties": {"a": {}}}, False),
        (CLOSED | {"properties": {"a": {}, "b": {}}, "required": ["a"]}, False),
        (CLOSED | {"required": ["a"]}, False),
        ({"type": "object"}, False),
        ({"properties": {"a": {}}, "required": ["a"]}, False),
        ({"properties": {}, "additionalProperties": False}, True),
        ({"type": "array", "items": {"type": "object"}}, False),
        ({"anyOf": [CLOSED, {"type": "object"}]}, False),
        ({"anyOf": [CLOSED, CLOSED]}, True),
        (CLOSED | {"properties": {"a": {"type": "object"}}, "required": ["a"]}, False),
    ],
)
def test_schema_is_closed_if_every_object_lists_all_of_its_fields(schema: Any, is_one: bool) -> None:
    assert is_closed(schema) is is_one


@pytest.mark.parametrize(
    ("schema", "described"),
    [
        (True, True),
        ({"examples": []}, {}),
        ({"examples": "odd"}, {}),
        ({"examples": ["a", 5, "é"]}, {"description": "For example: a, 5, é."}),
        ({"examples": [{"ä": 1}], "description": "It."}, {"description": 'It. For example: {"ä": 1}.'}),
        ({"items": {"examples": [1]}}, {"items": {"description": "For example: 1."}}),
        (
            {"not": True, "contains": {"examples": [1]}},
            {"not": True, "contains": {"description": "For example: 1."}},
        ),
        ({"$defs": {"x": {"examples": [1]}}}, {"$defs": {"x": {"description": "For example: 1."}}}),
        ({"properties": "odd", "anyOf": "odd"}, {"properties": "odd", "anyOf": "odd"}),
        (
            {"prefixItems": [{"examples": [1]}, True]},
            {"prefixItems": [{"description": "For example: 1."}, True]},
        ),
    ],
)
def test_examples_of_a_schema_become_its_description(schema: Any, described: Any) -> None:
    assert describe_examples(schema) == described
