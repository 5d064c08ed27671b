"""Speech of OpenAI and Gemini against their protocols on loopback."""

import base64
import threading
from typing import Any

import pytest
from tests.fakes.running import error_of, options_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, Kind, State

from impasto import MemoryStore
from impasto_nodes.providers.litellm.prices import token_price
from impasto_nodes.providers.litellm.speech import gemini as gemini_speech
from impasto_nodes.providers.litellm.speech import openai as openai_speech
from impasto_nodes.providers.litellm.speech.price import speech_price

pytestmark = pytest.mark.anyio
TEXT = "Pour a glass."
PATHS = {"openai": "/audio/speech", "gemini": "flash-tts:"}
TYPES = {"openai": "audio/mpeg", "gemini": "audio/wav"}


async def speak(provider: str, text: str = TEXT, **settings: Any) -> Any:
    options = {name: settings.pop(name) for name in ("key", "store", "options") if name in settings}
    return await run("text_to_speech", {"text": text}, **options, provider=provider, **settings)


@pytest.mark.parametrize(("provider", "voice"), [("openai", "marin"), ("gemini", "Kore")])
async def test_speech_is_stored_and_charged_by_what_was_spoken(
    fakes: State, provider: str, voice: str
) -> None:
    result = await speak(provider)
    assert result.status == "finished", result.steps["it"].error
    audio = result.outputs["it.output"]
    assert audio.media_type == TYPES[provider]
    assert audio.seconds == pytest.approx(1.0, abs=0.1)
    price = token_price("gemini", "gemini-3.8-flash-tts")
    assert price is not None
    expected = {
        "openai": len(TEXT) * 6e-7 + audio.seconds * 0.00025,
        "gemini": price.usd(12, 25),
    }
    assert result.steps["it"].cost_usd == pytest.approx(expected[provider])
    (sent,) = fakes.requests(PATHS[provider], "POST")
    assert f"'{voice}'" in str(sent.body), "the default voice"


async def test_answer_of_gemini_is_decoded_beside_the_event_loop(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be 40 MB of text."""
    decoded_in: list[int] = []
    decode = base64.b64decode

    def observed(data: str, **options: bool) -> bytes:
        decoded_in.append(threading.get_ident())
        return decode(data, **options)

    monkeypatch.setattr(gemini_speech.base64, "b64decode", observed)
    assert (await speak("gemini")).status == "finished"
    assert decoded_in
    assert threading.get_ident() not in decoded_in


async def test_openai_gets_the_speed_and_an_idempotency_key(fakes: State) -> None:
    await speak("openai", voice="Echo", speed=1.5)
    (sent,) = fakes.requests("/audio/speech")
    assert sent.body == {
        "model": "gpt-4o-mini-tts", "input": TEXT, "voice": "echo", "response_format": "mp3", "speed": 1.5,
    }  # fmt: skip
    assert sent.headers["idempotency-key"]


async def test_model_priced_by_the_character_is_charged_so(fakes: State) -> None:
    result = await speak("openai", model="tts-1", voice="alloy")
    assert result.steps["it"].cost_usd == pytest.approx(len(TEXT) * 0.000015)


FAULTS: list[tuple[Kind, dict[str, str], int, bool]] = [
    ("rate_limit", {}, 3, False),
    ("server_error", {}, 3, False),
    ("unavailable", {}, 3, False),
    ("disconnect", {"openai": "stream_dropped", "gemini": "stream_dropped"}, 3, True),
    ("moderation", {"openai": "moderated", "gemini": "moderated"}, 1, False),
    ("corrupt", {"openai": "corrupt_output", "gemini": "corrupt_output"}, 1, True),
    ("empty", {"openai": "corrupt_output", "gemini": "generation_failed"}, 1, True),
]
BUSY = {"rate_limit": "rate_limited"}


@pytest.mark.parametrize(("kind", "codes", "sent", "is_paid"), FAULTS)
@pytest.mark.parametrize("provider", PATHS)
async def test_fault_has_its_code(
    fakes: State, provider: str, kind: Kind, codes: dict[str, str], sent: int, is_paid: bool
) -> None:
    fakes.misbehave(kind, times=9, retry_after=0.01, on=PATHS[provider])
    store = MemoryStore()
    result = await speak(provider, store=store)
    error = error_of(result)
    code = codes.get(provider) or BUSY.get(kind, "provider_unavailable")
    assert (error.code, error.provider) == (code, provider)
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert not store.assets
    assert len(fakes.requests(PATHS[provider], "POST")) == sent
    if not is_paid and kind != "moderation":
        assert result.steps["it"].cost_usd == 0
    if is_paid and provider == "openai":
        assert result.steps["it"].cost_usd > 0


@pytest.mark.parametrize("provider", PATHS)
async def test_wrong_key_no_credit_unknown_model_and_voice(fakes: State, provider: str) -> None:
    assert error_of(await speak(provider, key="wrong-key-999999")).code == "wrong_credential"
    assert error_of(await speak(provider, key=POOR_KEY)).code == "no_credit"
    unknown = await speak(provider, model="tts-9", options={"allow_unpriced": True})
    assert error_of(unknown).code == "unknown_model"
    voice = error_of(await speak(provider, voice="Zoe"))
    assert voice.code == "unknown_voice"
    assert "'Zoe'" in voice.message


@pytest.mark.parametrize("provider", PATHS)
async def test_text_that_is_too_long_and_a_small_budget_send_nothing(fakes: State, provider: str) -> None:
    assert error_of(await speak(provider, "a" * 8001)).code == "text_too_long"
    assert (await speak(provider, options={"budget_usd": 0.00001})).error.code == "budget_exceeded"
    assert not fakes.requests(PATHS[provider], "POST")


async def test_slow_speech_is_reserved_as_long_as_it_takes(fakes: State) -> None:
    text = "Pour a glass. " * 20
    price = speech_price("openai", "gpt-4o-mini-tts")
    assert price is not None
    budget = {"budget_usd": price.max_usd(text) * 1.2}
    slow = await speak("openai", text, speed=0.5, options=budget)
    assert slow.error.code == "budget_exceeded"
    assert (await speak("openai", text, options=budget)).error is None


@pytest.mark.parametrize("provider", PATHS)
async def test_no_answer_in_time(fakes: State, monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    for module in (openai_speech, gemini_speech):
        monkeypatch.setattr(module, "_TIMEOUT_SECONDS", 0.3)
    fakes.misbehave("slow", times=9, on=PATHS[provider])
    assert error_of(await speak(provider)).code == "provider_timeout"


async def test_voice_that_one_provider_has_chooses_it(fakes: State) -> None:
    result = await speak("auto", voice="Kore")
    assert result.status == "finished", result.steps["it"].error
    assert len(fakes.requests("flash-tts:", "POST")) == 1


async def test_fixed_voices_are_offered_with_a_key(fakes: State) -> None:
    offered = await options_of("text_to_speech", "voice")
    assert {"Rachel", "marin", "Kore", "heart"} <= {voice["value"] for voice in offered}
    without = await options_of("text_to_speech", "voice", key=None)
    assert [voice["value"] for voice in without] == ["heart"]


async def test_closed_model_is_replaced(fakes: State) -> None:
    result = await speak("gemini", model="gemini-2.5-flash-preview-tts")
    assert result.status == "finished", result.steps["it"].error
    assert fakes.requests("gemini-3.8-flash-tts:", "POST")
