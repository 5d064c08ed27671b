"""What adapters return, charge, show and record, the same for every provider of a kind."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.fakes import replicate
from tests.fakes.media import mp3, stored_image
from tests.fakes.reports import CountingContext, previewed, recorded, reservations, reserved, seen_by, shown
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto import Audio
from impasto.testing import FakeContext
from impasto_nodes.media.captions.segmentation import Cue, Word, cues_along, cues_from_words
from impasto_nodes.providers.fal import jobs as fal_jobs
from impasto_nodes.providers.jobs import clips
from impasto_nodes.providers.litellm.captions import LiteLLMCaptions
from impasto_nodes.providers.litellm.video import adapter as litellm_video
from impasto_nodes.providers.protocols import CaptionsRequest, ImageRequest, SpeechRequest, VideoRequest
from impasto_nodes.providers.registry import (
    default_model,
    image_provider,
    speech_provider,
    video_provider,
)
from impasto_nodes.providers.replicate import predictions

pytestmark = pytest.mark.anyio
KEYS = (
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "REPLICATE_API_TOKEN",
    "FAL_KEY",
    "XAI_API_KEY",
    "MINIMAX_API_KEY",
    "RUNWAYML_API_SECRET",
)


@pytest.fixture
def context(fakes: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingContext]:
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.0, 0.0))
    for module in (clips, fal_jobs):
        monkeypatch.setattr(module, "FIRST_POLL_SECONDS", 0.0)
    monkeypatch.setattr(litellm_video, "POLL_SECONDS", 0.0)
    made = CountingContext(configuration=dict.fromkeys(KEYS, GOOD_KEY) | addresses(fakes))
    yield made
    made.close()


CALLS = {"replicate": "predictions", "fal": "requests"}
"""The names of calls that a later attempt settles."""


# -- images ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "usd", "units"),
    [
        ("openai", 0.064, [{"images": 2}]),
        ("replicate", 0.08, [{}, {}]),
        ("fal", 0.006, [{}, {}]),
        ("gemini", 0.134412, [{"images": 1}, {"images": 1}]),
    ],
)
async def test_images_are_charged_shown_and_recorded(
    context: CountingContext, provider: str, usd: float, units: list[dict[str, float]]
) -> None:
    model = "fal-ai/flux/schnell" if provider == "fal" else default_model("image", provider)
    request = ImageRequest(model=model, prompt="A can", n_images=2, places=[4, 7])
    result = await image_provider(provider).generate(request, seen_by(context))
    assert (result.provider, result.model, result.is_charged) == (provider, model, True)
    assert result.usd == pytest.approx(context.spent)
    assert context.spent == pytest.approx(usd)
    assert context.units == units
    if provider in CALLS:
        assert reservations(context) == [(pytest.approx(usd), None, CALLS[provider])]
    assert sorted(str(image.name) for image in result.images) == ["image-1", "image-2"]
    assert sorted(previewed(context)) == [4, 7]
    assert shown(context)[-1][1].endswith(" of 2")
    assert recorded(context) == [
        {"provider": provider, "model": model, "prompt": "A can", "method": "generated"}
    ]


async def test_unlisted_models_of_replicate_cost_their_seconds(
    context: CountingContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicate, "MODELS", {"acme/flux", "acme/film"})
    seconds_usd = 4.2 * 0.001525
    images = ImageRequest(model="acme/flux", prompt="A can", n_images=2)
    drawn = await image_provider("replicate").generate(images, seen_by(context))
    assert (drawn.usd, context.spent) == (0, pytest.approx(2 * seconds_usd))
    clip = VideoRequest(model="acme/film", prompt="A can", image=await stored_image(context.assets))
    filmed = await video_provider("replicate").generate(clip, seen_by(context))
    assert (filmed.usd, context.spent) == (0, pytest.approx(3 * seconds_usd))
    assert reserved(context) == [None, None]


@pytest.mark.parametrize("provider", ["replicate", "fal"])
async def test_progress_of_images_counts_those_that_are_made(context: FakeContext, provider: str) -> None:
    request = ImageRequest(model=default_model("image", provider), prompt="A can", n_images=2)
    await image_provider(provider).generate(request, seen_by(context))
    made = [each for each in shown(context) if each[1].endswith(" of 2")]
    assert made == [(0.5, "1 of 2"), (1.0, "2 of 2")]


async def test_place_in_the_queue_of_fal_is_shown(fakes: State, context: FakeContext) -> None:
    waiting = {"status": "IN_QUEUE", "queue_position": 2, "request_id": "r", "logs": None}
    fakes.misbehave("answer", on="/status", status=202, body=json.dumps(waiting))
    request = ImageRequest(model=default_model("image", "fal"), prompt="A can")
    await image_provider("fal").generate(request, seen_by(context))
    assert shown(context) == [(0.0, "Number 3 in fal's queue"), (1.0, "1 of 1")]


async def test_progress_of_images_of_one_call_counts_those_before_it(context: FakeContext) -> None:
    request = ImageRequest(model=default_model("image", "gemini"), prompt="A can", n_images=2)
    await image_provider("gemini").generate(request, seen_by(context))
    assert shown(context) == [(0.0, "0 of 2"), (0.5, "1 of 2")]


@pytest.mark.parametrize("provider", ["openai", "gemini", "replicate", "fal"])
async def test_edit_is_recorded_as_one_and_later_attempts_pay_nothing_again(
    context: FakeContext, provider: str
) -> None:
    model = default_model("image", provider, editing=provider != "replicate")
    request = ImageRequest(model=model, prompt="Dusk", image=await stored_image(context.assets), seed=3)
    await image_provider(provider).generate(request, seen_by(context))
    spent = context.spent
    assert spent > 0
    seed = {} if provider in {"openai", "gemini"} else {"seed": 3}
    assert recorded(context) == [
        {"provider": provider, "model": model, "prompt": "Dusk", "method": "edited", **seed}
    ]
    result = await image_provider(provider).generate(request, seen_by(context))
    assert len(result.images) == 1
    assert context.spent == spent
    assert reserved(context)[1:] == ([0.0] if provider in {"replicate", "fal"} else [])


@pytest.mark.parametrize("provider", ["openai", "gemini"])
async def test_what_to_leave_out_is_a_line_of_the_prompt(
    fakes: State, context: FakeContext, provider: str
) -> None:
    request = ImageRequest(model=default_model("image", provider), prompt="A can", negative_prompt="people")
    await image_provider(provider).generate(request, seen_by(context))
    (sent,) = [one for one in fakes.requests("", "POST") if one.body]
    assert "A can\\nLeave out: people" in json.dumps(sent.body)


# -- clips -------------------------------------------------------------------------------------

CLIPS = {"replicate": 10, "fal": 8, "xai": 6, "minimax": 6, "gemini": 8, "runwayml": 5}
"""The seconds of a clip that the provider's default model makes."""


@pytest.mark.parametrize(
    ("provider", "usd"),
    [
        ("replicate", 10 * 0.05),
        ("fal", 8 * 0.235),
        ("xai", 6 * 0.08 + 0.01),  # and its first frame
        ("minimax", 0.28),
        ("gemini", 8 * 0.1),
        ("runwayml", 5 * 0.12),
    ],
)
async def test_clip_is_charged_once_and_shown_to_its_end(
    context: CountingContext, provider: str, usd: float
) -> None:
    model = default_model("video", provider)
    image = None if provider == "fal" else await stored_image(context.assets)
    request = VideoRequest(model=model, prompt="A can", duration=CLIPS[provider], image=image)
    result = await video_provider(provider).generate(request, seen_by(context))
    assert (result.provider, result.model, result.is_charged) == (provider, model, True)
    assert (result.video.name, result.video.media_type) == ("clip.mp4", "video/mp4")
    assert (result.usd, context.spent) == (pytest.approx(usd), pytest.approx(usd))
    assert reservations(context) == [(pytest.approx(usd), None, CALLS.get(provider, "video"))]
    is_counted = provider in {"gemini", "runwayml"}
    assert context.units == [{"seconds": CLIPS[provider]} if is_counted else {}]
    messages = [message for _, message in shown(context)]
    assert (shown(context)[0], shown(context)[-1]) == (
        (0.05, "Sent; waiting for the model"),
        (0.9, "Downloading the clip"),
    ), messages
    spent = context.spent
    await video_provider(provider).generate(request, seen_by(context))
    assert context.spent == spent
    assert reserved(context)[1] == 0


@pytest.mark.parametrize("provider", ["replicate", "fal"])
async def test_clip_is_recorded_with_its_seed(context: FakeContext, provider: str) -> None:
    model = default_model("video", provider)
    image = None if provider == "fal" else await stored_image(context.assets)
    facts: dict[str, Any] = {"image": image, "duration": CLIPS[provider], "seed": 3}
    await video_provider(provider).generate(
        VideoRequest(model=model, prompt="A can", **facts), seen_by(context)
    )
    assert recorded(context) == [{"provider": provider, "model": model, "prompt": "A can", "seed": 3}]


# -- speech and captions -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "voice", "settings", "words", "name", "units"),
    [
        (
            "openai",
            "Marin",
            {"voice": "marin", "speed": 1.5},
            "Marin is reading",
            "speech.mp3",
            {"characters": 13},
        ),
        (
            "gemini",
            "kore",
            {"voice": "Kore"},
            "Kore is reading",
            "speech.wav",
            {"tokens_in": 12, "tokens_out": 25},
        ),
    ],
)
async def test_speech_is_charged_and_recorded_with_its_voice(
    context: CountingContext,
    provider: str,
    voice: str,
    settings: dict[str, Any],
    words: str,
    name: str,
    units: dict[str, float],
) -> None:
    model = default_model("speech", provider)
    request = SpeechRequest(model=model, text="Pour a glass.", voice=voice, speed=1.5)
    result = await speech_provider(provider).speak(request, seen_by(context))
    assert (result.provider, result.model, result.voice) == (provider, model, settings["voice"])
    assert result.is_charged
    assert (result.audio.name, result.usd) == (name, context.spent)
    assert context.spent > 0
    assert context.units == [units]
    assert reserved(context)[0] >= context.spent  # type: ignore[operator]
    assert shown(context) == [(0.05, words)]
    assert recorded(context) == [
        {"provider": provider, "model": model, "prompt": "Pour a glass.", "settings": settings}
    ]


async def transcribed(
    fakes: State,
    context: FakeContext,
    answer: dict[str, Any],
    model: str = "whisper-1",
    seconds: float | None = 90,
    language: str = "",
) -> Any:
    fakes.misbehave("answer", on="/transcriptions", status=200, body=json.dumps(answer))
    kept = await context.assets.put(mp3(), "audio/mpeg")
    audio = Audio(asset_id=kept.asset_id, media_type="audio/mpeg", seconds=seconds)
    return await LiteLLMCaptions("openai").transcribe(
        CaptionsRequest(model, audio, language), seen_by(context)
    )


WORDS = [{"word": "Cold", "start": 0.5, "end": 0.9}, {"word": "brew", "start": 1.0, "end": 1.4}]


@pytest.mark.parametrize(
    ("answer", "cues"),
    [
        (
            {"text": "Cold brew", "words": WORDS},
            cues_from_words([Word(0.5, 0.9, "Cold"), Word(1.0, 1.4, "brew")]),
        ),
        (
            {"text": "x", "segments": [{"start": 1.0, "end": 2.0, "text": " Cold brew "}]},
            (Cue(1.0, 2.0, "Cold brew"),),
        ),
        ({"text": "Cold brew"}, cues_along("Cold brew", 90)),
        ({"text": ""}, ()),
        ({}, ()),
    ],
)
async def test_captions_are_made_of_words_else_segments_else_the_text(
    fakes: State, context: FakeContext, answer: dict[str, Any], cues: tuple[Cue, ...]
) -> None:
    result = await transcribed(fakes, context, answer)
    assert result.cues == cues
    assert (result.provider, result.model, result.is_charged) == ("openai", "whisper-1", True)
    assert result.usd == context.spent == pytest.approx(1.5 * 0.006)
    assert reserved(context) == [pytest.approx(1.5 * 0.006)]


@pytest.mark.parametrize("language", ["", "de"])
async def test_recording_is_sent_with_its_type_and_its_language(
    fakes: State, context: FakeContext, language: str
) -> None:
    await transcribed(fakes, context, {"text": "Kalt"}, language=language)
    (sent,) = fakes.requests("/transcriptions", "POST")
    assert b'filename="recording.mp3"\r\nContent-Type: audio/mpeg' in sent.body
    assert b'name="response_format"\r\n\r\nverbose_json\r\n' in sent.body
    for part in (b"word", b"segment"):
        assert b'name="timestamp_granularities[]"\r\n\r\n' + part + b"\r\n" in sent.body
    assert (b'name="language"\r\n\r\nde\r\n' in sent.body) is (language == "de")
    assert (b'name="language"' in sent.body) is (language == "de")


async def test_captions_of_an_unlisted_model_have_no_known_price(fakes: State, context: FakeContext) -> None:
    result = await transcribed(fakes, context, {"text": "Cold brew"}, "ear-9")
    assert (result.usd, context.spent, reserved(context)) == (0, 0, [None])


async def test_captions_of_a_recording_whose_length_is_not_stated_are_spread_over_its_file(
    fakes: State, context: FakeContext
) -> None:
    result = await transcribed(fakes, context, {"text": "Cold brew"}, seconds=None)
    (cue,) = result.cues
    assert (cue.start, cue.text) == (0.0, "Cold brew")
    assert cue.end == pytest.approx(1.0, abs=0.1)
    assert result.usd == pytest.approx(cue.end / 60 * 0.006)
