"""The local providers for real: a language model, a voice, images, a clip."""

import asyncio
import io
import json
import wave
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.fakes.running import flow_of, run

from impasto import Brand, Catalog, Image, MemoryStore, compile, start
from impasto_nodes.media.audio.audio_file import load
from impasto_nodes.media.audio.loudness import loudness
from impasto_nodes.media.probe import probe
from impasto_nodes.providers.local import clip

pytestmark = [pytest.mark.anyio, pytest.mark.local]
BRAND = Brand(
    brand_name="Northbound Coffee",
    description="Cold brew.",
    palette=("#2b2018", "#de8c3c", "#f0d8b0"),
    tone="warm",
)


@pytest.fixture
def small_clips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clips have a sixteenth of the area: encoding takes most of their time."""
    monkeypatch.setattr(clip, "_HEIGHT", 180)


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC", "GEMINI", "MISTRAL", "GROQ", "OPENROUTER", "ELEVENLABS"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    monkeypatch.delenv("REPLICATE_API_TOKEN", raising=False)


async def test_text_is_written_by_a_model_that_is_named() -> None:
    result = await run(
        "language_model",
        {"prompt": "Trail shoes for rainy days", "brand": BRAND},
        key=None,
        system_prompt="Write one caption for Instagram.",
    )
    text = result.outputs["it.output"]
    assert 10 < len(text) < 600
    assert text == text.strip()
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert "(on this machine)" in done.data["made_by"]["model"]
    assert result.steps["it"].cost_usd == 0
    deltas = [
        event.data["delta"] for event in result.events if event.type == "step.partial" and event.step == "it"
    ]
    assert "".join(deltas).strip() == text


@pytest.mark.parametrize("preset", ["ad_copy", "social_post", "shot_list", "hashtags", "headlines"])
async def test_data_always_fits_its_schema(preset: str) -> None:
    result = await run(
        "language_model",
        {"prompt": "A refillable soap"},
        key=None,
        output_schema_preset=preset,
        provider="local",
    )
    assert result.status == "finished", result.steps["it"].error
    assert result.outputs["it.data"]
    json.dumps(result.outputs["it.data"])


async def test_a_seed_gives_the_same_text_again() -> None:
    async def write(seed: int) -> str:
        plan = compile(
            flow_of("language_model", {"provider": "local"}, {"prompt": "A jazz festival"}),
            Catalog.discover(),
        )
        async with start(plan, {}, seed=seed, reuse="none") as live:
            return str((await live.result()).outputs["it.output"])

    assert await write(3) == await write(3)


async def test_speech_is_an_audible_wav_file(tmp_path: Path) -> None:
    store = MemoryStore()
    text = "Late summer light, and a cold can on warm wood."
    normal = await run("text_to_speech", {"text": text}, key=None, store=store)
    fast = await run("text_to_speech", {"text": text}, key=None, store=store, speed=1.5)
    audio, faster = normal.outputs["it.output"], fast.outputs["it.output"]
    assert audio.media_type == "audio/wav"
    assert 2.0 < audio.seconds < 6.0
    assert faster.seconds < 0.8 * audio.seconds
    with wave.open(io.BytesIO(store.assets[audio.asset_id])) as wav:
        assert (wav.getframerate(), wav.getnchannels()) == (24_000, 1)
        assert wav.getnframes() / 24_000 == pytest.approx(audio.seconds, abs=0.01)
        samples = np.frombuffer(wav.readframes(wav.getnframes()), "<i2").astype(float)
    assert np.sqrt((samples**2).mean()) > 500
    kept = tmp_path / "speech.wav"
    kept.write_bytes(store.assets[audio.asset_id])
    assert loudness(load(kept)) == pytest.approx(-16.0, abs=1.5)
    assert np.abs(samples).max() < 30_000


async def test_images_have_their_size_and_are_shown_one_by_one() -> None:
    store = MemoryStore()
    settings = {"n_images": 2, "aspect_ratio": "4:5", "seed": 11}
    result = await run(
        "image_generation", {"prompt": "Cold brew", "brand": BRAND}, key=None, store=store, **settings
    )
    images = result.outputs["it.output"]
    assert len({image.asset_id for image in images}) == 2
    for image in images:
        with Pillow.open(io.BytesIO(store.assets[image.asset_id])) as bitmap:
            assert bitmap.size == (image.width, image.height)
            assert bitmap.width * 5 == bitmap.height * 4
    previews = [event for event in result.events if event.type == "step.partial" and event.step == "it"]
    assert len(previews) == 2
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert done.data["made_by"]["model"] == "Local renderer (not a diffusion model)"


@pytest.mark.usefixtures("small_clips")
async def test_a_clip_opens_and_has_its_length(tmp_path: object) -> None:
    store = MemoryStore()
    result = await run(
        "video_generation", {"prompt": "Cold brew"}, key=None, store=store, duration=2, aspect_ratio="1:1"
    )
    clip = result.outputs["it.output"]
    assert clip.seconds == pytest.approx(2, abs=0.1)
    assert clip.width == clip.height
    async with store.path(clip.asset_id) as path:
        assert probe(path).has_video


async def test_a_clip_starts_from_an_image() -> None:
    store = MemoryStore()
    out = io.BytesIO()
    Pillow.new("RGB", (640, 360), "#de8c3c").save(out, "PNG")
    kept = await store.put(out.getvalue(), "image/png")
    result = await run(
        "video_generation", {"picture": Image(asset_id=kept.asset_id)}, key=None, store=store, duration=1
    )
    clip = result.outputs["it.output"]
    assert clip.seconds == pytest.approx(1, abs=0.1)
    assert (clip.width, clip.height) == (1280, 720)


async def test_cancelling_ends_the_work_at_once() -> None:
    flow = flow_of("video_generation", {"duration": 30}, {"prompt": "Cold brew"})
    async with start(compile(flow, Catalog.discover()), {}, store=MemoryStore()) as live:
        async for event in live.events():
            # Before the first image is drawn the node speaks for itself, and no child need be at work.
            if event.type == "step.progress" and event.step == "it" and event.data["fraction"] > 0:
                break
        result = await live.cancel()
    assert result.status == "cancelled"
    assert result.events[-1].type == "run.cancelled"
    while clip._worker.running:
        await asyncio.sleep(0.01)
