"""A step that fails after it has paid names the provider that was paid."""

from collections.abc import AsyncIterator
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
    """A node that calls a provider through an adapter that `factory` names, and the prompt it records."""

    node_type: str
    provider: str
    factory: str
    inputs: dict[str, Any]
    prompt: str | None = "A kiln"


CALLS = (
    Call("image_generation", "openai", "image", {"prompt": "A kiln"}),
    Call("image_edit", "openai", "image", {"prompt": "A kiln", "picture": IMAGE}),
    Call("video_generation", "fal", "video", {"prompt": "A kiln"}),
    Call("text_to_speech", "elevenlabs", "speech", {"text": "A kiln"}),
    Call("dialogue", "elevenlabs", "dialogue", {"script": "Ana: A kiln"}, "Ana: A kiln"),
    Call("music_generation", "elevenlabs", "music", {"prompt": "A kiln"}),
    Call("sound_effects", "elevenlabs", "sound_effects", {"prompt": "A kiln"}),
    Call("captions", "elevenlabs", "captions", {"audio": AUDIO}, None),
    Call("language_model", "openai", "text", {"prompt": "A kiln"}),
    Call("structured_data", "openai", "text", {"prompt": "A kiln"}),
)
calls = pytest.mark.parametrize("call", CALLS, ids=[call.node_type for call in CALLS])


class Adapter:
    """An adapter of any kind that charges for a result and withholds it."""

    def __init__(self) -> None:
        self.models: list[str] = []

    async def generate(self, request: Any, context: Context) -> Any:
        self.models.append(request.model)
        context.charge(0.05)
        raise NodeError("The provider withheld the result.", code="refused")

    speak = compose = transcribe = generate

    async def stream(self, request: Any, context: Context) -> AsyncIterator[Any]:
        yield await self.generate(request, context)


@calls
async def test_a_step_names_the_provider_that_was_paid(monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    known, adapter = registry.specs(), Adapter()
    spec = replace(known[call.provider], **{call.factory: lambda: adapter})
    monkeypatch.setattr(registry, "specs", lambda: known | {call.provider: spec})

    result = await running.run(call.node_type, call.inputs, provider=call.provider)

    assert result.steps["it"].error.code == "refused"
    [failed] = [event for event in result.events if event.type == "step.failed"]
    made_by = failed.data["made_by"]
    assert failed.data["cost_usd"] == 0.05
    assert (made_by["provider"], made_by["prompt"]) == (call.provider, call.prompt)
    assert made_by["model"]
    assert adapter.models == [made_by["model"]]
