"""The text to speech node."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from impasto import Audio, Context, NodeError, Port, Setting, Text, node
from impasto_nodes.providers.discovery import choose, model_options, voice_options
from impasto_nodes.providers.fixed_voices import providers_with
from impasto_nodes.providers.protocols import SpeechRequest
from impasto_nodes.providers.registry import provider_choices, speech_provider
from impasto_nodes.providers.validation import Problem, expected_cost, problems_with

_DIAL = {"ge": 0, "le": 1, "step": 0.05, "widget": "slider"}


class NothingToSay(NodeError):
    """The text has no words."""

    def __init__(self) -> None:
        super().__init__("There is nothing to say: the text holds no words.", code="nothing_to_say")


async def list_models(query: str, context: Context | None) -> list[dict[str, Any]]:
    """Return the speech models to choose from."""
    return await model_options("speech", query, context)


async def list_voices(query: str, context: Context | None) -> list[dict[str, Any]]:
    """Return the voices to choose from."""
    return await voice_options(query, context)


def _with_provider(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings with the provider that has the voice, where provider and model are left open."""
    if settings.get("provider", "auto") != "auto" or settings.get("model"):
        return settings
    return {**settings, "provider": next(providers_with(settings.get("voice", "")), "auto")}


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterable[Problem]:
    """Yield the problems that are known before a run."""
    return problems_with("speech", _with_provider(settings), configured)


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the text's characters; 300 if the text is not known."""
    text = inputs.get("text") or ""
    characters = len(text) or 300
    settings = _with_provider(settings)
    cost = expected_cost("speech", settings, configured, lambda model: characters / 1000 * model.price_usd)
    if cost["provider"] != "local" or not text:
        return {**cost, "seconds": 3.0}
    from impasto_nodes.providers.local.notices import voice_notices

    return {**cost, "seconds": 3.0, "notices": list(voice_notices(text))}


@node(
    id="text_to_speech",
    title="Text to speech",
    category="ai_models",
    keywords=("tts", "voice", "voice-over", "narration", "speak", "read aloud", "speech", "elevenlabs"),
    generative=True,
    retries=2,
    timeout=600,
    check=find_problems,
    cost=estimate,
)
async def text_to_speech(
    text: Annotated[Text, Port(help="What to say.")],
    *,
    provider: Annotated[str, Setting(choices=provider_choices("speech"), widget="select")] = "auto",
    model: Annotated[str, Setting(options="list_models", widget="select", placeholder="Best available")] = "",
    voice: Annotated[str, Setting(options="list_voices", widget="select", min_length=1)] = "Rachel",
    stability: Annotated[float, Setting(help="High: even. Low: lively.", **_DIAL)] = 0.5,
    similarity_boost: Annotated[float, Setting(help="How close to the original voice.", **_DIAL)] = 0.75,
    style: Annotated[float, Setting(help="How much of the voice's manner.", **_DIAL)] = 0.0,
    speed: Annotated[
        float,
        Setting(ge=0.5, le=2, step=0.05, widget="slider", unit="x", help="ElevenLabs accepts 0.7 to 1.2."),
    ] = 1.0,
    context: Context,
) -> Annotated[Audio, Port(title="Audio")]:
    """Speaks text in a chosen voice."""
    if not any(letter.isalnum() for letter in text):
        raise NothingToSay
    provider = _with_provider({"provider": provider, "model": model, "voice": voice})["provider"]
    choice = await choose("speech", provider, model, context)
    request = SpeechRequest(
        model=choice.model,
        text=text,
        voice=voice,
        stability=stability,
        similarity_boost=similarity_boost,
        style=style,
        speed=speed,
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=text)
    result = await speech_provider(choice.provider).speak(request, context)
    if not result.is_charged:
        context.charge(result.usd, characters=len(text))
    return result.audio
