"""Only the step retries a call: no SDK sends a request a second time by itself."""

from itertools import product
from typing import Any

import pytest
from tests.fakes.media import mp3, png
from tests.fakes.running import error_of, run
from tests.fakes.state import Kind, State
from tests.fixtures.tables import diagonals

from impasto import Audio, Image, MemoryStore

pytestmark = pytest.mark.anyio
ATTEMPTS = 3
CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "openai chat": ("language_model", {"provider": "openai", "model": "gpt-5-mini"}, "chat"),
    "anthropic chat": ("language_model", {"provider": "anthropic", "model": "claude-sonnet-5"}, "messages"),
    "gemini chat": ("language_model", {"provider": "gemini", "model": "gemini-2.5-flash"}, "Generate"),
    "mistral chat": ("language_model", {"provider": "mistral", "model": "mistral-small-latest"}, "chat"),
    "openai image": ("image_generation", {"provider": "openai", "model": "gpt-image-2"}, "generations"),
    "gemini image": (
        "image_generation", {"provider": "gemini", "model": "gemini-3.1-flash-image"}, "generateContent",
    ),
    "openai edit": ("image_edit", {"provider": "openai", "model": "gpt-image-2"}, "edits"),
    "gemini edit": (
        "image_edit", {"provider": "gemini", "model": "gemini-3.1-flash-image"}, "generateContent",
    ),
    "openai captions": ("captions", {"provider": "openai", "model": "whisper-1"}, "transcriptions"),
    "elevenlabs captions": ("captions", {"provider": "elevenlabs", "model": "scribe_v1"}, "speech-to-text"),
    "elevenlabs speech": (
        "text_to_speech", {"provider": "elevenlabs", "model": "eleven_flash_v2_5"}, "text-to-speech",
    ),
    "openai speech": (
        "text_to_speech", {"provider": "openai", "model": "gpt-4o-mini-tts"}, "audio/speech",
    ),
    "gemini speech": (
        "text_to_speech", {"provider": "gemini", "model": "gemini-3.8-flash-tts"}, "generateContent",
    ),
    "elevenlabs music": ("music_generation", {"provider": "elevenlabs"}, "v1/music"),
    "elevenlabs dialogue": ("dialogue", {"provider": "elevenlabs"}, "text-to-dialogue"),
    "elevenlabs sound effects": ("sound_effects", {"provider": "elevenlabs"}, "sound-generation"),
    "replicate image": (
        "image_generation", {"provider": "replicate", "model": "black-forest-labs/flux-1.1-pro"},
        "flux-1.1-pro/predictions",
    ),
    "fal image": ("image_generation", {"provider": "fal", "model": "fal-ai/flux/schnell"}, "flux/schnell"),
    "xai video": (
        "video_generation", {"provider": "xai", "model": "grok-imagine-video"}, "/videos/generations",
    ),
    "minimax video": (
        "video_generation", {"provider": "minimax", "model": "MiniMax-Hailuo-2.3", "duration": 6},
        "/v1/video_generation",
    ),
}  # fmt: skip


async def inputs_of(node: str, store: MemoryStore) -> dict[str, Any]:
    image = await store.put(png(), "image/png")
    audio = await store.put(mp3(), "audio/mpeg")
    inputs: dict[str, dict[str, Any]] = {
        "captions": {"audio": Audio(asset_id=audio.asset_id, media_type="audio/mpeg", seconds=2.0)},
        "image_edit": {"prompt": "Dusk", "picture": Image(asset_id=image.asset_id, width=64, height=64)},
        "text_to_speech": {"text": "A can"},
        "dialogue": {"script": "Adam: A can"},
    }
    return inputs.get(node, {"prompt": "A can"})


@pytest.mark.parametrize(
    ("call", "kind"), diagonals(product(CALLS, ("unavailable", "server_error", "rate_limit")), 3)
)
async def test_failed_call_is_sent_once_an_attempt(fakes: State, call: str, kind: Kind) -> None:
    node, settings, path = CALLS[call]
    fakes.misbehave(kind, on=path, times=50, retry_after=0.01)
    store = MemoryStore()
    result = await run(node, await inputs_of(node, store), store=store, **settings)
    assert error_of(result).retryable
    assert len(fakes.requests(path, "POST")) == ATTEMPTS
    assert result.cost_usd == 0


@pytest.mark.parametrize(
    "call", ["openai image", "gemini image", "gemini edit", "gemini speech", "openai speech", "gemini chat"]
)
async def test_interrupted_request_is_sent_once_an_attempt(fakes: State, call: str) -> None:
    node, settings, path = CALLS[call]
    fakes.misbehave("hang_up", on=path, times=50)
    store = MemoryStore()
    result = await run(node, await inputs_of(node, store), store=store, **settings)
    assert error_of(result).code == "stream_dropped"
    assert len(fakes.requests(path, "POST")) == ATTEMPTS
