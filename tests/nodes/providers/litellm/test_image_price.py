"""The price of images by their quality, the quality that a budget allows, and the price of speech."""

from typing import Any

import pytest
from tests.nodes.providers.own_providers import Install, unused

from impasto import Image
from impasto_nodes.providers.litellm.image_price import ImagePrice, image_price
from impasto_nodes.providers.litellm.prices import token_price
from impasto_nodes.providers.litellm.speech.price import SpeechPrice, speech_price
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import ImageRequest
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

KEY = CredentialField(variable="ACME_KEY")
EACH = {"low": 0.25, "medium": 0.5, "high": 2.0}


@pytest.mark.parametrize(
    ("quality", "max_usd", "at_least", "likely"),
    [("auto", 7, 2.5, 1.5), ("low", 1.75, 1.75, 0.75), ("high", 7, 7, 6), ("unknown", 7, 7, 6)],
)
def test_images_cost_by_their_quality_and_the_input_once(
    quality: str, max_usd: float, at_least: float, likely: float
) -> None:
    price = ImagePrice(EACH, quality, 1.0)
    assert price.max_usd(3) == max_usd
    assert price.at_least(3) == at_least
    assert price.likely(3) == likely


@pytest.mark.parametrize(
    ("each", "quality", "usd", "setting"),
    [
        (EACH, "auto", 7.0, {}),
        (EACH, "auto", 6.999_999_995, {}),
        (EACH, "auto", 6.99, {"quality": "medium"}),
        (EACH, "auto", None, {}),
        (EACH, "high", 1.0, {}),
        ({"any": 2.0}, "auto", 1.0, {}),
    ],
)
def test_quality_is_lowered_only_where_the_budget_asks_for_it(
    each: dict[str, float], quality: str, usd: float | None, setting: dict[str, str]
) -> None:
    assert ImagePrice(each, quality, 1.0).quality_within(3, usd) == setting


def price(provider: str, model: str, prompt: str = "abc", **facts: Any) -> ImagePrice:
    found = image_price(provider, ImageRequest(model=model, prompt=prompt, **facts))
    assert found is not None
    return found


def test_image_of_openais_costs_its_tokens_and_its_prompt() -> None:
    tokens = token_price("openai", "gpt-image-1")
    assert tokens is not None
    each, prompt = tokens.output_image, (3 + 64) * 2 * tokens.input
    assert price("openai", "gpt-image-1").max_usd(2) == pytest.approx(2 * 4_160 * each + prompt)
    wide = price("openai", "gpt-image-1", aspect_ratio="3:2")
    assert wide.max_usd(1) == pytest.approx(6_240 * each + prompt)
    low = price("openai", "gpt-image-1", model_settings={"quality": "low"})
    assert low.at_least(1) == pytest.approx(272 * each + prompt)
    assert low.likely(1) == pytest.approx(272 * each)


@pytest.mark.parametrize(
    ("facts", "tokens"),
    [
        ({}, 3 + 64),
        ({"prompt": "é"}, 2 + 64),
        ({"prompt": "\ud800"}, 1 + 64),
        ({"negative_prompt": "éx"}, 3 + 8 + 64),
        ({"image": Image(asset_id="a")}, 3 + 64 + 6_300),
    ],
)
def test_input_is_reserved_by_its_bytes_and_its_image(facts: dict[str, Any], tokens: int) -> None:
    listed = token_price("openai", "gpt-image-1")
    assert listed is not None
    found = price("openai", "gpt-image-1", **facts)
    assert found.max_usd(0) == pytest.approx(tokens * 2 * listed.input)


@pytest.mark.parametrize(("listed_usd", "medium_usd"), [(0.9, 0.9), (0.0001, 0.04224), (0.0, 0.04224)])
def test_list_price_counts_for_medium_quality_where_it_is_higher(
    install_only: Install, listed_usd: float, medium_usd: float
) -> None:
    model = Model(kind="image", name="gpt-image-1", title="G", price_usd=listed_usd)
    install_only(ProviderSpec(id="openai", title="O", credentials=(KEY,), models=(model,), image=unused))
    assert price("openai", "gpt-image-1").likely(1) == pytest.approx(medium_usd)


def test_other_image_costs_its_list_price_and_no_quality_is_chosen(
    install_only: Install,
) -> None:
    model = Model(kind="image", name="p", title="P", price_usd=0.5)
    speaker = Model(kind="speech", name="s", title="S", price_usd=2)
    spec = ProviderSpec(
        id="acme", title="A", credentials=(KEY,), models=(model, speaker), image=unused, speech=unused
    )
    install_only(spec)
    found = price("acme", "p")
    assert (found.max_usd(2), found.at_least(2)) == (1, 1)
    assert found.quality_within(2, 0.1) == {}
    assert image_price("acme", ImageRequest(model="unlisted", prompt="a")) is None
    assert speech_price("acme", "s") == SpeechPrice(0.002, 0)
    assert speech_price("acme", "unlisted") is None


def test_speech_costs_its_characters_and_its_seconds() -> None:
    assert SpeechPrice(10, 1).usd("x" * 100, 7) == 1_007


@pytest.mark.parametrize(("speed", "max_usd"), [(1.0, 1_145), (2.0, 1_145), (0.5, 1_180)])
def test_slow_speech_takes_longer_and_quick_speech_is_reserved_like_usual_speech(
    speed: float, max_usd: float
) -> None:
    assert SpeechPrice(11.09, 1).max_usd("x" * 100, speed) == pytest.approx(max_usd)


def test_image_of_geminis_costs_its_list_price_or_1_300_tokens() -> None:
    assert price("gemini", "gemini-3.1-flash-image").likely(2) == pytest.approx(2 * 1_300 * 60e-6)
    assert price("gemini", "gemini-3.1-flash-image").max_usd(0) == pytest.approx((3 + 64) * 2 * 0.5e-6)
