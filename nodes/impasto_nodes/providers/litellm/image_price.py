"""The cost of images: a price per quality, from which the budget may choose."""

from collections.abc import Mapping

from impasto_nodes.providers.litellm.prices import TokenPrice, token_price
from impasto_nodes.providers.paid_calls import priced_model
from impasto_nodes.providers.protocols import ImageRequest

_SQUARE_TOKENS = {"low": 272, "medium": 1_056, "high": 4_160}
_WIDE_TOKENS = {"low": 408, "medium": 1_584, "high": 6_240}
"""Tokens of one image of OpenAI's, by quality; a price by image says nothing of the quality."""
_OTHER_TOKENS = 1_300
_INPUT_IMAGE_TOKENS = 6_300
_ROUNDING = 1e-8
"""US dollars. What the limit of a user grants is rounded to this, and so may be less than the price."""


class ImagePrice:
    """The price of the images of one request, in US dollars."""

    def __init__(self, each: Mapping[str, float], quality: str, input_usd: float) -> None:
        self._each = each
        self._quality = quality
        self._input_usd = input_usd

    def max_usd(self, n: int) -> float:
        """Return the price of `n` images at the highest quality that the model may choose."""
        return self._input_usd + n * self._of("high" if self._quality == "auto" else self._quality)

    def at_least(self, n: int) -> float:
        """Return the price of `n` images at the lowest quality that is asked for."""
        return self._input_usd + n * self._of("medium" if self._quality == "auto" else self._quality)

    def likely(self, n: int) -> float:
        """Return the price of `n` images by the list, for an answer that counts no tokens."""
        return n * self._of("medium" if self._quality == "auto" else self._quality)

    def quality_within(self, n: int, usd: float | None) -> dict[str, str]:
        """Return the setting that keeps `n` images within the dollars; empty if none is needed."""
        is_chosen = self._quality != "auto" or usd is None or self.max_usd(n) <= usd + _ROUNDING
        return {} if is_chosen or len(self._each) == 1 else {"quality": "medium"}

    def _of(self, quality: str) -> float:
        return self._each.get(quality, max(self._each.values()))


def image_price(provider: str, request: ImageRequest) -> ImagePrice | None:
    """Return the price of a request's images; None if the model has none."""
    tokens, listed = token_price(provider, request.model), priced_model("image", provider, request.model)
    quality = str(request.model_settings.get("quality") or "auto")
    price = tokens.output_image if tokens is not None else 0.0
    if provider == "openai" and price:
        counts = _SQUARE_TOKENS if request.aspect_ratio == "1:1" else _WIDE_TOKENS
        each: dict[str, float] = {name: count * price for name, count in counts.items()}
        if listed is not None and listed.price_usd:
            each["medium"] = max(each["medium"], listed.price_usd)
    elif listed is not None:
        each = {"any": max(listed.price_usd, _OTHER_TOKENS * price)}
    else:
        return None
    input_tokens = len(request.prompt.encode("utf-8", "replace")) + len(request.negative_prompt) * 4 + 64
    input_tokens += _INPUT_IMAGE_TOKENS if request.image is not None else 0
    return ImagePrice(each, quality, input_tokens * _input_price(tokens))


def _input_price(tokens: TokenPrice | None) -> float:
    """Return the price of a token of the input; tokens of its images cost up to twice those of its text."""
    return 2 * tokens.input if tokens is not None else 0.0
