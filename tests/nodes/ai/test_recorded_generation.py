"""What a step costs is known by its provider's name, also if the provider's adapter records nothing."""

from dataclasses import replace
from typing import Any

import pytest
from tests.fakes import running

from impasto import Audio, Context, Image, NodeError
from impasto_nodes.providers import registry

pytestmark = pytest.mark.anyio
IMAGE = Image(asset_id="a", media_type="image/png", width=8, height=8)
AUDIO = Audio(asset_id="a", media_type="audio/wav", seconds=2.0)


class Withheld:
    """An adapter of any kind that is paid and then refuses its result."""

    async def generate(self, request: Any, context: Context) -> Any:
        context.charge(0.05)
        raise NodeError("The provider withheld the result.", code="refused")

    speak = compose = transcribe = generate


@pytest.mark.parametrize(
    ("node_type", "provider", "factory", "inputs"),
    [
        ("image_generation", "openai", "image", {"prompt": "A kiln"}),
        ("image_edit", "openai", "image", {"prompt": "A kiln", "picture": IMAGE}),
        ("video_generation", "fal", "video", {"prompt": "A kiln"}),
        ("text_to_speech", "elevenlabs", "speech", {"text": "A kiln."}),
        ("dialogue", "elevenlabs", "dialogue", {"script": "Ana: A kiln."}),
        ("music_generation", "elevenlabs", "music", {"prompt": "A kiln"}),
        ("sound_effects", "elevenlabs", "sound_effects", {"prompt": "A kiln"}),
        ("captions", "elevenlabs", "captions", {"audio": AUDIO}),
    ],
)
async def test_a_step_names_the_provider_that_was_paid(
    monkeypatch: pytest.MonkeyPatch, node_type: str, provider: str, factory: str, inputs: dict[str, Any]
) -> None:
    known = registry.specs()
    changed = known | {provider: replace(known[provider], **{factory: Withheld})}
    monkeypatch.setattr(registry, "specs", lambda: changed)

    result = await running.run(node_type, inputs, provider=provider)

    assert result.steps["it"].error.code == "refused"
    [failed] = [event for event in result.events if event.type == "step.failed"]
    assert (failed.data["cost_usd"], failed.data["made_by"]["provider"]) == (0.05, provider)
