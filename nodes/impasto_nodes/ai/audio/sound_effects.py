"""The sound effects node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Audio, Context, Port, Setting, Text, node
from impasto_nodes.ai.choices import check_for, models_for
from impasto_nodes.ai.prompt_template import require_words
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import SoundEffectRequest
from impasto_nodes.providers.registry import provider_choices, sound_effect_provider
from impasto_nodes.providers.validation import expected_cost


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of one sound effect."""
    cost = expected_cost("sound_effects", settings, configured, lambda model: model.price_usd)
    return {**cost, "seconds": 6.0}


@node(
    id="sound_effects",
    title="Sound effects",
    category="advanced_models",
    keywords=("sfx", "foley", "ambience", "noise", "whoosh", "atmosphere", "elevenlabs"),
    generative=True,
    retries=2,
    timeout=300,
    check=check_for("sound_effects"),
    cost=estimate,
)
async def sound_effects(
    prompt: Annotated[Text, Port(help="What is heard, such as: a can opens, then fizzes.")],
    *,
    provider: Annotated[str, Setting(choices=provider_choices("sound_effects"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("sound_effects"), widget="select", placeholder="Best available")
    ] = "",
    seconds: Annotated[
        float | None,
        Setting(title="Length", ge=0.5, le=30, step=0.5, unit="s", help="Empty: the model chooses."),
    ] = None,
    loop: Annotated[bool, Setting(help="Its end leads into its beginning.")] = False,
    prompt_influence: Annotated[
        float,
        Setting(ge=0, le=1, step=0.05, widget="slider", advanced=True, help="High: literal. Low: free."),
    ] = 0.3,
    context: Context,
) -> Annotated[Audio, Port(title="Audio")]:
    """Generates a sound effect from a description.

    A provider generates it: connect ElevenLabs under Account > Connections.
    """
    require_words(prompt, "Describe the sound effect: the prompt holds no words.")
    choice = await choose("sound_effects", provider, model, context)
    request = SoundEffectRequest(
        model=choice.model, prompt=prompt, seconds=seconds, is_loop=loop, prompt_influence=prompt_influence
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=prompt)
    result = await sound_effect_provider(choice.provider).generate(request, context)
    if not result.is_charged:
        context.charge(result.usd, effects=1)
    return result.audio
