"""A step is charged once, and its cost is known by its provider's name, whatever the adapter records."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from tests.fakes import running

from impasto import Audio, Context, Image, NodeError, Video
from impasto_nodes.providers import registry
from impasto_nodes.providers.protocols import (
    AudioResult,
    CaptionsResult,
    ImageResult,
    SpeechResult,
    VideoResult,
)

pytestmark = pytest.mark.anyio
IMAGE = Image(asset_id="a", media_type="image/png", width=8, height=8)
AUDIO = Audio(asset_id="a", media_type="audio/wav", seconds=2.0)
VIDEO = Video(asset_id="a", media_type="video/mp4", width=8, height=8, seconds=6.0)


class Call(NamedTuple):
    """A node that calls a provider through an adapter that `factory` names, and the kind of its result."""

    node_type: str
    provider: str
    factory: str
    inputs: dict[str, Any]
    result: Callable[..., Any]


CALLS = (
    Call("image_generation", "openai", "image", {"prompt": "A kiln"}, ImageResult),
    Call("image_edit", "openai", "image", {"prompt": "A kiln", "picture": IMAGE}, ImageResult),
    Call("video_generation", "fal", "video", {"prompt": "A kiln"}, VideoResult),
    Call("text_to_speech", "elevenlabs", "speech", {"text": "A kiln."}, SpeechResult),
    Call("dialogue", "elevenlabs", "dialogue", {"script": "Ana: A kiln."}, AudioResult),
    Call("music_generation", "elevenlabs", "music", {"prompt": "A kiln"}, AudioResult),
    Call("sound_effects", "elevenlabs", "sound_effects", {"prompt": "A kiln"}, AudioResult),
    Call("captions", "elevenlabs", "captions", {"audio": AUDIO}, CaptionsResult),
)
CONTENT: dict[Callable[..., Any], dict[str, Any]] = {
    ImageResult: {"images": (IMAGE,)},
    VideoResult: {"video": VIDEO},
    SpeechResult: {"audio": AUDIO, "voice": "Rachel"},
    AudioResult: {"audio": AUDIO},
    CaptionsResult: {"cues": ()},
}
calls = pytest.mark.parametrize("call", CALLS, ids=[call.node_type for call in CALLS])


class Adapter:
    """An adapter of any kind. `answer` is what a call does."""

    def __init__(self, answer: Callable[[Context], Any]) -> None:
        self._answer = answer

    async def generate(self, request: Any, context: Context) -> Any:
        return self._answer(context)

    speak = compose = transcribe = generate


async def run_with(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Context], Any], call: Call) -> Any:
    """Run a node whose provider has an adapter that answers so."""
    known = registry.specs()
    spec = replace(known[call.provider], **{call.factory: lambda: Adapter(answer)})
    monkeypatch.setattr(registry, "specs", lambda: known | {call.provider: spec})
    return await running.run(call.node_type, call.inputs, provider=call.provider)


@calls
async def test_a_step_names_the_provider_that_was_paid(monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    def withhold(context: Context) -> Any:
        context.charge(0.05)
        raise NodeError("The provider withheld the result.", code="refused")

    result = await run_with(monkeypatch, withhold, call)

    assert result.steps["it"].error.code == "refused"
    [failed] = [event for event in result.events if event.type == "step.failed"]
    assert (failed.data["cost_usd"], failed.data["made_by"]["provider"]) == (0.05, call.provider)


@pytest.mark.parametrize("by_adapter", [True, False], ids=["by its adapter", "by the node"])
@calls
async def test_a_result_is_charged_once(
    monkeypatch: pytest.MonkeyPatch, call: Call, by_adapter: bool
) -> None:
    def sell(context: Context) -> Any:
        if by_adapter:
            context.charge(0.05)
        content = CONTENT[call.result]
        return call.result(provider=call.provider, model="new", usd=0.05, is_charged=by_adapter, **content)

    result = await run_with(monkeypatch, sell, call)

    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == 0.05
