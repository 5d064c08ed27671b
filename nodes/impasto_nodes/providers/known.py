"""The providers that ship, as data: where their keys are looked for and what they make."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: `variable` is the environment's name for its key; empty where it needs none."""

    id: str
    title: str
    variable: str
    makes: frozenset[str]

    @property
    def address_variable(self) -> str:
        """The operator's setting that sends calls elsewhere (a proxy, a self-hosted server)."""
        return f"IMPASTO_{self.id.upper()}_BASE_URL"


_TEXT, _IMAGE, _VIDEO, _SPEECH, _CAPTIONS = (
    frozenset({kind}) for kind in ("text", "image", "video", "speech", "captions")
)

PROVIDERS = {
    provider.id: provider
    for provider in (
        Provider("openai", "OpenAI", "OPENAI_API_KEY", _TEXT | _IMAGE | _CAPTIONS),
        Provider("anthropic", "Anthropic", "ANTHROPIC_API_KEY", _TEXT),
        Provider("gemini", "Google Gemini", "GEMINI_API_KEY", _TEXT | _IMAGE),
        Provider("mistral", "Mistral", "MISTRAL_API_KEY", _TEXT),
        Provider("groq", "Groq", "GROQ_API_KEY", _TEXT | _CAPTIONS),
        Provider("openrouter", "OpenRouter", "OPENROUTER_API_KEY", _TEXT),
        Provider("ollama", "Ollama", "", _TEXT),
        Provider("openai_compatible", "OpenAI-compatible server", "OPENAI_COMPATIBLE_API_KEY", _TEXT),
        Provider("replicate", "Replicate", "REPLICATE_API_TOKEN", _IMAGE | _VIDEO),
        Provider("elevenlabs", "ElevenLabs", "ELEVENLABS_API_KEY", _SPEECH | _CAPTIONS),
        Provider("local", "This machine", "", _TEXT | _IMAGE | _VIDEO | _SPEECH),
    )
}
"""Every provider by id, best first within a kind: the order in which `auto` looks for a key."""

NEED_ADDRESS = frozenset({"ollama", "openai_compatible"})
"""Providers that exist only where the operator says."""


def provider_title(provider: str) -> str:
    """The name that people know a provider by."""
    known = PROVIDERS.get(provider)
    return known.title if known else provider


def providers_of(kind: str) -> list[str]:
    """The ids of those that make `kind`, in the order of `auto`."""
    return [provider.id for provider in PROVIDERS.values() if kind in provider.makes]
