"""litellm's real client against the OpenAI protocol on loopback."""

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, Kind, State

from impasto import Audio, Image, MemoryStore
from impasto_nodes.providers.litellm import chat

pytestmark = pytest.mark.anyio
SOON = 0.01


async def write(key: str = GOOD_KEY, **settings: object) -> object:
    return await run(
        "language_model",
        {"prompt": "A can"},
        key=key,
        **{"provider": "openai", "model": "gpt-5-mini"} | settings,
    )


async def test_text_streams_and_is_charged(fakes: State) -> None:
    result = await write(system_prompt="Write an ad.", temperature=0.4)
    step = result.steps["it"]
    assert step.outputs["output"] == "Late light, cold brew. A frosted can on warm cedar."
    assert step.cost_usd > 0
    deltas = [
        event.data["delta"] for event in result.events if event.type == "step.partial" and event.step == "it"
    ]
    assert len(deltas) > 3
    assert "".join(deltas) == step.outputs["output"]
    sent = fakes.requests("chat")[0]
    assert sent.body["messages"][0] == {"role": "system", "content": "Write an ad."}
    assert sent.headers["idempotency-key"]


async def test_provider_and_model_are_recorded(fakes: State) -> None:
    result = await write()
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert done.data["made_by"]["provider"] == "openai"
    assert done.data["made_by"]["model"] == "gpt-5-mini"
    assert done.data["units"]["tokens_out"] > 0


async def test_a_schema_is_sent_and_the_answer_is_data(fakes: State) -> None:
    fakes.replies.append(
        '{"headline": "Cold at last", "body": "A frosted can on old warm cedar.", "call_to_action": "Sip it"}'
    )
    result = await write(output_schema_preset="ad_copy")
    assert result.outputs["it.data"]["headline"] == "Cold at last"
    assert result.outputs["it.output"].startswith("Cold at last\n\n")
    asked = fakes.requests("chat")[0].body["response_format"]["json_schema"]
    assert asked["strict"] is True


async def test_images_are_sent_to_the_model(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    result = await run(
        "language_model",
        {"prompt": "What is this?", "pictures": Image(asset_id=kept.asset_id)},
        store=store,
        provider="openai",
        model="gpt-5-mini",
    )
    assert result.status == "finished"
    parts = fakes.requests("chat")[0].body["messages"][0]["content"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")


async def test_answer_that_does_not_match_the_schema_is_an_error(fakes: State) -> None:
    fakes.replies.append('{"headline": 3}')
    assert error_of(await write(output_schema_preset="ad_copy")).code == "not_in_shape"


FAULTS: list[tuple[Kind, str, bool]] = [
    ("rate_limit", "rate_limited", True),
    ("server_error", "provider_unavailable", True),
    ("unavailable", "provider_unavailable", True),
    ("moderation", "moderated", False),
    ("reject", "bad_request", False),
    ("disconnect", "stream_dropped", True),
    ("truncated", "stream_dropped", True),
    ("broken_event", "corrupt_output", False),
]


@pytest.mark.parametrize(("kind", "code", "retryable"), FAULTS)
async def test_each_error_has_its_code_and_message(
    fakes: State, kind: Kind, code: str, retryable: bool
) -> None:
    fakes.misbehave(kind, times=9, retry_after=SOON)
    error = error_of(await write())
    assert error.code == code
    assert error.retryable is retryable
    assert error.provider == "openai"
    assert "OpenAI" in error.message
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert len(fakes.requests("chat")) == (3 if retryable else 1)


async def test_a_passing_fault_is_retried_with_the_same_idempotency_key(fakes: State) -> None:
    fakes.misbehave("rate_limit", retry_after=SOON)
    result = await write()
    assert result.status == "finished"
    keys = [request.headers["idempotency-key"] for request in fakes.requests("chat")]
    assert len(keys) == 2
    assert len(set(keys)) == 1


async def test_wrong_key_no_credit_unknown_model_and_no_key(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    wrong = error_of(await write(key="sk-wrong-key-000000"))
    assert wrong.code == "wrong_credential"
    assert "sk-wrong" not in str(wrong.detail)
    assert error_of(await write(key=POOR_KEY)).code == "no_credit"
    assert error_of(await write(model="gpt-0")).code == "unknown_model"
    missing = error_of(await write(key=""))
    assert missing.code == "missing_credential"
    assert "OPENAI_API_KEY" in missing.message


async def test_images_are_generated_and_stored(fakes: State) -> None:
    result = await run("image_generation", {"prompt": "A can"}, provider="openai", n_images=2)
    images = result.outputs["it.output"]
    assert [(image.width, image.height, image.media_type) for image in images] == [(64, 64, "image/png")] * 2
    assert result.steps["it"].cost_usd == pytest.approx(0.064)
    assert fakes.requests("generations")[0].body["size"] == "1024x1024"


async def test_nothing_but_known_settings_reaches_the_library(fakes: State) -> None:
    more = {"api_base": "http://127.0.0.1:9", "quality": "high"}
    error = error_of(await run("image_generation", {"prompt": "A can"}, provider="openai", more=more))
    assert error.code == "bad_request"
    assert "api_base" in str(error.detail)
    assert not fakes.requests("generations")


async def test_an_image_can_be_changed(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    inputs = {"picture": Image(asset_id=kept.asset_id, width=640, height=420), "prompt": "Make it dusk"}
    result = await run("image_edit", inputs, store=store, provider="openai")
    assert result.outputs["it.output"].media_type == "image/png"
    assert b"1536x1024" in fakes.requests("edits")[0].body


@pytest.mark.parametrize(
    ("kind", "code"),
    [("corrupt", "corrupt_output"), ("empty", "generation_failed"), ("moderation", "moderated")],
)
async def test_a_bad_image_never_reaches_the_store(fakes: State, kind: Kind, code: str) -> None:
    fakes.misbehave(kind)
    store = MemoryStore()
    error = error_of(await run("image_generation", {"prompt": "A can"}, provider="openai", store=store))
    assert error.code == code
    assert not store.assets


async def test_unsupported_ratio_is_refused(fakes: State) -> None:
    with pytest.raises(Exception, match="does not make 4:5"):
        await run(
            "image_generation",
            {"prompt": "A can"},
            provider="openai",
            model="gpt-image-2",
            aspect_ratio="4:5",
        )


async def test_speech_is_transcribed(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(b"RIFF....", "audio/wav")
    audio = Audio(asset_id=kept.asset_id, media_type="audio/wav", seconds=3.5)
    result = await run("captions", {"audio": audio}, store=store, provider="openai")
    assert result.steps["it"].cost_usd == pytest.approx(3.5 / 60 * 0.006)
    assert [cue["text"] for cue in result.outputs["it.cues"]] == ["Cold brew, warm light.", "Pour a glass."]
    assert result.outputs["it.srt"].startswith("1\n00:00:00,000 --> ")
    assert b'filename="recording.wav"' in fakes.requests("transcriptions")[0].body


async def test_timeout_is_reported(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "_TIMEOUT", 0.2)
    fakes.misbehave("slow", times=9)
    error = error_of(await write())
    assert (error.code, error.retryable) == ("provider_timeout", True)


async def test_refused_connection_is_reported(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert error_of(await write()).code == "provider_unavailable"
