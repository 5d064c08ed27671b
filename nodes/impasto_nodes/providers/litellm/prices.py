"""litellm's price list, read without importing litellm, which takes seconds."""

import functools
import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import Kind

_FILE = "model_prices_and_context_window_backup.json"
_LONG_INPUT_TOKENS = 128_000
"""From here on some models cost more: the keys of their prices end in `_above_128k_tokens` and the like."""


class TokenPrice(NamedTuple):
    """US dollars of one token, and the longest answer in tokens (None: not known).

    `output_image` is that of a token of an image. `long_input` and `long_output` are the highest prices for
    long inputs.
    """

    input: float
    output: float
    long_input: float
    long_output: float
    output_image: float = 0.0
    max_output: int | None = None

    def usd(self, tokens_in: float, tokens_out: float) -> float:
        """Return the price of a call in US dollars."""
        is_long = tokens_in > _LONG_INPUT_TOKENS
        input_price, output_price = (
            (self.long_input, self.long_output) if is_long else (self.input, self.output)
        )
        return tokens_in * input_price + tokens_out * output_price


def token_price(provider: str, model: str) -> TokenPrice | None:
    """Return the price of a model's tokens; None if the list has none."""
    found = _listing(provider, model)
    if not isinstance(found.get("input_cost_per_token"), int | float):
        return None
    max_output = found.get("max_output_tokens")
    return TokenPrice(
        float(found["input_cost_per_token"]),
        _highest(found, "output_cost_per_token", "output_cost_per_reasoning_token"),
        _highest(found, *_long(found, "input_cost_per_token")),
        _highest(found, "output_cost_per_reasoning_token", *_long(found, "output_cost_per_token")),
        _highest(found, "output_cost_per_image_token"),
        int(max_output) if isinstance(max_output, int | float) else None,
    )


def find_unlisted(provider: str, kind: Kind, name: str) -> Model | None:
    """Return a model that the provider's spec does not list, with its price; None if litellm has none."""
    found = _listing(provider, name)
    price = token_price(provider, name)
    if kind == "text" and price is not None:
        return Model(
            kind="text",
            name=name,
            title=name,
            price_usd=price.output * 1000,
            input_price_usd=price.input * 1000,
        )
    if kind == "image" and (each := _highest(found, "output_cost_per_image")):
        return Model(kind="image", name=name, title=name, price_usd=each)
    if kind == "video" and (
        second := _highest(found, "output_cost_per_second", "output_cost_per_video_per_second")
    ):
        return Model(kind="video", name=name, title=name, price_usd=second)
    if kind == "captions" and (second := _highest(found, "input_cost_per_second")):
        return Model(kind="captions", name=name, title=name, price_usd=second * 60)
    if kind == "speech" and (character := _highest(found, "input_cost_per_character")):
        return Model(kind="speech", name=name, title=name, price_usd=character * 1000)
    return None


def price_of_a_spoken_second(provider: str, model: str) -> tuple[float, float] | None:
    """Return the dollars of a character of text, a token at most, and of a second of speech.

    None for a model that the list does not price by the second.
    """
    found = _listing(provider, model)
    second = _highest(found, "output_cost_per_second")
    return (_highest(found, "input_cost_per_token"), second) if second else None


def _listing(provider: str, model: str) -> Mapping[str, Any]:
    """Return a model's prices; empty if the list has none."""
    entries = _entries()
    if found := entries.get(f"{provider}/{model}"):
        return found
    bare = entries.get(model, {})
    if provider == "openai":
        return bare
    # litellm divides some providers: bedrock_converse, vertex_ai-language-models.
    family = str(bare.get("litellm_provider", "")).removeprefix(provider)
    return bare if not family or family.startswith(("_converse", "-language")) else {}


def _long(found: Mapping[str, Any], name: str) -> list[str]:
    return [
        key for key in found if key == name or (key.startswith(f"{name}_above_") and key.endswith("_tokens"))
    ]


def _highest(found: Mapping[str, Any], *names: str) -> float:
    prices = [found[name] for name in names if isinstance(found.get(name), int | float)]
    return float(max(prices, default=0.0))


@functools.cache
def _entries() -> dict[str, dict[str, Any]]:
    """Return the prices by model; empty without litellm."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    read = orjson.loads((Path(spec.origin).parent / _FILE).read_bytes())
    return {
        name: {
            key: value
            for key, value in entry.items()
            if "_cost_per_" in key or key in {"max_output_tokens", "litellm_provider"}
        }
        for name, entry in read.items()
        if isinstance(entry, dict)
    }
