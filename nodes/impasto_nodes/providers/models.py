"""Models worth offering by name, with the shapes, lengths and prices their providers publish.

Not a limit: any model a provider knows can be named. Prices are list prices in USD for estimates;
what a run really cost is taken from the provider's answer where it says so. Those that litellm's own list
has are held to it by a test; docs/guides/providers.md says which are not.
"""

import math
from dataclasses import dataclass

from impasto_nodes.providers.known import PROVIDERS, provider_title, providers_of

RATIOS = ("1:1", "4:5", "9:16", "16:9", "3:4", "4:3", "2:3", "3:2", "5:4", "21:9")
_FLUX = RATIOS
_GOOGLE = ("1:1", "3:4", "4:3", "9:16", "16:9")
_CLIP = ("16:9", "9:16", "1:1")


@dataclass(frozen=True, slots=True)
class Model:
    """One model: `usd` buys 1000 tokens out, an image, a second, 1000 characters or a minute."""

    provider: str
    kind: str
    name: str
    title: str
    usd: float = 0.0
    ratios: tuple[str, ...] = ()
    durations: tuple[float, ...] = ()
    needs_picture: bool = False
    takes_picture: bool = True


MODELS = (
    Model("openai", "text", "gpt-5-mini", "GPT-5 mini", 0.002),
    Model("openai", "text", "gpt-6-sol", "GPT-6 Sol", 0.010),
    Model("openai", "text", "gpt-6-luna", "GPT-6 Luna", 0.0005),
    Model("openai", "text", "gpt-4o-mini", "GPT-4o mini", 0.0006),
    Model("anthropic", "text", "claude-sonnet-5", "Claude Sonnet 5", 0.010),
    Model("anthropic", "text", "claude-opus-5", "Claude Opus 5", 0.025),
    Model("anthropic", "text", "claude-haiku-4-5", "Claude Haiku 4.5", 0.005),
    Model("gemini", "text", "gemini-3.8-flash", "Gemini 3.8 Flash", 0.00375),
    Model("gemini", "text", "gemini-2.5-flash", "Gemini 2.5 Flash", 0.0025),
    Model("gemini", "text", "gemini-2.5-pro", "Gemini 2.5 Pro", 0.010),
    Model("mistral", "text", "mistral-large-latest", "Mistral Large", 0.0015),
    Model("mistral", "text", "mistral-medium-latest", "Mistral Medium", 0.0075),
    Model("mistral", "text", "mistral-small-latest", "Mistral Small", 0.0006),
    Model("groq", "text", "openai/gpt-oss-120b", "GPT OSS 120B", 0.0006, takes_picture=False),
    Model("groq", "text", "openai/gpt-oss-20b", "GPT OSS 20B", 0.0003, takes_picture=False),
    Model("openrouter", "text", "openrouter/auto", "OpenRouter's choice", 0.005),
    Model("local", "text", "small", "Small local model", takes_picture=False),
    Model("replicate", "image", "black-forest-labs/flux-1.1-pro", "flux-1.1-pro", 0.04, _FLUX),
    Model(
        "replicate",
        "image",
        "black-forest-labs/flux-schnell",
        "flux-schnell",
        0.003,
        _FLUX,
        takes_picture=False,
    ),
    Model("replicate", "image", "black-forest-labs/flux-kontext-pro", "flux-kontext-pro", 0.04, _FLUX),
    Model("replicate", "image", "google/imagen-4", "imagen-4", 0.04, _GOOGLE, takes_picture=False),
    Model("replicate", "image", "ideogram-ai/ideogram-v3-turbo", "ideogram-v3-turbo", 0.03),
    Model("openai", "image", "gpt-image-2", "GPT Image 2", 0.032, ("1:1", "3:2", "2:3")),
    Model("gemini", "image", "gemini-3.1-flash-image", "Gemini 3.1 Flash Image", 0.045, RATIOS),
    Model("gemini", "image", "gemini-2.5-flash-image", "Gemini 2.5 Flash Image", 0.039, RATIOS),
    Model("local", "image", "renderer", "Local renderer (not a diffusion model)", 0.0, RATIOS),
    Model("replicate", "video", "kwaivgi/kling-v2.1", "kling-2.1", 0.05, _CLIP, (5, 10), needs_picture=True),
    Model("replicate", "video", "minimax/hailuo-02", "hailuo-02", 0.045, (), (6, 10)),
    Model(
        "replicate",
        "video",
        "bytedance/seedance-1-lite",
        "seedance-1-lite",
        0.036,
        (*_CLIP, "4:3", "3:4", "21:9"),
        (5, 10),
    ),
    Model("replicate", "video", "google/veo-3-fast", "veo-3-fast", 0.15, ("16:9", "9:16"), (4, 6, 8)),
    Model(
        "local",
        "video",
        "renderer",
        "Local renderer (not a diffusion model)",
        0.0,
        ("16:9", "9:16", "1:1", "4:5"),
        (),
    ),
    Model("elevenlabs", "speech", "eleven_multilingual_v2", "Multilingual v2", 0.10),
    Model("elevenlabs", "speech", "eleven_turbo_v2_5", "Turbo v2.5", 0.05),
    Model("elevenlabs", "speech", "eleven_flash_v2_5", "Flash v2.5", 0.05),
    Model("local", "speech", "hibari", "Hibari (neural, one voice)"),
    Model("openai", "captions", "whisper-1", "Whisper", 0.006),
    Model("groq", "captions", "whisper-large-v3", "Whisper large v3", 0.00185),
    Model("elevenlabs", "captions", "scribe_v1", "Scribe", 0.0037),
)


def find(kind: str, provider: str, name: str) -> Model | None:
    """The listed model of that name, if it is one."""
    return next((m for m in MODELS if (m.kind, m.provider, m.name) == (kind, provider, name)), None)


def default_model(kind: str, provider: str) -> str:
    """The model that is used when none is named."""
    return next((m.name for m in MODELS if (m.kind, m.provider) == (kind, provider)), "")


def provider_with(kind: str, name: str) -> str | None:
    """The first provider that lists a model of that name."""
    return next((m.provider for m in MODELS if (m.kind, m.name) == (kind, name)), None)


def provider_choices(kind: str) -> list[str]:
    """What a `provider` setting offers: `auto` and everyone who makes this kind."""
    return ["auto", *providers_of(kind)]


def model_options(kind: str, query: str = "") -> list[dict[str, str]]:
    """The models of a kind for a choice list, those matching `query` only."""
    wanted = query.casefold()
    return [
        {"value": m.name, "label": m.title, "group": provider_title(m.provider), "provider": m.provider}
        for m in MODELS
        if m.kind == kind and wanted in f"{m.name} {m.title} {PROVIDERS[m.provider].title}".casefold()
    ]


def duration_options() -> list[dict[str, str | float]]:
    """The lengths of clips that listed models make, each saying which make it."""
    lengths = sorted({seconds for m in MODELS for seconds in m.durations})
    makers = {s: ", ".join(m.title for m in MODELS if s in m.durations) for s in lengths}
    return [{"value": seconds, "label": f"{seconds:g} s", "detail": makers[seconds]} for seconds in lengths]


def nearest_ratio(width: int | None, height: int | None, allowed: tuple[str, ...]) -> str:
    """The allowed shape (of all, where none are listed) that is nearest to a picture's own."""
    choices = allowed or RATIOS
    if not width or not height:
        return "1:1" if "1:1" in choices else choices[0]
    return min(choices, key=lambda ratio: abs(math.log(_quotient(ratio) * height / width)))


def _quotient(ratio: str) -> float:
    across, _, down = ratio.partition(":")
    return int(across) / int(down)
