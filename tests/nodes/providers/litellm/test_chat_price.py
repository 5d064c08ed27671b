"""What a chat may cost at most, and what an unfinished one is charged."""

import json
from typing import Any

import pytest

from impasto import PaidCall
from impasto_nodes.providers.litellm.chat_price import Bounds, bounds_of, charge_unfinished, price_of
from impasto_nodes.providers.litellm.prices import TokenPrice, token_price

PRICE = TokenPrice(1, 2, 10, 20)
MODEL = "gpt-5-mini"


def tokens_in(messages: list[dict[str, Any]], model: str = MODEL, **options: Any) -> int:
    bounds = bounds_of("openai", model, messages, options)
    assert bounds is not None
    return bounds.tokens_in


@pytest.mark.parametrize(
    ("content", "model", "expected"),
    [
        ("", MODEL, 16),
        ("abc", MODEL, 19),
        ("é", MODEL, 18),
        ("\ud800", MODEL, 17),
        ([{"type": "text", "text": "ab"}, {"type": "image_url", "image_url": {}}], MODEL, 16 + 2 + 6_000),
        ([{"type": "image_url", "image_url": {}}], "gpt-4o-mini", 16 + 50_000),
    ],
)
def test_input_counts_its_bytes_and_its_images(content: Any, model: str, expected: int) -> None:
    assert tokens_in([{"content": content}], model) == expected


def test_each_message_and_the_schema_are_counted() -> None:
    shape = {"type": "json_schema"}
    assert tokens_in([{"content": "a"}, {"content": "b"}]) == 34
    assert tokens_in([{"content": "a"}], response_format=shape) == 17 + 600 + len(json.dumps(shape))


@pytest.mark.parametrize(
    ("provider", "model", "options", "expected"),
    [
        ("openai", MODEL, {"max_tokens": 50}, 50),
        ("openai", MODEL, {"max_tokens": 100_000}, 100_000),
        ("openai", MODEL, {}, 32_000),
        ("deepseek", "deepseek-chat", {}, 8_192),
        ("ollama", "unknown", {}, 8_192),
    ],
)
def test_answer_is_as_long_as_asked_for_or_as_the_model_allows(
    provider: str, model: str, options: dict[str, Any], expected: int
) -> None:
    bounds = bounds_of(provider, model, [], options)
    assert bounds is not None
    assert bounds.tokens_out == expected


def test_price_is_litellms_then_the_catalogs() -> None:
    assert price_of("openai", MODEL) == token_price("openai", MODEL)
    assert token_price("openrouter", "openrouter/auto") is None
    assert price_of("openrouter", "openrouter/auto") == TokenPrice(1e-6, 5e-6, 1e-6, 5e-6)
    assert price_of("ollama", "anything") == TokenPrice(0, 0, 0, 0)
    assert price_of("openai", "unheard-of") is None
    assert bounds_of("openai", "unheard-of", [], {}) is None


@pytest.mark.parametrize(("tokens_out", "max_usd", "at_least"), [(1_000, 2_010, 522), (100, 210, 210)])
def test_shortest_useful_answer_has_256_tokens(tokens_out: int, max_usd: float, at_least: float) -> None:
    bounds = Bounds(PRICE, 10, tokens_out)
    assert (bounds.max_usd, bounds.at_least) == (max_usd, at_least)


@pytest.mark.parametrize(
    ("usd", "tokens"), [(30, 10), (31.9, 10), (32, 11), (10_000, 50), (12, 1), (10, 1), (0, 1)]
)
def test_dollars_pay_for_the_input_first(usd: float, tokens: int) -> None:
    assert Bounds(PRICE, 10, 50).tokens_within(usd) == tokens


def test_answer_that_costs_nothing_is_not_limited() -> None:
    assert Bounds(TokenPrice(1, 0, 1, 0), 10, 50).tokens_within(0) == 50


@pytest.mark.parametrize(
    ("limit", "text", "charge"),
    [
        (None, "abcd", (8, {"tokens_in": 4, "tokens_out": 2})),
        (100.0, "éé", (8, {"tokens_in": 4, "tokens_out": 2})),
        (5.0, "abcd", (5, {"tokens_in": 4, "tokens_out": 2})),
        (None, "", (4, {"tokens_in": 4, "tokens_out": 0})),
        (None, "\ud800", (6, {"tokens_in": 4, "tokens_out": 1})),
    ],
)
def test_interrupted_answer_is_charged_by_its_bytes_up_to_the_limit(
    limit: float | None, text: str, charge: tuple[float, dict[str, int]]
) -> None:
    charges: list[tuple[float, dict[str, Any]]] = []
    call = PaidCall(limit, lambda usd, units, is_assumed: charges.append((usd, dict(units))))
    charge_unfinished(call, Bounds(PRICE, 10, 50), text)
    assert charges == [charge]


def test_interrupted_answer_of_an_unknown_price_is_free() -> None:
    charges: list[float] = []
    call = PaidCall(None, lambda usd, units, is_assumed: charges.append(usd))
    charge_unfinished(call, None, "abc")
    assert charges == [0]
