"""What each adapter returns, charges, shows and records."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes import elevenlabs as fake
from tests.fakes.media import mp3
from tests.fakes.reports import CountingContext, recorded, reserved, seen_by, shown
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto import Audio
from impasto.testing import FakeContext
from impasto_nodes.media.captions.segmentation import Word, cues_from_words
from impasto_nodes.providers.elevenlabs import voices
from impasto_nodes.providers.elevenlabs.captions import ElevenLabsCaptions
from impasto_nodes.providers.elevenlabs.dialogue import ElevenLabsDialogue
from impasto_nodes.providers.elevenlabs.music import ElevenLabsMusic, ElevenLabsSoundEffect
from impasto_nodes.providers.elevenlabs.speech import ElevenLabsSpeech
from impasto_nodes.providers.errors import CorruptOutput, TextTooLong, Unsupported
from impasto_nodes.providers.protocols import (
    CaptionsRequest,
    DialogueLine,
    DialogueRequest,
    MusicRequest,
    SoundEffectRequest,
    SpeechRequest,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def context(fakes: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingContext]:
    monkeypatch.setattr(voices, "_cache", {})
    made = CountingContext(configuration={"ELEVENLABS_API_KEY": GOOD_KEY} | addresses(fakes))
    yield made
    made.close()


SPEECH = SpeechRequest(model="eleven_multilingual_v2", text="Pour a glass.", voice="Adam", speed=1.1)


async def test_speech_is_charged_by_the_stated_characters(fakes: State, context: CountingContext) -> None:
    result = await ElevenLabsSpeech().speak(SPEECH, seen_by(context))
    assert (result.provider, result.model, result.voice) == ("elevenlabs", SPEECH.model, "Adam")
    assert result.usd == context.spent == pytest.approx(26 * 0.0001)
    assert context.units == [{"characters": 13}]
    (sent,) = fakes.requests("/text-to-speech/", "POST")
    assert sent.query == {"output_format": "mp3_44100_128"}
    assert sent.body == {
        "text": "Pour a glass.",
        "model_id": SPEECH.model,
        "voice_settings": {"stability": 0.5, "similarity_boost": 0.75, "style": 0.0, "speed": 1.1},
    }
    assert result.is_charged
    assert (result.audio.name, result.audio.media_type) == ("speech.mp3", "audio/mpeg")
    assert reserved(context) == [pytest.approx(13 * 0.0001)]
    assert shown(context) == [(0.05, "Adam is reading")]
    assert recorded(context) == [
        {
            "provider": "elevenlabs",
            "model": SPEECH.model,
            "prompt": "Pour a glass.",
            "settings": {"voice": "Adam", "speed": 1.1, "stability": 0.5},
        }
    ]


async def test_unlisted_model_of_speech_costs_the_highest_price(fakes: State, context: FakeContext) -> None:
    fakes.misbehave("answer", on="/text-to-speech/", status=200, body="no audio")
    unlisted = SpeechRequest(model="eleven_new", text="Pour a glass.", voice="Adam")
    with pytest.raises(Exception, match="cannot be read"):
        await ElevenLabsSpeech().speak(unlisted, seen_by(context))
    assert context.spent == pytest.approx(13 * 0.0001)


@pytest.mark.parametrize(("speed", "sent"), [(0.5, 0.7), (0.7, 0.7), (1.2, 1.2), (2.0, 1.2)])
async def test_speed_is_kept_within_what_the_service_takes(
    fakes: State, context: FakeContext, speed: float, sent: float
) -> None:
    asked = SpeechRequest(model=SPEECH.model, text="Pour.", voice="Adam", speed=speed, stability=0.4)
    await ElevenLabsSpeech().speak(asked, seen_by(context))
    (request,) = fakes.requests("/text-to-speech/", "POST")
    settings = request.body["voice_settings"]
    assert (settings["speed"], settings["stability"]) == (sent, 0.4)


async def test_voice_that_stands_in_is_shown_and_recorded(fakes: State, context: FakeContext) -> None:
    fakes.voices = {"v1": ("Ines", "female")}
    asked = SpeechRequest(model=SPEECH.model, text="Pour.", voice="Rachel")
    result = await ElevenLabsSpeech().speak(asked, seen_by(context))
    assert result.voice == "Ines"
    assert shown(context)[1] == (0.1, "This account has no voice Rachel; Ines reads")
    assert [one["settings"]["voice"] for one in recorded(context)] == ["Rachel", "Ines"]


LINES = (DialogueLine("Adam", "Is it cold?"), DialogueLine("Rachel", "Ice."), DialogueLine("Adam", "Good."))


async def test_dialogue_is_charged_by_the_stated_characters(context: CountingContext) -> None:
    request = DialogueRequest(model="eleven_v3", lines=LINES, stability=0.2, seed=3)
    result = await ElevenLabsDialogue().speak(request, seen_by(context))
    assert (result.provider, result.model, result.is_charged) == ("elevenlabs", "eleven_v3", True)
    assert result.usd == context.spent == pytest.approx(20 * 0.0001)
    assert context.units == [{"characters": 20}]
    assert result.audio.name == "dialogue.mp3"
    assert reserved(context) == [pytest.approx(20 * 0.0001)]
    assert shown(context) == [(0.05, "Reading: Adam and Rachel")]
    assert recorded(context) == [
        {
            "provider": "elevenlabs",
            "model": "eleven_v3",
            "prompt": "Adam: Is it cold?\nRachel: Ice.\nAdam: Good.",
            "seed": 3,
            "settings": {"voices": ["Adam", "Rachel"], "stability": 0.2},
        }
    ]


async def test_dialogue_without_a_stated_cost_is_charged_by_its_characters(
    fakes: State, context: FakeContext
) -> None:
    fakes.misbehave("answer", on="dialogue", status=200, body="no audio")
    with pytest.raises(CorruptOutput):
        await ElevenLabsDialogue().speak(DialogueRequest(model="eleven_v3", lines=LINES), seen_by(context))
    assert context.spent == pytest.approx(20 * 0.0001)


async def test_voice_that_stands_in_a_dialogue_is_shown(fakes: State, context: FakeContext) -> None:
    fakes.voices = {"v1": ("Ines", "female")}
    request = DialogueRequest(model="eleven_v3", lines=(DialogueLine("Rachel", "Ice."),))
    await ElevenLabsDialogue().speak(request, seen_by(context))
    assert shown(context)[1] == (0.1, "This account has no voice Rachel; Ines reads")
    (sent,) = fakes.requests("/text-to-dialogue", "POST")
    assert sent.body == {
        "inputs": [{"text": "Ice.", "voice_id": "v1"}],
        "model_id": "eleven_v3",
        "settings": {"stability": 0.5},
    }


async def test_dialogue_has_ten_voices_and_the_models_length_at_most(
    fakes: State, context: FakeContext
) -> None:
    fakes.voices = {f"v{number}": (f"Voice {number}", "") for number in range(11)}
    lines = tuple(DialogueLine(f"Voice {number}", "Hello") for number in range(11))
    await ElevenLabsDialogue().speak(DialogueRequest(model="eleven_v3", lines=lines[:10]), seen_by(context))
    with pytest.raises(Unsupported, match=r"^ElevenLabs cannot speak with more than 10 voices at once"):
        await ElevenLabsDialogue().speak(DialogueRequest(model="eleven_v3", lines=lines), seen_by(context))
    long = (DialogueLine("Voice 1", "x" * 2_001),)
    with pytest.raises(TextTooLong, match="too long for eleven_v3"):
        await ElevenLabsDialogue().speak(DialogueRequest(model="eleven_v3", lines=long), seen_by(context))


@pytest.mark.parametrize(("model", "quality"), [("music_v1", "mp3_44100_128"), ("music_v2", "mp3_48000_192")])
async def test_music_costs_its_minutes(
    fakes: State, context: CountingContext, model: str, quality: str
) -> None:
    request = MusicRequest(model=model, prompt="Slow jazz", seconds=12.5, is_instrumental=False)
    result = await ElevenLabsMusic().compose(request, seen_by(context))
    assert (result.provider, result.model, result.is_charged) == ("elevenlabs", model, True)
    assert result.usd == context.spent == pytest.approx(0.125)
    assert context.units == [{"seconds": 12.5}]
    assert reserved(context) == [pytest.approx(0.125)]
    assert result.audio.name == "music.mp3"
    (sent,) = fakes.requests("/v1/music", "POST")
    assert sent.query["output_format"] == quality
    assert shown(context) == [(0.05, "Composing")]
    assert recorded(context) == [
        {
            "provider": "elevenlabs",
            "model": model,
            "prompt": "Slow jazz",
            "settings": {"seconds": 12.5, "instrumental": False},
        }
    ]


async def test_sound_effect_costs_the_same_at_any_length(fakes: State, context: CountingContext) -> None:
    request = SoundEffectRequest(model="eleven_text_to_sound_v2", prompt="A can", seconds=2.5, is_loop=True)
    result = await ElevenLabsSoundEffect().generate(request, seen_by(context))
    assert (result.provider, result.model, result.is_charged) == ("elevenlabs", request.model, True)
    assert result.usd == context.spent == pytest.approx(0.12)
    assert context.units == [{"effects": 1}]
    (sent,) = fakes.requests("/sound-generation", "POST")
    assert sent.body == {
        "text": "A can",
        "model_id": request.model,
        "loop": True,
        "prompt_influence": 0.3,
        "duration_seconds": 2.5,
    }
    assert reserved(context) == [pytest.approx(0.12)]
    assert result.audio.name == "sound-effect.mp3"
    assert shown(context) == [(0.05, "Generating the sound effect")]
    assert recorded(context) == [
        {
            "provider": "elevenlabs",
            "model": request.model,
            "prompt": "A can",
            "settings": {"seconds": 2.5, "loop": True},
        }
    ]


def unlisted(kind: str, context: FakeContext) -> Any:
    if kind == "dialogue":
        return ElevenLabsDialogue().speak(DialogueRequest(model="eleven_v9", lines=LINES), seen_by(context))
    if kind == "music":
        return ElevenLabsMusic().compose(MusicRequest(model="music_v9", prompt="Jazz"), seen_by(context))
    return ElevenLabsSoundEffect().generate(
        SoundEffectRequest(model="sound_v9", prompt="A can"), seen_by(context)
    )


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("dialogue", {"model_id": "eleven_v9", "settings": {"stability": 0.5}}),
        (
            "music",
            {
                "model_id": "music_v9",
                "prompt": "Jazz",
                "music_length_ms": 30_000,
                "force_instrumental": True,
            },
        ),
        (
            "sound-generation",
            {"model_id": "sound_v9", "text": "A can", "loop": False, "prompt_influence": 0.3},
        ),
    ],
)
async def test_sound_of_an_unlisted_model_has_no_known_price(
    fakes: State, context: FakeContext, monkeypatch: pytest.MonkeyPatch, kind: str, body: dict[str, Any]
) -> None:
    for name, model in (("DIALOGUE", "eleven_v9"), ("MUSIC", "music_v9"), ("EFFECT", "sound_v9")):
        monkeypatch.setattr(fake, f"{name}_MODELS", {model})
    result = await unlisted(kind, context)
    assert (result.usd, context.spent, reserved(context)) == (0, 0, [None])
    (sent,) = fakes.requests(kind, "POST")
    assert {name: value for name, value in sent.body.items() if name != "inputs"} == body


async def captioned(fakes: State, context: FakeContext, model: str, language: str = "", **facts: Any) -> Any:
    kept = await context.assets.put(mp3(), "audio/mpeg")
    words = [
        {"text": "Oh,", "type": "word", "logprob": 0},
        {"text": "Cold", "type": "word", "start": 0.5, "end": 0.9, "logprob": 0},
        {"text": " ", "type": "spacing", "start": 0.9, "end": 1.0, "logprob": 0},
        {"text": "brew", "type": "word", "start": 1.0, "end": 1.4, "logprob": 0},
    ]
    body = {"language_code": "en", "language_probability": 1, "text": "Cold brew", "words": words}
    fakes.misbehave("answer", on="/speech-to-text", status=200, body=json.dumps(body))
    audio = Audio(asset_id=kept.asset_id, media_type="audio/mpeg", **facts)
    return await ElevenLabsCaptions().transcribe(CaptionsRequest(model, audio, language), seen_by(context))


async def test_captions_are_made_of_the_words_and_cost_their_minutes(
    fakes: State, context: FakeContext
) -> None:
    result = await captioned(fakes, context, "scribe_v2", seconds=90)
    assert result.cues == cues_from_words(
        [Word(0.0, 0.0, "Oh,"), Word(0.5, 0.9, "Cold"), Word(1.0, 1.4, "brew")]
    )
    assert (result.provider, result.model, result.is_charged) == ("elevenlabs", "scribe_v2", True)
    assert result.usd == context.spent == pytest.approx(0.00555)
    assert reserved(context) == [pytest.approx(0.00555)]
    assert recorded(context) == [{"provider": "elevenlabs", "model": "scribe_v2"}]
    await captioned(fakes, context, "scribe_v2", "de", seconds=90)
    plain, german = fakes.requests("/speech-to-text", "POST")
    for sent in (plain, german):
        assert b'filename="recording.mp3"\r\nContent-Type: audio/mpeg' in sent.body
        assert b'name="model_id"\r\n\r\nscribe_v2\r\n' in sent.body
        assert b'name="timestamps_granularity"\r\n\r\nword\r\n' in sent.body
    assert b"language_code" not in plain.body
    assert b'name="language_code"\r\n\r\nde\r\n' in german.body


async def test_captions_of_an_unlisted_model_have_no_known_price(fakes: State, context: FakeContext) -> None:
    result = await captioned(fakes, context, "scribe_new", seconds=90)
    assert (result.usd, context.spent, reserved(context)) == (0, 0, [None])
