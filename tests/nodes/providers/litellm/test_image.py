"""Images of OpenAI's protocol and Gemini's: what is sent, what comes back, and what it costs."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image as Bitmap
from tests.fakes.media import png, saved, stored_image
from tests.fakes.reports import previewed, reservations, reserved, seen_by, shown
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.litellm.image import LiteLLMImage
from impasto_nodes.providers.litellm.image_price import image_price
from impasto_nodes.providers.litellm.prices import token_price
from impasto_nodes.providers.protocols import ImageRequest, ImageResult, MaskedImage
from impasto_nodes.providers.registry import default_model

pytestmark = pytest.mark.anyio
MODEL = "gpt-image-2"
B64 = base64.b64encode(png()).decode()


@pytest.fixture
def context(fakes: State) -> Iterator[FakeContext]:
    keys = {"OPENAI_API_KEY": GOOD_KEY, "GEMINI_API_KEY": GOOD_KEY}
    made = FakeContext(configuration=keys | addresses(fakes))
    yield made
    made.close()


def say(fakes: State, *items: dict[str, Any], **more: Any) -> None:
    body = json.dumps({"created": 1, "data": list(items)} | more)
    fakes.misbehave("answer", on="/images/generations", status=200, body=body)


async def generate(context: FakeContext, provider: str = "openai", **facts: Any) -> ImageResult:
    model = facts.pop("model", MODEL if provider == "openai" else default_model("image", provider))
    request = ImageRequest(model=model, prompt="A can", **facts)
    return await LiteLLMImage(provider).generate(request, seen_by(context))


async def test_answers_with_fewer_images_are_asked_for_the_rest(fakes: State, context: FakeContext) -> None:
    say(fakes, {"b64_json": B64}, {"b64_json": B64})
    say(fakes, {"b64_json": B64})
    result = await generate(context, n_images=3)
    assert [image.name for image in result.images] == ["image-1", "image-2", "image-3"]
    assert [one.body["n"] for one in fakes.requests("/images/generations", "POST")] == [3, 1]
    assert shown(context) == [(0.0, "0 of 3"), (pytest.approx(2 / 3), "2 of 3")]
    price = image_price("openai", ImageRequest(model=MODEL, prompt="A can"))
    assert price is not None
    assert result.usd == context.spent == pytest.approx(price.likely(3))
    assert reservations(context) == [
        (pytest.approx(price.max_usd(3)), pytest.approx(price.at_least(3)), ""),
        (pytest.approx(price.max_usd(1)), pytest.approx(price.at_least(1)), ""),
    ]
    keys = [one.headers["idempotency-key"] for one in fakes.requests("/images/generations", "POST")]
    assert keys == ["test-node:3", "test-node:1"]


async def test_more_images_than_asked_for_are_paid_but_not_kept(fakes: State, context: FakeContext) -> None:
    say(fakes, {"b64_json": B64}, {"b64_json": B64})
    result = await generate(context)
    assert len(result.images) == 1
    price = image_price("openai", ImageRequest(model=MODEL, prompt="A can"))
    assert price is not None
    assert context.spent == pytest.approx(price.likely(2))


async def test_counted_tokens_are_charged_instead_of_the_list_price(
    fakes: State, context: FakeContext
) -> None:
    usage = {
        "input_tokens": 10,
        "output_tokens": 2_000,
        "total_tokens": 2_010,
        "input_tokens_details": {"image_tokens": 0, "text_tokens": 10},
    }
    say(fakes, {"b64_json": B64}, usage=usage)
    result = await generate(context)
    tokens = token_price("openai", MODEL)
    assert tokens is not None
    expected = 2_000 * tokens.output_image + 10 * tokens.input
    assert result.usd == context.spent == pytest.approx(expected)


async def test_model_without_a_price_costs_nothing_that_is_known(fakes: State, context: FakeContext) -> None:
    counted = {"input_tokens": 10, "output_tokens": 20, "total_tokens": 30}
    details = {"input_tokens_details": {"image_tokens": 0, "text_tokens": 10}}
    say(fakes, {"b64_json": B64}, usage=counted | details)
    result = await generate(context, model="gpt-image-9")
    assert (result.usd, context.spent, reserved(context)) == (0, 0, [None])


async def test_retry_makes_only_the_missing_images(fakes: State, context: FakeContext) -> None:
    say(fakes, {"b64_json": B64})
    fakes.misbehave("answer", on="/images/generations", status=429, body="{}")
    with pytest.raises(ProviderError):
        await generate(context, n_images=2)
    spent = context.spent
    say(fakes, {"b64_json": B64})
    result = await generate(context, n_images=2, places=[4, 5])
    assert len(result.images) == 2
    assert previewed(context) == [0, 4, 5]
    assert result.usd == context.spent == pytest.approx(2 * spent)
    assert [one.body["n"] for one in fakes.requests("/images/generations", "POST")] == [2, 1, 1]


async def test_image_at_an_address_is_downloaded(fakes: State, context: FakeContext) -> None:
    say(fakes, {"url": f"data:image/png;base64,{B64}"})
    (image,) = (await generate(context)).images
    assert (image.width, image.height) == (64, 64)


@pytest.mark.parametrize(
    ("items", "code", "is_charged"),
    [
        ([], "generation_failed", False),
        ([{}], "corrupt_output", True),
        ([{"b64_json": "a*b"}], "corrupt_output", True),
        ([{"b64_json": f"{B64}*"}], "corrupt_output", True),
        ([{"b64_json": base64.b64encode(b"no image").decode()}], "corrupt_output", True),
    ],
)
async def test_answer_without_an_image_has_its_code(
    fakes: State, context: FakeContext, items: list[dict[str, Any]], code: str, is_charged: bool
) -> None:
    say(fakes, *items)
    with pytest.raises(ProviderError) as raised:
        await generate(context)
    assert (raised.value.code, raised.value.provider) == (code, "openai")
    assert (MODEL in raised.value.message) is (code == "generation_failed")
    assert (context.spent > 0) is is_charged
    assert not context.assets.assets


async def test_answer_without_an_image_is_shown_up_to_200_characters(
    fakes: State, context: FakeContext
) -> None:
    say(fakes, background="x" * 300)
    with pytest.raises(ProviderError) as raised:
        await generate(context)
    assert raised.value.detail.startswith("no images: ImageResponse(created=1, background='xx")
    assert len(raised.value.detail) == len("no images: ") + 200


@pytest.mark.parametrize(
    ("ratio", "size"), [("1:1", "1024x1024"), ("3:2", "1536x1024"), ("2:3", "1024x1536")]
)
async def test_shape_is_a_size_of_openais(fakes: State, context: FakeContext, ratio: str, size: str) -> None:
    await generate(context, aspect_ratio=ratio)
    assert fakes.requests("/images/generations", "POST")[0].body["size"] == size


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"aspect_ratio": "4:5"}, "unsupported_ratio"),
        ({"aspect_ratio": "4:5", "model": "gpt-image-9"}, "unsupported_ratio"),
        ({"model_settings": {"quality": "high", "api_base": "x", "a": 1}}, "bad_request"),
    ],
)
async def test_what_openai_does_not_take_is_refused_before_it_is_sent(
    fakes: State, context: FakeContext, facts: dict[str, Any], code: str
) -> None:
    with pytest.raises(ProviderError) as raised:
        await generate(context, **facts)
    assert (raised.value.code, raised.value.provider) == (code, "openai")
    if code == "bad_request":
        assert raised.value.detail.startswith("unknown settings ['a', 'api_base']; the known ones are [")
    assert not fakes.requests("/images/generations", "POST")


async def test_setting_of_the_model_is_sent(fakes: State, context: FakeContext) -> None:
    await generate(context, model_settings={"quality": "low"})
    assert fakes.requests("/images/generations", "POST")[0].body["quality"] == "low"


@pytest.mark.parametrize("has_mask", [False, True])
async def test_image_and_its_mask_are_files_of_the_edit(
    fakes: State, context: FakeContext, has_mask: bool
) -> None:
    masked = MaskedImage(png(), mask()) if has_mask else None
    await generate(context, image=await stored_image(context.assets), masked=masked, n_images=2)
    (sent,) = fakes.requests("/images/edits", "POST")
    assert b'name="n"\r\n\r\n2\r\n' in sent.body
    assert b'filename="image.png"' in sent.body
    assert (b'filename="mask.png"' in sent.body) is has_mask
    assert b"gpt-image-2" in sent.body
    assert sent.headers["idempotency-key"] == "test-node:2"


def mask() -> bytes:
    """A mask of the size of the test's image."""
    return saved(Bitmap.new("L", (64, 64), 255))


async def test_gemini_gets_a_ratio_and_makes_one_image_a_call(fakes: State, context: FakeContext) -> None:
    result = await generate(context, "gemini", n_images=2, aspect_ratio="16:9")
    assert len(result.images) == 2
    sent = fakes.requests("generateContent", "POST")
    assert len(sent) == 2
    assert sent[0].body["generationConfig"]["imageConfig"] == {"aspectRatio": "16:9"}
    one_usd = 12 * 0.5e-6 + 1_120 * 60e-6  # the tokens of the prompt, and those of the image
    assert result.usd == pytest.approx(context.spent)
    assert context.spent == pytest.approx(2 * one_usd)


async def test_gemini_takes_the_image_of_a_masked_edit_alone(fakes: State, context: FakeContext) -> None:
    masked = MaskedImage(png(), mask())
    await generate(context, "gemini", image=await stored_image(context.assets), masked=masked)
    (sent,) = fakes.requests("generateContent", "POST")
    files = [
        part for part in sent.body["contents"][0]["parts"] if "inlineData" in part or "inline_data" in part
    ]
    assert len(files) == 1


async def test_images_of_gemini_are_asked_for_and_reserved_one_by_one(
    fakes: State, context: FakeContext
) -> None:
    result = await generate(context, "gemini", n_images=2)
    assert len(result.images) == 2
    price = image_price("gemini", ImageRequest(model=default_model("image", "gemini"), prompt="A can"))
    assert price is not None
    assert reserved(context) == [pytest.approx(price.max_usd(1))] * 2
    assert shown(context) == [(0.0, "0 of 2"), (0.5, "1 of 2")]
