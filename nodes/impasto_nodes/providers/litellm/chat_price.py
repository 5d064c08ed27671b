"""The cost of a chat: bounds for its reservation, and its price after its end."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from impasto import PaidCall
from impasto_nodes.providers.litellm.prices import TokenPrice, token_price
from impasto_nodes.providers.paid_calls import is_free, priced_model
from impasto_nodes.providers.protocols import SHORT_ANSWER_TOKENS

MAX_ANSWER_TOKENS = 32_000
"""The longest answer that a run with a budget asks for; the nodes' own limit allows no more."""
_UNKNOWN_MAX_ANSWER = 8_192
_TOKENS_OF_A_MESSAGE = 16
_TOKENS_OF_A_SCHEMA = 600  # with the instructions that providers add to one
_TOKENS_OF_AN_IMAGE = 6_000
_TOKENS_OF_AN_IMAGE_BY_MODEL = {"gpt-4o-mini": 50_000}
_BYTES_OF_A_TOKEN = 3


class Bounds(NamedTuple):
    """The most tokens that a chat may count, and their price."""

    price: TokenPrice
    tokens_in: int
    tokens_out: int

    @property
    def max_usd(self) -> float:
        """The price of the longest answer."""
        return self.price.usd(self.tokens_in, self.tokens_out)

    @property
    def at_least(self) -> float:
        """The price of the shortest answer that is worth a call."""
        return self.price.usd(self.tokens_in, min(self.tokens_out, SHORT_ANSWER_TOKENS))

    def tokens_within(self, usd: float) -> int:
        """Return how many tokens of answer the dollars pay, at least 1."""
        each = self.price.usd(self.tokens_in, 1) - self.price.usd(self.tokens_in, 0)
        if each <= 0:
            return self.tokens_out
        left = usd - self.price.usd(self.tokens_in, 0)
        return max(1, min(self.tokens_out, math.floor(left / each + 1e-6)))


def price_of(provider: str, model: str) -> TokenPrice | None:
    """Return the price of a model's tokens; None if it is not known."""
    if is_free(provider):
        return TokenPrice(0.0, 0.0, 0.0, 0.0)
    known = token_price(provider, model)
    listed = priced_model("text", provider, model)
    if known is not None or listed is None:
        return known
    price_in, price_out = listed.input_price_usd / 1000, listed.price_usd / 1000
    return TokenPrice(price_in, price_out, price_in, price_out)


def bounds_of(
    provider: str, model: str, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> Bounds | None:
    """Return what a chat may count at most; None if the model's price is not known."""
    price = price_of(provider, model)
    if price is None:
        return None
    longest = min(MAX_ANSWER_TOKENS, price.max_output or _UNKNOWN_MAX_ANSWER)
    tokens_out = int(options.get("max_tokens") or longest)
    return Bounds(price, _max_tokens_in(model, messages, options), tokens_out)


def charge_unfinished(call: PaidCall, bounds: Bounds | None, text: str) -> None:
    """Charge an answer that was interrupted: its input, and as much of the answer as has arrived."""
    if bounds is None:
        call.charge(0.0)
        return
    tokens_in = math.ceil(bounds.tokens_in / _BYTES_OF_A_TOKEN)
    tokens_out = math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_OF_A_TOKEN)
    usd = bounds.price.usd(tokens_in, tokens_out)
    max_usd = usd if call.max_usd is None else call.max_usd
    call.charge(min(usd, max_usd), tokens_in=tokens_in, tokens_out=tokens_out)


def _max_tokens_in(model: str, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> int:
    """Return a number of tokens that the input cannot exceed: a token has at least one byte."""
    count = 0
    for message in messages:
        content = message["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        count += _TOKENS_OF_A_MESSAGE + sum(_max_tokens_of(model, part) for part in parts)
    if shape := options.get("response_format"):
        count += _TOKENS_OF_A_SCHEMA + len(json.dumps(shape))
    return count


def _max_tokens_of(model: str, part: Mapping[str, Any]) -> int:
    if part["type"] == "text":
        return len(str(part["text"]).encode("utf-8", "replace"))
    return _TOKENS_OF_AN_IMAGE_BY_MODEL.get(model, _TOKENS_OF_AN_IMAGE)
