"""Speech of Gemini: its limit of tokens, what it costs, and answers that hold none."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes.reports import CountingContext, reserved, seen_by
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.litellm.prices import token_price
from impasto_nodes.providers.litellm.speech.gemini import GeminiSpeech
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult

pytestmark = pytest.mark.anyio
MODEL = "gemini-3.8-flash-tts"


@pytest.fixture
def context(fakes: State) -> Iterator[CountingContext]:
    made = CountingContext(configuration={"GEMINI_API_KEY": GOOD_KEY} | addresses(fakes))
    yield made
    made.close()


async def speak(context: CountingContext, text: str = "Pour.") -> SpeechResult:
    return await GeminiSpeech().speak(SpeechRequest(model=MODEL, text=text, voice="Kore"), seen_by(context))


def say(fakes: State, part: dict[str, Any], finish: str = "STOP", **more: Any) -> None:
    made = {"content": {"role": "model", "parts": [part]}, "finishReason": finish, "index": 0}
    body = json.dumps({"candidates": [made]} | more)
    fakes.misbehave("answer", on="flash-tts:", status=200, body=body)


def spoken(samples: bytes, end: str = "") -> dict[str, Any]:
    data = base64.b64encode(samples).decode() + end
    return {"inlineData": {"mimeType": "audio/L16;codec=pcm;rate=24000", "data": data}}


@pytest.mark.parametrize(
    ("text", "size", "tokens"), [("Un café frappé", 16, 623), ("x" * 8_000, 8_000, 16_384)]
)
async def test_speech_is_limited_to_the_tokens_that_are_reserved(
    fakes: State, context: CountingContext, text: str, size: int, tokens: int
) -> None:
    await speak(context, text)
    (sent,) = fakes.requests("flash-tts:", "POST")
    assert sent.body["generationConfig"]["max_output_tokens"] == tokens
    price = token_price("gemini", MODEL)
    assert price is not None
    assert reserved(context) == [pytest.approx(size * price.input + tokens * price.output)]


async def test_answer_that_counts_no_tokens_costs_nothing(fakes: State, context: CountingContext) -> None:
    say(fakes, spoken(bytes(48_000)), usageMetadata={})
    result = await speak(context)
    assert (result.usd, context.spent, context.units) == (0, 0, [{"tokens_in": 0, "tokens_out": 0}])


@pytest.mark.parametrize(
    ("part", "finish", "code", "detail"),
    [
        (
            spoken(bytes(48_000)),
            "MAX_TOKENS",
            "generation_failed",
            "no complete speech; it ended with length",
        ),
        (spoken(bytes(48_000)), "SAFETY", "moderated", "it ended with content_filter"),
        ({"text": "No."}, "STOP", "generation_failed", "no complete speech; it ended with stop"),
        (spoken(bytes(3)), "STOP", "corrupt_output", "3 bytes of 16-bit samples"),
        (spoken(bytes(6), "*"), "STOP", "corrupt_output", "Only base64 data is allowed"),
    ],
    ids=["cut off", "withheld", "text", "half a sample", "no base64"],
)
async def test_answer_without_complete_speech_is_paid_and_has_its_code(
    fakes: State, context: CountingContext, part: dict[str, Any], finish: str, code: str, detail: str
) -> None:
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 7, "totalTokenCount": 12}
    say(fakes, part, finish, usageMetadata=usage)
    with pytest.raises(ProviderError) as raised:
        await speak(context)
    assert (raised.value.code, raised.value.detail) == (code, detail)
    assert raised.value.provider == "gemini"
    assert (MODEL in raised.value.message) is (code == "generation_failed")
    assert context.units == [{"tokens_in": 5, "tokens_out": 7}]
    assert not context.assets.assets
