"""What the adapters of this machine ask their workers for, and what they return, show and record."""

import io
import json
import logging
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Bitmap
from tests.fakes.media import mp3, mp4, png, saved, stored_image
from tests.fakes.reports import previewed, recorded, seen_by, shown

from impasto import Audio, Brand, File
from impasto.testing import FakeContext
from impasto_nodes.media.captions.segmentation import Word, cues_from_words
from impasto_nodes.media.errors import MediaError
from impasto_nodes.providers.errors import (
    CorruptOutput,
    Unsupported,
    UnsupportedDuration,
    UnsupportedRatio,
)
from impasto_nodes.providers.local import RENDERER, captions, clip, image, speech
from impasto_nodes.providers.local.captions import LocalCaptions, missing
from impasto_nodes.providers.local.clip import LocalVideo
from impasto_nodes.providers.local.errors import (
    CaptionModelBroken,
    CaptionModelMissing,
    PackageMissing,
    WorkerFailed,
)
from impasto_nodes.providers.local.image import FILL, LocalImage
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.local.speech import LocalSpeech
from impasto_nodes.providers.protocols import (
    CaptionsRequest,
    ImageRequest,
    MaskedImage,
    SpeechRequest,
    VideoRequest,
)

pytestmark = pytest.mark.anyio
Tasks = Callable[[], list[dict[str, Any]]]
HANDLERS = {"render": image, "render_video": clip, "transcribe": captions, "speak": speech}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tasks") / "tasks"


@pytest.fixture(scope="module")
def workers(log: Path) -> Iterator[dict[str, WorkerProcess]]:
    environment = {"IMPASTO_TEST_TASKS": str(log)}
    made = {
        name: WorkerProcess(f"tests.nodes.local.scripted_worker:{name}", environment=environment)
        for name in HANDLERS
    }
    yield made
    for worker in made.values():
        worker.stop()


@pytest.fixture
def tasks(log: Path, workers: dict[str, WorkerProcess], monkeypatch: pytest.MonkeyPatch) -> Tasks:
    """What the workers were asked for."""
    for name, module in HANDLERS.items():
        monkeypatch.setattr(module, "_worker", workers[name])
    log.write_text("")
    return lambda: [json.loads(line) for line in log.read_text().splitlines()]


@pytest.fixture
def context(tasks: Tasks, tmp_path: Path) -> Iterator[FakeContext]:
    made = FakeContext(
        configuration={"IMPASTO_MODELS_DIR": str(tmp_path), "IMPASTO_LOCAL_THREADS": "3"}, seed=5
    )
    yield made
    made.close()


async def stored_brand(context: FakeContext) -> Brand:
    kept = await context.assets.put(b"font", "font/ttf")
    font = File(asset_id=kept.asset_id, media_type="font/ttf", name="Own-Bold.ttf")
    files = [File(asset_id="deleted"), font, File(asset_id=kept.asset_id)]
    return Brand(brand_name="Kern", palette=["#de8b3a"], fonts=["Own"], font_files=files)


# -- images ------------------------------------------------------------------------------------


async def test_images_are_drawn_one_by_one_with_their_words_recorded(
    context: FakeContext, tasks: Tasks
) -> None:
    request = ImageRequest(model="renderer", prompt="A can", n_images=2, places=[3, 6], seed=7)
    result = await LocalImage().generate(request, seen_by(context))
    assert (result.provider, result.model, result.usd, result.is_charged) == ("local", RENDERER, 0, False)
    found = [(each.name, each.width, each.height, each.media_type) for each in result.images]
    assert found == [("image-4.png", 4, 3, "image/png"), ("image-7.png", 4, 3, "image/png")]
    assert shown(context) == [(0.0, "0 of 2"), (0.5, "1 of 2")]
    assert previewed(context) == [3, 6]
    facts = {"style": "riso", "headline": "Cold", "line": "Sip it"}
    assert recorded(context) == [
        {
            "provider": "local",
            "model": RENDERER,
            "prompt": "A can",
            "seed": 7,
            "settings": facts | {"position": position},
            "method": "rendered",
        }
        for position in (103, 106)
    ]
    first, second = tasks()
    assert first.pop("out") == str(context.temp_dir / "image-3.png")
    assert (first.pop("index"), second["index"]) == (3, 6)
    assert first == {
        "prompt": "A can",
        "n_images": 2,
        "aspect_ratio": "1:1",
        "seed": 7,
        "palette": [],
        "fonts": [],
        "font_files": [],
        "brand_name": "",
        "image": None,
        "beside": [],
        "stride": 2,
    }


async def test_brand_source_and_neighbours_are_given_to_the_worker(
    context: FakeContext, tasks: Tasks
) -> None:
    settings = {"style": "swiss", "headline": "Cold", "line": 5, "other": "x", "position": 40}
    request = ImageRequest(
        model="renderer",
        prompt="A can",
        image=await stored_image(context.assets),
        beside=[await stored_image(context.assets, 32), await stored_image(context.assets, 16)],
        brand=await stored_brand(context),
        model_settings=settings,
    )
    await LocalImage().generate(request, seen_by(context))
    (task,) = tasks()
    folder = context.temp_dir
    assert (task["style"], task["headline"]) == ("swiss", "Cold")
    assert not {"line", "other", "position"} & task.keys()
    assert (task["index"], task["seed"], task["stride"]) == (40, 5, 3)
    assert (task["brand_name"], task["palette"], task["fonts"]) == ("Kern", ["#de8b3a"], ["Own"])
    assert task["font_files"] == [[str(folder / "font-1"), "Own-Bold.ttf"], [str(folder / "font-2"), ""]]
    assert (folder / "font-1").read_bytes() == b"font"
    assert task["image"] == str(folder / "source")
    assert task["beside"] == [str(folder / "beside-0"), str(folder / "beside-1")]
    files = [Path(path).read_bytes() for path in (task["image"], *task["beside"])]
    assert files == [png(64, 64), png(32, 32), png(16, 16)]


async def test_seed_is_reduced_to_the_range_of_the_renderer(context: FakeContext, tasks: Tasks) -> None:
    for seed in (2**31 - 1, 2**31 + 2):
        request = ImageRequest(model="renderer", prompt="A can", seed=seed)
        await LocalImage().generate(request, seen_by(context))
    assert [task["seed"] for task in tasks()] == [2**31 - 1, 2]


async def test_letters_that_no_font_draws_are_shown_and_recorded(context: FakeContext) -> None:
    request = ImageRequest(model="renderer", prompt="undrawn abcdefghijklm")
    await LocalImage().generate(request, seen_by(context))
    note = "No font on this machine can draw 'abcdefghijkl': the image was made without those words."
    assert shown(context)[-1] == (1.0, note)
    assert recorded(context)[0]["settings"]["note"] == note


async def test_unsupported_aspect_ratio_is_refused(context: FakeContext, tasks: Tasks) -> None:
    with pytest.raises(UnsupportedRatio):
        await LocalImage().generate(
            ImageRequest(model="renderer", prompt="A", aspect_ratio="7:3"), seen_by(context)
        )
    assert tasks() == []


async def test_masked_part_is_filled_without_a_model(context: FakeContext, tasks: Tasks) -> None:
    picture = png(64, 48)
    with Bitmap.open(io.BytesIO(picture)) as plain:
        mask = saved(plain.convert("L"))
    request = ImageRequest(model="renderer", prompt="A", masked=MaskedImage(picture, mask))
    result = await LocalImage().generate(request, seen_by(context))
    assert result.model == FILL
    assert [(each.name, each.width, each.height) for each in result.images] == [("filled.png", 64, 48)]
    assert recorded(context) == [{"provider": "local", "model": FILL, "method": "enhanced"}]
    assert tasks() == []


# -- clips -------------------------------------------------------------------------------------


async def test_clip_is_rendered_at_its_length_and_recorded(context: FakeContext, tasks: Tasks) -> None:
    request = VideoRequest(model="renderer", prompt="A can", duration=2.5, seed=2**31 + 3)
    result = await LocalVideo().generate(request, seen_by(context))
    assert (result.provider, result.model, result.usd, result.is_charged) == ("local", RENDERER, 0, False)
    assert (result.video.name, result.video.width) == ("clip.mp4", 64)
    assert shown(context) == [(0.0, "Drawing on this machine"), (0.5, "")]
    (task,) = tasks()
    assert task == {
        "out": str(context.temp_dir / "clip.mp4"),
        "images": [],
        "duration": 2.5,
        "aspect_ratio": "16:9",
        "seed": 3,
        "prompt": "A can",
        "palette": [],
        "brand_name": "",
        "fonts": [],
        "font_files": [],
        "height": 720,
        "fps": 24,
    }
    assert recorded(context) == [
        {"provider": "local", "model": RENDERER, "prompt": "A can", "seed": 3, "method": "rendered"}
    ]


async def test_clip_starts_from_the_image_in_the_brands_colors(context: FakeContext, tasks: Tasks) -> None:
    request = VideoRequest(
        model="renderer",
        prompt="A can",
        image=await stored_image(context.assets),
        brand=await stored_brand(context),
    )
    await LocalVideo().generate(request, seen_by(context))
    (task,) = tasks()
    assert task["images"] == [str(context.temp_dir / "source")]
    assert (context.temp_dir / "source").read_bytes() == png()
    assert (task["brand_name"], task["palette"], task["fonts"]) == ("Kern", ["#de8b3a"], ["Own"])
    assert task["font_files"][0] == [str(context.temp_dir / "font-1"), "Own-Bold.ttf"]
    assert task["seed"] == 5


@pytest.mark.parametrize("duration", [1.0, 30.0])
async def test_clip_has_one_to_thirty_seconds(context: FakeContext, tasks: Tasks, duration: float) -> None:
    request = VideoRequest(model="renderer", prompt="A can", duration=duration)
    await LocalVideo().generate(request, seen_by(context))
    assert [task["duration"] for task in tasks()] == [duration]


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"duration": 0.9}, UnsupportedDuration),
        ({"duration": 30.1}, UnsupportedDuration),
        ({"aspect_ratio": "7:3"}, UnsupportedRatio),
    ],
)
async def test_clip_of_another_length_or_shape_is_refused(
    context: FakeContext, tasks: Tasks, facts: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await LocalVideo().generate(VideoRequest(model="renderer", prompt="A can", **facts), seen_by(context))
    assert tasks() == []


# -- speech ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "spoken"), [(0.4, 0.5), (0.5, 0.5), (1.3, 1.3), (2.0, 2.0), (9.0, 2.0)])
async def test_text_is_spoken_at_half_to_twice_the_speed(
    context: FakeContext, tasks: Tasks, speed: float, spoken: float
) -> None:
    request = SpeechRequest(model="m", text="Pour a glass.", voice="Rachel", speed=speed, seed=2**32 + 4)
    result = await LocalSpeech().speak(request, seen_by(context))
    assert (result.provider, result.model, result.voice) == ("local", speech.MODEL, "heart")
    assert (result.audio.name, result.audio.seconds, result.audio.media_type) == (
        "speech.wav",
        0.5,
        "audio/wav",
    )
    out = str(context.temp_dir / "speech.wav")
    assert tasks() == [{"text": "Pour a glass.", "out": out, "speed": spoken, "seed": 4}]
    assert shown(context) == [(0.0, "Preparing the voice on this machine")]
    assert recorded(context) == [
        {
            "provider": "local",
            "model": speech.MODEL,
            "prompt": "Pour a glass.",
            "settings": {"voice": "heart", "speed": spoken},
        }
    ]


async def test_text_that_gives_no_audio_and_text_that_is_too_long_are_refused(
    context: FakeContext, tasks: Tasks
) -> None:
    with pytest.raises(CorruptOutput):
        await LocalSpeech().speak(SpeechRequest(model="m", text="-", voice=""), seen_by(context))
    await LocalSpeech().speak(SpeechRequest(model="m", text="a" * 20_000, voice=""), seen_by(context))
    with pytest.raises(Unsupported, match="speak more than 20,000 characters"):
        await LocalSpeech().speak(SpeechRequest(model="m", text="a" * 20_001, voice=""), seen_by(context))
    assert [task["seed"] for task in tasks()] == [5, 5]


async def test_script_that_the_voice_cannot_read_is_silence(context: FakeContext, tasks: Tasks) -> None:
    text = "秋" * 21
    result = await LocalSpeech().speak(SpeechRequest(model="m", text=text, voice=""), seen_by(context))
    assert tasks() == []
    assert shown(context) == [(1.0, "The voice cannot read this script: 4 s of silence instead")]
    assert (result.audio.seconds, result.audio.name, result.voice) == (3.5, "speech.wav", "heart")
    with wave.open(str(context.temp_dir / "speech.wav"), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        assert file.getnframes() == 84_000


# -- captions ----------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "captions" / "tiny"
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"x")
    return folder


async def listen(context: FakeContext, language: str = "", data: bytes | None = None) -> Any:
    kept = await context.assets.put(mp3() if data is None else data, "audio/mpeg")
    audio = Audio(asset_id=kept.asset_id, media_type="audio/mpeg", seconds=1.0)
    return await LocalCaptions().transcribe(CaptionsRequest("m", audio, language), seen_by(context))


async def test_recording_is_written_down_by_the_model_that_is_here(
    context: FakeContext, tasks: Tasks, model: Path
) -> None:
    result = await listen(context, "EN-gb")
    assert result.cues == cues_from_words([Word(0.5, 0.9, "Cold"), Word(1.0, 1.4, "brew")])
    assert (result.provider, result.model, result.usd) == ("local", "tiny (on this machine)", 0)
    (task,) = tasks()
    assert task.pop("recording")
    assert task == {"model": str(model), "language": "en", "threads": 3}
    assert shown(context) == [(0.0, "Preparing the caption model on this machine"), (0.5, "Listening")]
    assert recorded(context) == [{"provider": "local", "model": "tiny (on this machine)"}]


async def test_recording_without_speech_has_no_captions_and_a_warning(
    context: FakeContext, model: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="impasto.step")
    assert (await listen(context)).cues
    assert (await listen(context, "zz")).cues == ()
    warnings = [record.getMessage() for record in caplog.records if record.name == "impasto.step"]
    assert warnings == ["No speech was heard, so there are no captions."]


async def test_language_that_the_model_does_not_know_is_refused(context: FakeContext, model: Path) -> None:
    with pytest.raises(Unsupported, match=r"transcribe 'tlh' with tiny\. Use de, en\."):
        await listen(context, "tlh")


async def test_model_that_cannot_be_loaded_is_named(context: FakeContext, model: Path) -> None:
    with pytest.raises(CaptionModelBroken, match="caption model tiny cannot be loaded") as raised:
        await listen(context, "xx")
    assert raised.value.detail == "it has no weights"
    with pytest.raises(WorkerFailed):
        await listen(context, "yy")


async def test_file_without_audio_is_refused_before_the_worker(
    context: FakeContext, tasks: Tasks, model: Path
) -> None:
    with pytest.raises(MediaError):
        await listen(context, data=mp4())
    assert tasks() == []


async def test_machine_without_a_model_or_the_package_says_what_is_missing(
    context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    (problem,) = missing(context.configuration)
    assert (problem["code"], problem["setting"]) == ("caption_model_missing", "provider")
    assert problem["message"] == "No caption model is on this machine."
    assert problem["hint"].startswith("An admin can download one under Connections")
    with pytest.raises(CaptionModelMissing):
        await listen(context)
    monkeypatch.setattr(captions, "is_installed", lambda: False)
    (problem,) = missing(context.configuration)
    assert problem["message"] == "This needs 'faster-whisper'."
    with pytest.raises(PackageMissing, match=r"impasto\[captions\]"):
        await listen(context)


async def test_machine_with_a_model_lacks_nothing(
    context: FakeContext, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path))
    assert [*missing(context.configuration), *missing()] == []
