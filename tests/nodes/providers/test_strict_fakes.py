"""The fakes refuse what the services refuse: a field that they do not know."""

from typing import Any

import httpx
import pytest
from tests.fakes import bedrock
from tests.fakes.state import GOOD_KEY, State

pytestmark = pytest.mark.anyio
ASK = [{"role": "user", "content": "A can"}]
BODIES: dict[str, dict[str, Any]] = {
    "openai/v1/chat/completions": {"model": "gpt-5-mini", "messages": ASK},
    "openai/v1/images/generations": {"model": "gpt-image-2", "prompt": "A can"},
    "openai/v1/audio/speech": {"model": "tts-1", "input": "A can", "voice": "alloy"},
    "anthropic/v1/messages": {
        "model": "claude-sonnet-5", "messages": ASK, "max_tokens": 9, "stream": True,
    },
    "gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent": {
        "contents": [{"role": "user", "parts": [{"text": "A can"}]}],
    },
    "gemini/v1beta/models/gemini-3.8-flash-tts:generateContent": {
        "contents": [{"role": "user", "parts": [{"text": "A can"}]}],
        "generationConfig": {
            "responseModalities": ["AUDIO"],
            "speechConfig": {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": "Kore"}}},
        },
    },
    "mistral/v1/chat/completions": {"model": "mistral-small-latest", "messages": ASK, "stream": True},
    "ollama/api/chat": {"model": "llama3.2", "messages": ASK},
    "azure/openai/deployments/gpt-5-mini/chat/completions?api-version=2024-10-21": {
        "model": "gpt-5-mini", "messages": ASK, "stream": True,
    },
    "replicate/v1/models/black-forest-labs/flux-1.1-pro/predictions": {"input": {"prompt": "A can"}},
    "elevenlabs/v1/text-to-speech/pNInz6obpgDQGcFmaJgB/stream": {
        "text": "A can", "model_id": "eleven_flash_v2_5",
    },
    "elevenlabs/v1/text-to-dialogue": {
        "inputs": [{"text": "A can", "voice_id": "pNInz6obpgDQGcFmaJgB"}], "model_id": "eleven_v3",
    },
    "elevenlabs/v1/music": {"prompt": "Slow jazz", "model_id": "music_v2_5", "music_length_ms": 3000},
    "xai/v1/videos/generations": {"model": "grok-imagine-video", "prompt": "A can", "duration": 6},
    "elevenlabs/v1/sound-generation": {"text": "A can opens", "model_id": "eleven_text_to_sound_v2"},
}  # fmt: skip
KEYS = {"authorization": f"Bearer {GOOD_KEY}", "x-api-key": GOOD_KEY, "xi-api-key": GOOD_KEY}
KEYS |= {"x-goog-api-key": GOOD_KEY, "api-key": GOOD_KEY}


@pytest.mark.parametrize("path", BODIES)
async def test_unknown_field_is_refused(fakes: State, path: str) -> None:
    async with httpx.AsyncClient(base_url=fakes.url, headers=KEYS) as client:
        assert (await client.post(path, json=BODIES[path])).status_code in {200, 201}
        refused = await client.post(path, json=BODIES[path] | {"extra_headers": {}})
    assert refused.status_code in {400, 422}
    assert "extra_headers" in refused.text or "extraHeaders" in refused.text


@pytest.mark.parametrize(
    "given", [{"extra_headers": {}}, {"duration": "6"}, {"duration": 10, "resolution": "1080P"}]
)
async def test_minimax_refuses_with_a_code_of_its_own(fakes: State, given: dict[str, Any]) -> None:
    path, body = "minimax/v1/video_generation", {"model": "MiniMax-Hailuo-2.3", "prompt": "A can"}
    async with httpx.AsyncClient(base_url=fakes.url, headers=KEYS) as client:
        assert (await client.post(path, json=body)).json()["task_id"]
        refused = (await client.post(path, json=body | given)).json()
    assert refused["base_resp"]["status_code"] == 2013
    assert next(iter(given)) in refused["base_resp"]["status_msg"]


async def test_input_that_the_model_does_not_take_is_refused(fakes: State) -> None:
    path = "replicate/v1/models/black-forest-labs/flux-1.1-pro/predictions"
    async with httpx.AsyncClient(base_url=fakes.url, headers=KEYS) as client:
        for given in ({}, {"prompt": 7}, {"prompt": "A can", "wings": 2}):
            assert (await client.post(path, json={"input": given})).status_code == 422


async def test_bedrock_refuses_what_amazons_own_model_of_it_does_not_know() -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "A can"}]}]}
    assert not bedrock.problem_of("m", body)
    assert "extra_headers" in bedrock.problem_of("m", body | {"extra_headers": {}})
