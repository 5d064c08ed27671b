"""litellm's price list, by a list of the tests' own."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from impasto_nodes.providers.litellm import prices
from impasto_nodes.providers.litellm.prices import (
    TokenPrice,
    find_unlisted,
    price_of_a_spoken_second,
    token_price,
)
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.paid_calls import priced_model

LIST: dict[str, Any] = {
    "sample_spec": "not a model",
    "acme/writer": {"input_cost_per_token": 1, "output_cost_per_token": 2, "max_output_tokens": 900},
    "writer": {"litellm_provider": "other", "input_cost_per_token": 8, "output_cost_per_token": 8},
    "own": {"litellm_provider": "acme", "input_cost_per_token": 3, "output_cost_per_token": 4},
    "conversing": {"litellm_provider": "acme_converse", "input_cost_per_token": 5},
    "speaking": {"litellm_provider": "acme-language-models", "input_cost_per_token": 6},
    "embedding": {"litellm_provider": "acme-embedding-models", "input_cost_per_token": 7},
    "completing": {"litellm_provider": "text-completion-openai", "input_cost_per_token": 9},
    "acme/long": {
        "input_cost_per_token": 1,
        "input_cost_per_token_above_128k_tokens": 3,
        "input_cost_per_token_above_200k_tokens": 2,
        "input_cost_per_token_above_200k_tokens_priority": 50,
        "input_cost_per_token_batches": 60,
        "output_cost_per_token": 10,
        "output_cost_per_token_above_200k_tokens": 15,
        "output_cost_per_token_above_200k_tokens_priority": 70,
        "output_cost_per_reasoning_token": 12,
        "output_cost_per_image_token": 40,
    },
    "acme/picture": {"input_cost_per_token": 1, "output_cost_per_image": 0.25},
    "acme/clip": {"output_cost_per_video_per_second": 0.5},
    "acme/second": {"output_cost_per_second": 0.75, "input_cost_per_token": 2},
    "acme/ear": {"input_cost_per_second": 0.125, "output_cost_per_second": 0},
    "acme/voice": {"input_cost_per_character": 0.001},
    "acme/odd": {"input_cost_per_token": "free", "max_output_tokens": "many"},
    "acme/unlimited": {"input_cost_per_token": 1, "max_output_tokens": "many"},
}


@pytest.fixture(autouse=True)
def own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    package = tmp_path / "litellm"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model_prices_and_context_window_backup.json").write_bytes(orjson.dumps(LIST))
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    prices._entries.cache_clear()
    yield
    prices._entries.cache_clear()


@pytest.mark.parametrize(
    ("provider", "model", "price"),
    [
        ("acme", "writer", TokenPrice(1, 2, 1, 2, 0, 900)),
        ("acme", "own", TokenPrice(3, 4, 3, 4)),
        ("acme", "conversing", TokenPrice(5, 0, 5, 0)),
        ("acme", "speaking", TokenPrice(6, 0, 6, 0)),
        ("openai", "completing", TokenPrice(9, 0, 9, 0)),
        ("acme", "unlimited", TokenPrice(1, 0, 1, 0, 0, None)),
        ("acme", "long", TokenPrice(1, 12, 3, 15, 40)),
        ("acme", "embedding", None),
        ("acme", "completing", None),
        ("acme", "odd", None),
        ("acme", "clip", None),
        ("acme", "unknown", None),
        ("openai", "unknown", None),
    ],
)
def test_price_of_a_token_is_that_of_the_providers_own_model(
    provider: str, model: str, price: TokenPrice | None
) -> None:
    assert token_price(provider, model) == price


def test_long_input_costs_more_from_its_first_token_above_128_000() -> None:
    price = TokenPrice(1, 2, 10, 20)
    assert price.usd(128_000, 100) == 128_000 + 200
    assert price.usd(128_001, 100) == 1_280_010 + 2_000


@pytest.mark.parametrize(
    ("kind", "name", "price"),
    [
        ("text", "writer", {"price_usd": 2_000, "input_price_usd": 1_000}),
        ("image", "picture", {"price_usd": 0.25}),
        ("video", "clip", {"price_usd": 0.5}),
        ("video", "second", {"price_usd": 0.75}),
        ("captions", "ear", {"price_usd": 7.5}),
        ("speech", "voice", {"price_usd": 1}),
    ],
)
def test_model_that_no_spec_lists_has_the_lists_price(kind: Any, name: str, price: dict[str, float]) -> None:
    assert find_unlisted("acme", kind, name) == Model(kind=kind, name=name, title=name, **price)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("text", "clip"),
        ("image", "writer"),
        ("image", "clip"),
        ("video", "picture"),
        ("captions", "second"),
        ("speech", "ear"),
        ("captions", "voice"),
        ("image", "unknown"),
    ],
)
def test_model_without_a_price_for_its_kind_is_not_found(kind: Any, name: str) -> None:
    assert find_unlisted("acme", kind, name) is None


def test_calls_of_a_model_that_no_spec_lists_are_priced_by_the_list() -> None:
    assert priced_model("text", "openai", "completing") == Model(
        kind="text", name="completing", title="completing", price_usd=0, input_price_usd=9_000
    )


@pytest.mark.parametrize(
    ("model", "price"), [("second", (2, 0.75)), ("clip", None), ("ear", None), ("unknown", None)]
)
def test_speech_is_priced_by_the_second_where_the_list_does(
    model: str, price: tuple[float, float] | None
) -> None:
    assert price_of_a_spoken_second("acme", model) == price


@pytest.mark.parametrize("is_folder", [True, False])
def test_no_price_is_known_where_litellm_is_not_installed(
    is_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_folder:
        (tmp_path / "litellm" / "__init__.py").unlink()
        monkeypatch.setattr(sys, "path", [str(tmp_path)])
    else:
        monkeypatch.setitem(sys.modules, "litellm", None)
    assert token_price("acme", "writer") is None
