"""The music generation node."""

from collections.abc import Mapping
from typing import Annotated, Any

from impasto import Audio, Context, Port, Setting, Text, node
from impasto_nodes.ai.choices import check_for, models_for
from impasto_nodes.ai.prompt_template import require_words
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import MusicRequest
from impasto_nodes.providers.registry import music_provider, provider_choices
from impasto_nodes.providers.validation import expected_cost

_SECONDS = 30.0


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the music's minutes."""
    minutes = (settings.get("seconds") or _SECONDS) / 60
    cost = expected_cost("music", settings, configured, lambda model: minutes * model.price_usd)
    return {**cost, "seconds": 20.0}


@node(
    id="music_generation",
    title="Music generation",
    category="advanced_models",
    keywords=("song", "soundtrack", "jingle", "score", "background music", "compose", "beat", "elevenlabs"),
    generative=True,
    retries=2,
    timeout=900,
    check=check_for("music"),
    cost=estimate,
)
async def music_generation(
    prompt: Annotated[Text, Port(help="The genre, the mood, the instruments, the tempo.")],
    *,
    provider: Annotated[str, Setting(choices=provider_choices("music"), widget="select")] = "auto",
    model: Annotated[
        str, Setting(options=models_for("music"), widget="select", placeholder="Best available")
    ] = "",
    seconds: Annotated[
        float, Setting(title="Length", ge=3, le=600, step=1, unit="s", widget="number", main=True)
    ] = _SECONDS,
    instrumental: Annotated[bool, Setting(help="Without a singing voice.")] = True,
    context: Context,
) -> Annotated[Audio, Port(title="Audio")]:
    """Composes music from a description.

    A provider composes: connect ElevenLabs under Account > Connections.
    """
    require_words(prompt, "Describe the music: the prompt holds no words.")
    choice = await choose("music", provider, model, context)
    request = MusicRequest(model=choice.model, prompt=prompt, seconds=seconds, is_instrumental=instrumental)
    context.record_generation(provider=choice.provider, model=choice.model, prompt=prompt)
    result = await music_provider(choice.provider).compose(request, context)
    if not result.is_charged:
        context.charge(result.usd, seconds=seconds)
    return result.audio
