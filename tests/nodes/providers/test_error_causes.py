"""Errors whose cause has a code of its own, and those from which a step recovers."""

import json
import logging

import pytest
from tests.fakes.running import error_of, run
from tests.fakes.state import State

from impasto_nodes.providers.elevenlabs import voices
from impasto_nodes.providers.replicate import predictions, requests

pytestmark = pytest.mark.anyio
SOON = 0.01


@pytest.fixture(autouse=True)
def fast_and_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(SOON, SOON))
    monkeypatch.setattr(requests, "_schemas", {})
    monkeypatch.setattr(voices, "_cache", {})


async def write(**settings: object) -> object:
    given = {"provider": "openai", "model": "gpt-5-mini"} | settings
    return await run("language_model", {"prompt": "A can"}, **given)


async def draw(**settings: object) -> object:
    return await run("image_generation", {"prompt": "A can"}, **{"provider": "replicate"} | settings)


async def speak(text: str = "Pour a glass.", **settings: object) -> object:
    return await run("text_to_speech", {"text": text}, **{"provider": "elevenlabs"} | settings)


def openai_error(message: str, code: str | None = None) -> str:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": code}})


OPENAI = [
    (
        403,
        "Country, region, or territory not supported",
        "unsupported_country_region_territory",
        "region_unsupported",
    ),
    (403, "Your organization must be verified to use the model `gpt-image-2`.", None, "unverified_account"),
    (400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded", "text_too_long"),
    (413, "Request too large", None, "request_too_large"),
]


@pytest.mark.parametrize(("status", "message", "code", "expected"), OPENAI)
async def test_cause_has_its_own_code_and_is_not_retried(
    fakes: State, status: int, message: str, code: str | None, expected: str
) -> None:
    fakes.misbehave("answer", times=9, on="/chat", status=status, body=openai_error(message, code))
    error = error_of(await write())
    assert (error.code, error.retryable) == (expected, False)
    assert len(fakes.requests("/chat")) == 1


async def test_gemini_outside_its_regions(fakes: State) -> None:
    body = {"error": {"code": 400, "message": "User location is not supported for the API use."}}
    fakes.misbehave("answer", times=9, on="/gemini", status=400, body=json.dumps(body))
    error = error_of(await write(provider="gemini", model="gemini-2.5-flash"))
    assert error.code == "region_unsupported"


async def test_prompt_too_long_for_anthropic(fakes: State) -> None:
    body = {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"},
    }
    fakes.misbehave("answer", times=9, on="/anthropic", status=400, body=json.dumps(body))
    assert error_of(await write(provider="anthropic", model="claude-sonnet-5")).code == "text_too_long"


async def test_answer_that_does_not_follow_its_schema_is_corrected_once(fakes: State) -> None:
    fakes.replies.append('{"headline": "Cold at last"')
    fakes.replies.append(
        '{"headline": "Cold at last", "body": "A frosted can on old warm cedar.", "call_to_action": "Sip it"}'
    )
    result = await write(output_schema_preset="ad_copy")
    assert result.outputs["it.data"]["call_to_action"] == "Sip it"
    first, second = fakes.requests("/chat")
    assert "It does not fit" in second.body["messages"][-1]["content"]
    assert first.headers["idempotency-key"] != second.headers["idempotency-key"]


async def test_temperature_that_the_model_does_not_have_is_reported(
    fakes: State, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    result = await write(temperature=0.4)
    assert "temperature" not in fakes.requests("/chat")[0].body
    assert any("no temperature" in event.data.get("message", "") for event in result.events)
    assert "gpt-5-mini ignores the temperature" in caplog.messages


async def test_poll_that_answers_a_web_page_is_repeated(fakes: State) -> None:
    fakes.misbehave("answer", on="/v1/predictions/", status=200, body="<html>Bad gateway</html>")
    assert (await draw()).status == "finished"
    assert len(fakes.predictions) == 1


@pytest.mark.parametrize("shape", ['{"images": ["URL"]}', '{"image": {"url": "URL"}}', '[{"url": "URL"}]'])
async def test_output_in_an_object_is_found(fakes: State, shape: str) -> None:
    fakes.output_shape = shape
    assert len((await draw()).outputs["it.output"]) == 1


@pytest.mark.parametrize("shape", ['{"images": []}', "{}", "[]"])
async def test_output_without_a_file_is_refused(fakes: State, shape: str) -> None:
    fakes.output_shape = shape
    assert error_of(await draw()).code == "corrupt_output"


async def test_output_that_is_not_there_yet_is_fetched_again_and_paid_once(fakes: State) -> None:
    fakes.misbehave("answer", on="/outputs/", status=404, body="not yet")
    result = await draw()
    assert result.status == "finished"
    assert len(fakes.requests("/predictions", "POST")) == 1
    assert result.steps["it"].cost_usd == pytest.approx(0.04)


async def test_model_with_a_number_of_outputs_makes_one_a_prediction(fakes: State) -> None:
    fakes.model_input = {
        "type": "object",
        "properties": {"prompt": {"type": "string"}, "num_outputs": {"type": "integer", "default": 4}},
    }
    result = await draw(model="black-forest-labs/flux-1.1-pro", n_images=2)
    assert result.status == "finished"
    assert [one.input["num_outputs"] for one in fakes.predictions.values()] == [1, 1]
    assert error_of(await draw(more={"num_outputs": 4})).code == "bad_request"


async def test_default_voice_that_the_account_lacks_is_replaced_and_reported(fakes: State) -> None:
    fakes.voices = {"adam": ("Adam", "male"), "bella": ("Bella", "female")}
    result = await speak()
    assert fakes.requests("/text-to-speech/bella/")
    assert any("Bella" in event.data.get("message", "") for event in result.events)


async def test_key_that_may_not_list_voices_speaks_with_the_default_voice(fakes: State) -> None:
    denied = json.dumps({"detail": {"status": "missing_permissions", "message": "voices_read"}})
    fakes.misbehave("answer", times=9, on="/v1/voices", status=401, body=denied)
    assert (await speak()).status == "finished"
    assert fakes.requests("/text-to-speech/21m00Tcm4TlvDq8ikWAM/")
    assert error_of(await speak(voice="Adam")).code == "missing_permission"


async def test_text_too_long_for_a_voice(fakes: State) -> None:
    body = json.dumps({"detail": {"status": "max_character_limit_exceeded", "message": "limit"}})
    fakes.misbehave("answer", times=9, on="/text-to-speech/", status=400, body=body)
    assert error_of(await speak()).code == "text_too_long"
