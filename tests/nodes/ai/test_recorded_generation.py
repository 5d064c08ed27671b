"""A step that fails after it has paid names the provider that was paid."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from tests.fakes import running

from impasto import Audio, Context, Image, NodeError
from impasto_nodes.providers import registry

pytestmark = pytest.mark.anyio
IMAGE = Image(asset_id="a", media_type="image/png", width=8, height=8)
AUDIO = Audio(asset_id="a", media_type="audio/wav", seconds=2.0)


class Call(NamedTuple):
    """A node that calls a provider through an adapter that `factory` names."""

    node_type: str
    provider: str
    factory: str
    inputs: dict[str, Any]


CALLS = (
    Call("image_generation", "openai", "image", {"prompt": "A kiln"}),
    Call("image_edit", "openai", "image", {"prompt": "A kiln", "picture": IMAGE}),
    Call("video_generation", "fal", "video", {"prompt": "A kiln"}),
    Call("text_to_speech", "elevenlabs", "speech", {"text": "A kiln."}),
    Call("dialogue", "elevenlabs", "dialogue", {"script": "Ana: A kiln."}),
    Call("music_generation", "elevenlabs", "music", {"prompt": "A kiln"}),
    Call("sound_effects", "elevenlabs", "sound_effects", {"prompt": "A kiln"}),
    Call("captions", "elevenlabs", "captions", {"audio": AUDIO}),
    Call("language_model", "openai", "text", {"prompt": "A kiln"}),
    Call("structured_data", "openai", "text", {"prompt": "A kiln"}),
)
calls = pytest.mark.parametrize("call", CALLS, ids=[call.node_type for call in CALLS])


class Adapter:
    """An adapter of any kind. `answer` is what a call does."""

    def __init__(self, answer: Callable[[Context], Any]) -> None:
        self._answer = answer

    async def generate(self, request: Any, context: Context) -> Any:
        return self._answer(context)

    speak = compose = transcribe = generate

    async def stream(self, request: Any, context: Context) -> AsyncIterator[Any]:
        yield self._answer(context)


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
