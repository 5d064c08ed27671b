"""What a node asks of its provider, and what it charges: once, by its adapter or by the node."""

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from tests.fakes.media import png, stored_image
from tests.fakes.running import run

from impasto import Audio, Brand, Context, Image, MemoryStore, Video
from impasto_nodes.media.captions.segmentation import Cue
from impasto_nodes.providers import registry
from impasto_nodes.providers.protocols import (
    AudioResult,
    CaptionsRequest,
    CaptionsResult,
    DialogueLine,
    DialogueRequest,
    ImageRequest,
    ImageResult,
    MusicRequest,
    SoundEffectRequest,
    SpeechRequest,
    SpeechResult,
    VideoRequest,
    VideoResult,
)

pytestmark = pytest.mark.anyio
SCRIPT = "Anna: Is it cold?\nBen: [laughs] Yes."


class Adapter:
    """A provider of every kind that keeps what it is asked for."""

    def __init__(self, charges: bool) -> None:
        self.charges = charges
        self.asked: list[Any] = []

    def _common(self, request: Any, context: Context) -> dict[str, Any]:
        self.asked.append(request)
        if self.charges:
            context.charge(0.02, calls=1)
        return {"provider": "maker", "model": "made-1", "usd": 0.02, "is_charged": self.charges}

    async def speak(self, request: Any, context: Context) -> Any:
        audio = await context.store(b"RIFF", "audio/wav")
        if hasattr(request, "lines"):
            return AudioResult(audio=audio, **self._common(request, context))
        return SpeechResult(audio=audio, voice="Ann", **self._common(request, context))

    async def compose(self, request: Any, context: Context) -> AudioResult:
        return AudioResult(audio=await context.store(b"RIFF", "audio/wav"), **self._common(request, context))

    async def transcribe(self, request: Any, context: Context) -> CaptionsResult:
        cues = (Cue(0.0, 1.0, "Cold"), Cue(1.0, 2.5, "brew"))
        return CaptionsResult(cues=cues, **self._common(request, context))

    async def generate(self, request: Any, context: Context) -> Any:
        if hasattr(request, "duration"):
            clip = await context.store(b"clip", "video/mp4")
            return VideoResult(video=clip, **self._common(request, context))
        if hasattr(request, "n_images"):
            images = [await context.store(png(), "image/png") for _ in range(request.n_images)]
            return ImageResult(images=tuple(images), **self._common(request, context))
        return AudioResult(audio=await context.store(b"RIFF", "audio/wav"), **self._common(request, context))


KINDS = ("image", "video", "speech", "dialogue", "music", "sound_effects", "captions")


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a node whose provider is an adapter of this kind."""

    async def asked(
        node_type: str, inputs: dict[str, Any], *, charges: bool = False, store: Any = None, **settings: Any
    ) -> tuple[Any, Any, dict[str, Any]]:
        adapter, known = Adapter(charges), registry.specs()
        changed = {
            name: replace(
                spec, **{kind: (lambda: adapter) for kind in KINDS if getattr(spec, kind) is not None}
            )
            for name, spec in known.items()
        }
        monkeypatch.setattr(registry, "specs", lambda: changed)
        result = await run(node_type, inputs, store=store, **settings)
        assert result.status == "finished", result.steps["it"].error
        [finished] = [one for one in result.events if one.type == "step.finished" and one.step == "it"]
        return result, adapter.asked[0], finished.data

    return asked


class Call(NamedTuple):
    """The inputs and settings of a node, the units of its charge, and what its adapter is asked."""

    inputs: dict[str, Any]
    settings: dict[str, Any]
    units: dict[str, float]
    request: Any


BRAND = Brand(palette=("#112233",))
PHOTO = Image(asset_id="a", media_type="image/png", width=300, height=200)
SOUND = Audio(asset_id="a", media_type="audio/wav")
CALLS = {
    "image_generation": Call(
        {"prompt": "A can", "brand": BRAND, "picture": PHOTO},
        {
            "provider": "openai",
            "n_images": 2,
            "aspect_ratio": "3:2",
            "negative_prompt": "fog",
            "seed": 7,
            "more": {"quality": "low"},
        },
        {"images": 2},
        ImageRequest(
            model="",
            prompt="A can\nColours: #112233.",
            n_images=2,
            aspect_ratio="3:2",
            seed=7,
            negative_prompt="fog",
            image=PHOTO,
            brand=BRAND,
            model_settings={"quality": "low"},
            places=[0, 1],
            beside=[],
        ),
    ),
    "video_generation": Call(
        {"prompt": "A can", "brand": BRAND, "picture": PHOTO},
        {
            "provider": "replicate",
            "duration": 5,
            "aspect_ratio": "9:16",
            "seed": 3,
            "more": {"resolution": "720p"},
        },
        {"seconds": 5},
        VideoRequest(
            model="",
            prompt="A can\nColours: #112233.",
            duration=5,
            aspect_ratio="9:16",
            seed=3,
            image=PHOTO,
            brand=BRAND,
            model_settings={"resolution": "720p"},
        ),
    ),
    "text_to_speech": Call(
        {"text": "Hello you"},
        {"provider": "elevenlabs", "voice": "Ann", "speed": 1.1, "style": 0.2, "stability": 0.3},
        {"characters": 9},
        SpeechRequest(
            model="",
            text="Hello you",
            voice="Ann",
            stability=0.3,
            similarity_boost=0.75,
            style=0.2,
            speed=1.1,
        ),
    ),
    "dialogue": Call(
        {"script": SCRIPT},
        {"provider": "elevenlabs", "voices": {"anna": "Rachel"}, "stability": 1.0, "seed": 4},
        {"characters": 24},
        DialogueRequest(
            model="",
            lines=(DialogueLine("Rachel", "Is it cold?"), DialogueLine("Ben", "[laughs] Yes.")),
            stability=1.0,
            seed=4,
        ),
    ),
    "music_generation": Call(
        {"prompt": "Jazz"},
        {"provider": "elevenlabs", "seconds": 40, "instrumental": False},
        {"seconds": 40},
        MusicRequest(model="", prompt="Jazz", seconds=40, is_instrumental=False),
    ),
    "sound_effects": Call(
        {"prompt": "Fizz"},
        {"provider": "elevenlabs", "seconds": 2, "loop": True, "prompt_influence": 0.9},
        {"effects": 1},
        SoundEffectRequest(model="", prompt="Fizz", seconds=2, is_loop=True, prompt_influence=0.9),
    ),
    "captions": Call(
        {"audio": SOUND},
        {"provider": "elevenlabs", "language": "en"},
        {},
        CaptionsRequest(model="", recording=SOUND, language="en"),
    ),
}

MODELS = {
    "image_generation": "gpt-image-1-mini",
    "image_edit": "gpt-image-1-mini",
    "video_generation": "bytedance/seedance-1-lite",
    "text_to_speech": "eleven_flash_v2_5",
    "dialogue": "eleven_v4",
    "music_generation": "music_v1",
    "sound_effects": "eleven_text_to_sound_v3",
    "captions": "scribe_v1",
}
"""A model of each node that is not the one it takes by default."""


charged = pytest.mark.parametrize("charges", [True, False], ids=["by the adapter", "by the node"])


@charged
@pytest.mark.parametrize("node_type", CALLS)
async def test_a_result_is_charged_once_and_asked_for_as_set(ask: Any, node_type: str, charges: bool) -> None:
    inputs, settings, units, request = CALLS[node_type]
    chosen = {} if charges else {"model": MODELS[node_type]}
    result, asked, finished = await ask(node_type, inputs, charges=charges, **settings, **chosen)
    assert finished["cost_usd"] == result.steps["it"].cost_usd == 0.02
    assert finished["units"] == ({"calls": 1} if charges else units)
    assert asked.model
    assert (asked.model == MODELS[node_type]) is not charges
    assert replace(asked, model="") == request
    author = ("maker", "made-1") if node_type == "captions" else (settings["provider"], asked.model)
    assert (finished["made_by"]["provider"], finished["made_by"]["model"]) == author


MINIMAL = {
    "image_generation": (
        {"prompt": "A can"},
        {"provider": "openai"},
        ImageRequest(model="", prompt="A can", places=[0], beside=[]),
    ),
    "video_generation": (
        {"picture": PHOTO},
        {"provider": "replicate"},
        VideoRequest(model="", prompt="", image=PHOTO),
    ),
    "text_to_speech": (
        {"text": "7"},
        {"provider": "elevenlabs"},
        SpeechRequest(model="", text="7", voice="Rachel"),
    ),
    "dialogue": (
        {"script": "Ben: Hi"},
        {"provider": "elevenlabs"},
        DialogueRequest(model="", lines=(DialogueLine("Ben", "Hi"),)),
    ),
    "music_generation": (
        {"prompt": "Jazz"},
        {"provider": "elevenlabs"},
        MusicRequest(model="", prompt="Jazz"),
    ),
    "sound_effects": (
        {"prompt": "Fizz"},
        {"provider": "elevenlabs"},
        SoundEffectRequest(model="", prompt="Fizz"),
    ),
    "captions": (
        {"audio": SOUND},
        {"provider": "local"},
        CaptionsRequest(model="", recording=SOUND),
    ),
}


@pytest.mark.parametrize("node_type", MINIMAL)
async def test_settings_that_are_not_set_have_their_defaults(ask: Any, node_type: str) -> None:
    inputs, settings, request = MINIMAL[node_type]
    _, asked, _ = await ask(node_type, inputs, **settings)
    assert replace(asked, model="") == request


@charged
async def test_an_edit_is_charged_once(ask: Any, charges: bool) -> None:
    store = MemoryStore()
    picture = replace(await stored_image(store), width=300, height=200)
    inputs = {"picture": picture, "prompt": "Blue", "brand": BRAND}
    own = {"seed": 5, "more": {"quality": "low"}} if charges else {"model": MODELS["image_edit"]}
    result, asked, finished = await ask(
        "image_edit", inputs, charges=charges, store=store, provider="openai", **own
    )
    assert finished["cost_usd"] == result.steps["it"].cost_usd == 0.02
    assert finished["units"] == ({"calls": 1} if charges else {"images": 1})
    assert (asked.model == MODELS["image_edit"]) is not charges
    assert replace(asked, model="") == ImageRequest(
        model="",
        prompt="Blue\nColours: #112233.",
        aspect_ratio="3:2",
        seed=own.get("seed"),
        image=picture,
        brand=BRAND,
        model_settings=own.get("more", {}),
    )
    assert (finished["made_by"]["provider"], finished["made_by"]["prompt"]) == ("openai", asked.prompt)
    assert result.outputs["it.output"].media_type == "image/png"


async def test_an_edit_is_made_by_a_model_for_edits(ask: Any) -> None:
    store = MemoryStore()
    inputs = {"picture": await stored_image(store), "prompt": "Blue"}
    _, asked, _ = await ask("image_edit", inputs, store=store, provider="fal")
    assert asked.model == "fal-ai/flux-pro/kontext"


async def test_a_clip_is_made_by_a_provider_that_makes_its_length(ask: Any) -> None:
    providers = []
    for duration in (5, 29):
        _, asked, finished = await ask("video_generation", {"prompt": "A can"}, duration=duration)
        providers.append(finished["made_by"]["provider"])
        model = registry.find_model("video", providers[-1], asked.model)
        assert model is not None
        assert duration in model.durations
    assert len(set(providers)) == 2


async def test_words_of_a_provider_become_captions(ask: Any) -> None:
    inputs = {"video": Video(asset_id="a", media_type="video/mp4"), "text": "Given"}
    result, asked, _ = await ask("captions", inputs, provider="elevenlabs")
    assert asked.recording.asset_id == "a"
    assert result.outputs["it.text"] == "Cold brew"
    assert result.outputs["it.cues"][1] == {"start": 1.0, "end": 2.5, "text": "brew"}
    assert result.outputs["it.srt"].startswith("1\n00:00:00,000 --> 00:00:01,000\nCold\n")
