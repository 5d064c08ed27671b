"""Voices of providers that have the same ones for every account: named in their spec."""

from collections.abc import Iterator

from impasto_nodes.providers.errors import UnknownVoice
from impasto_nodes.providers.registry import either, specs, specs_of
from impasto_nodes.providers.spec import Option, ProviderSpec

DEFAULT_VOICE = "Rachel"
"""The default of the node "Text to speech": the default voice of whichever provider speaks."""


def fixed_voice_options(spec: ProviderSpec) -> list[Option]:
    """Return a provider's fixed voices as choices."""
    return [
        {"value": voice, "label": voice.capitalize(), "group": spec.title, "provider": spec.id}
        for voice in spec.voices
    ]


def find_fixed_voice(provider: str, voice: str) -> str:
    """Return a fixed voice by its name in any case, the first one for the node's default.

    Raises `UnknownVoice`.
    """
    voices, wanted = specs()[provider].voices, voice.casefold().strip()
    if wanted == DEFAULT_VOICE.casefold():
        return voices[0]
    found = next((name for name in voices if name.casefold() == wanted), None)
    if found is None:
        raise UnknownVoice(provider, voice, f"its voices are {either(voices)}")
    return found


def providers_with(voice: str) -> Iterator[str]:
    """Yield the providers that have a fixed voice of that name, in the order in which `auto` tries them."""
    wanted = voice.casefold().strip()
    for spec in specs_of("speech"):
        if wanted in {name.casefold() for name in spec.voices}:
            yield spec.id
