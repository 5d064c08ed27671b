"""Settings that the nodes which call a model share: the models to choose from, and checks of a key."""

from typing import Any

import pytest
from tests.fakes.running import flow_of, installed, options_of
from tests.fakes.state import State

from impasto import Audio, Brand, FlowInvalid, Image, compile

PHOTO = Image(asset_id="a", width=300, height=200)
SOUND = Audio(asset_id="a", media_type="audio/wav")
HAIKU = ["claude-haiku-4-5", "anthropic.claude-haiku-4-5-20251001-v1:0"]
INPUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "language_model": ("anthropic", {"prompt": "A can"}),
    "structured_data": ("anthropic", {"prompt": "A can"}),
    "image_generation": ("openai", {"prompt": "A can"}),
    "image_edit": ("openai", {"prompt": "Blue", "picture": PHOTO}),
    "video_generation": ("replicate", {"prompt": "A can"}),
    "text_to_speech": ("openai", {"text": "Hi"}),
    "dialogue": ("elevenlabs", {"script": "Ann: Hi"}),
    "music_generation": ("elevenlabs", {"prompt": "Jazz"}),
    "sound_effects": ("elevenlabs", {"prompt": "Fizz"}),
    "captions": ("groq", {"audio": SOUND}),
    "brand_check": ("anthropic", {"text": "Hi", "brand": Brand(brand_name="A")}),
}


@pytest.mark.parametrize("node_type", INPUTS)
def test_a_provider_without_a_key_is_a_problem_before_the_run(node_type: str) -> None:
    provider, inputs = INPUTS[node_type]
    flow = flow_of(node_type, {"provider": provider}, inputs)

    with pytest.raises(FlowInvalid) as refused:
        compile(flow, installed(), configured=frozenset())
    problems = [(one.code, one.node, one.setting) for one in refused.value.problems]
    assert problems == [("missing_credential", "it", "provider")]
    assert not compile(flow, installed(), configured=frozenset({provider})).warnings


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("node_type", "query", "offered"),
    [
        ("language_model", "claude-h", HAIKU),
        ("structured_data", "claude-h", HAIKU),
        ("brand_check", "claude-h", HAIKU),
        ("image_generation", "gpt-image-2", ["gpt-image-2"]),
        ("image_edit", "gpt-image-2", ["gpt-image-2"]),
        ("video_generation", "gen4_", ["gen4_turbo"]),
        ("text_to_speech", "eleven_v3", ["eleven_v3"]),
        ("dialogue", "", ["eleven_v3"]),
        ("music_generation", "music_v1", ["music_v1"]),
        ("sound_effects", "", ["eleven_text_to_sound_v2"]),
        ("captions", "whisper-large", ["whisper-large-v3"]),
    ],
)
async def test_models_of_the_kind_are_offered(node_type: str, query: str, offered: list[str]) -> None:
    assert [one["value"] for one in await options_of(node_type, "model", query, key=None)] == offered


@pytest.mark.anyio
async def test_a_model_that_takes_no_image_is_not_offered_for_an_edit() -> None:
    made = {one["value"] for one in await options_of("image_generation", "model", key=None)}
    edited = {one["value"] for one in await options_of("image_edit", "model", key=None)}
    assert edited < made
    assert "black-forest-labs/flux-schnell" in made - edited


@pytest.mark.anyio
async def test_a_model_of_an_account_is_not_offered_for_an_edit(fakes: State) -> None:
    assert [one["value"] for one in await options_of("image_generation", "model", "acme/unlisted")]
    assert await options_of("image_edit", "model", "acme/unlisted") == []


@pytest.mark.anyio
async def test_settings_of_a_model_are_those_of_its_kind() -> None:
    assert len(await options_of("image_generation", "more", "gpt-image-2", key=None)) > 3
    assert len(await options_of("image_edit", "more", "gpt-image-2", key=None)) > 3
    assert await options_of("video_generation", "more", "gpt-image-2", key=None) == []
    [first, *_] = await options_of("video_generation", "more", "veo-3.1-generate-001", key=None)
    assert "schema" in first


@pytest.mark.anyio
async def test_lengths_of_clips_are_offered() -> None:
    offered = await options_of("video_generation", "duration", key=None)
    assert [one["label"] for one in offered][:2] == ["1 s", "2 s"]
