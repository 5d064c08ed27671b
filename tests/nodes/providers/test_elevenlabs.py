"""ElevenLabs' real client against its protocol on loopback."""

import pytest
from tests.fakes.elevenlabs import VOICES
from tests.fakes.running import error_of, options_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, Kind, State

from impasto import Audio, Catalog, MemoryStore
from impasto.sdk.options_context import options_context
from impasto_nodes.providers import discovery
from impasto_nodes.providers.elevenlabs import connection, voices

pytestmark = pytest.mark.anyio
SOON = 0.01


@pytest.fixture(autouse=True)
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No voices are known from another test."""
    monkeypatch.setattr(voices, "_cache", {})


async def speak(key: str = GOOD_KEY, store: object = None, **settings: object) -> object:
    given = {"provider": "elevenlabs"} | settings
    return await run("text_to_speech", {"text": "Pour a glass."}, key=key, store=store, **given)


async def test_speech_is_kept_and_charged_by_the_providers_count(fakes: State) -> None:
    result = await speak(stability=0.3, similarity_boost=0.9, style=0.2, speed=1.1)
    audio = result.outputs["it.output"]
    assert audio.media_type == "audio/mpeg"
    assert audio.seconds == pytest.approx(1.0, abs=0.1)
    assert result.steps["it"].cost_usd == pytest.approx(26 / 1000 * 0.10)
    (sent,) = fakes.requests("/text-to-speech/21m00Tcm4TlvDq8ikWAM/")
    dials = sent.body["voice_settings"]
    assert dials == {"stability": 0.3, "similarity_boost": 0.9, "style": 0.2, "speed": 1.1}


FAULTS: list[tuple[Kind, str, bool]] = [
    ("rate_limit", "rate_limited", True),
    ("server_error", "provider_unavailable", True),
    ("unavailable", "provider_unavailable", True),
    ("disconnect", "stream_dropped", True),
    ("moderation", "moderated", False),
    ("corrupt", "corrupt_output", False),
    ("empty", "corrupt_output", False),
]


@pytest.mark.parametrize(("kind", "code", "retryable"), FAULTS)
async def test_each_error_has_its_code_and_message(
    fakes: State, kind: Kind, code: str, retryable: bool
) -> None:
    fakes.misbehave(kind, times=9, retry_after=SOON, on="/text-to-speech/")
    store = MemoryStore()
    error = error_of(await speak(store=store))
    assert (error.code, error.retryable, error.provider) == (code, retryable, "elevenlabs")
    assert "ElevenLabs" in error.message
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert not store.assets
    assert len(fakes.requests("/text-to-speech/")) == (3 if retryable else 1)


async def test_wrong_key_no_credit_unknown_voice_and_model(fakes: State) -> None:
    wrong = error_of(await speak(key="xi_wrongwrongwrong"))
    assert wrong.code == "wrong_credential"
    assert "xi_wrong" not in str(wrong.detail)
    assert error_of(await speak(key=POOR_KEY)).code == "no_credit"
    unknown = error_of(await speak(voice="Bob"))
    assert unknown.code == "unknown_voice"
    assert "'Bob'" in unknown.message
    assert error_of(await speak(model="eleven_zero")).code == "unknown_model"


async def test_voice_created_a_moment_ago_is_used(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await speak()).status == "finished"
    monkeypatch.setitem(VOICES, "v1", ("Ines", "female"))
    assert (await speak(voice="Ines")).status == "finished"
    assert fakes.requests("/text-to-speech/v1/")


async def test_speech_is_transcribed(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(b"ID3", "audio/mpeg")
    audio = Audio(asset_id=kept.asset_id, media_type="audio/mpeg", seconds=2.1)
    result = await run("captions", {"audio": audio}, store=store, provider="elevenlabs")
    assert result.outputs["it.text"] == "Cold brew, warm light."


async def test_timeout_is_reported(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    await speak()
    monkeypatch.setattr(connection, "_TIMEOUT_SECONDS", 0.2)
    fakes.misbehave("slow", times=9, on="/text-to-speech/")
    error = error_of(await speak())
    assert (error.code, error.retryable) == ("provider_timeout", True)


async def test_voices_and_models_of_the_account_are_offered(fakes: State) -> None:
    offered = await options_of("text_to_speech", "voice")
    own = [voice["value"] for voice in offered if voice["provider"] in {"elevenlabs", "local"}]
    assert own == ["Rachel", "Adam", "heart"]
    assert [voice["value"] for voice in await options_of("text_to_speech", "voice", "adam")] == ["Adam"]
    models = await options_of("text_to_speech", "model")
    assert "eleven_flash_v2_5" in [model["value"] for model in models]
    assert "scribe_v1" not in [model["value"] for model in models]


async def test_account_that_refuses_the_key_leaves_the_other_voices(fakes: State) -> None:
    offered = await options_of("text_to_speech", "voice", key="xi_wrong_and_never_seen")
    assert {voice["provider"] for voice in offered} == {"openai", "gemini", "local"}


@pytest.mark.parametrize(
    ("kind", "words"),
    [("unavailable", "is not available right now"), ("slow", "took too long"), ("bad_json", "")],
)
async def test_server_that_fails_leaves_the_other_lists_and_is_named(
    fakes: State, monkeypatch: pytest.MonkeyPatch, kind: Kind, words: str
) -> None:
    if kind == "slow":
        monkeypatch.setattr(discovery, "_ANSWER_SECONDS", 0.3)
    fakes.misbehave(kind, on="elevenlabs/v1/models", times=9)

    async def credential(provider: str) -> str | None:
        return GOOD_KEY

    async with options_context(credential=credential) as context:
        offered = await Catalog.discover().options("text_to_speech", "model", "", context)
    assert "eleven_multilingual_v2" in [model["value"] for model in offered], "those that the spec lists"
    states = {source.id: source.state for source in context.sources}
    others = {"openai": "available", "gemini": "available", "local": "available"}
    assert states == {"elevenlabs": "failed", **others}
    (failed,) = [source for source in context.sources if source.state == "failed"]
    assert failed.message.startswith("ElevenLabs ")
    assert words in failed.message
