"""The providers that are called through litellm."""

from collections.abc import Callable

from impasto import Context
from impasto_nodes.providers.litellm.image_settings import OPENAI_IMAGE_SETTINGS
from impasto_nodes.providers.protocols import CaptionsProvider, ImageProvider, Kind, TextProvider
from impasto_nodes.providers.spec import (
    RATIOS,
    CredentialField,
    FindUnlisted,
    ListModels,
    Model,
    Option,
    Ping,
    ProviderSpec,
)


def _text(provider: str) -> Callable[[], TextProvider]:
    def make() -> TextProvider:
        from impasto_nodes.providers.litellm.text import LiteLLMText

        return LiteLLMText(provider)

    return make


def _image(provider: str) -> Callable[[], ImageProvider]:
    def make() -> ImageProvider:
        from impasto_nodes.providers.litellm.image import LiteLLMImage

        return LiteLLMImage(provider)

    return make


def _captions(provider: str) -> Callable[[], CaptionsProvider]:
    def make() -> CaptionsProvider:
        from impasto_nodes.providers.litellm.captions import LiteLLMCaptions

        return LiteLLMCaptions(provider)

    return make


def _unlisted(provider: str) -> FindUnlisted:
    def find_unlisted(kind: Kind, name: str) -> Model | None:
        from impasto_nodes.providers.litellm import prices

        return prices.find_unlisted(provider, kind, name)

    return find_unlisted


def _own_server(provider: str) -> ListModels:
    async def list_models(kind: Kind, context: Context) -> list[Option]:
        from impasto_nodes.providers.litellm.served_models import list_served_models

        return await list_served_models(provider, context)

    return list_models


def _hosted(provider: str) -> ListModels:
    async def list_models(kind: Kind, context: Context) -> list[Option]:
        from impasto_nodes.providers.litellm.hosted_models import list_hosted_models

        return await list_hosted_models(provider, kind, context)

    return list_models


def _ping(provider: str) -> Ping:
    async def ping(context: Context) -> None:
        from impasto_nodes.providers.litellm.hosted_models import refresh_models

        await refresh_models(provider, context)

    return ping


SPECS = (
    ProviderSpec(
        id="openai",
        title="OpenAI",
        rank=10,
        credentials=(CredentialField(variable="OPENAI_API_KEY"),),
        text=_text("openai"),
        find_unlisted=_unlisted("openai"),
        list_models=_hosted("openai"),
        ping=_ping("openai"),
        image=_image("openai"),
        captions=_captions("openai"),
        model_settings={"image": OPENAI_IMAGE_SETTINGS},
        models=(
            Model("text", "gpt-5-mini", "GPT-5 mini", 0.002, input_price_usd=0.00025),
            Model("text", "gpt-6-sol", "GPT-6 Sol", 0.010, input_price_usd=0.002),
            Model("text", "gpt-6-luna", "GPT-6 Luna", 0.0005, input_price_usd=0.0001),
            Model("text", "gpt-4o-mini", "GPT-4o mini", 0.0006, input_price_usd=0.00015),
            Model("image", "gpt-image-2", "GPT Image 2", 0.032, ("1:1", "3:2", "2:3")),
            Model("captions", "whisper-1", "Whisper", 0.006),
        ),
    ),
    ProviderSpec(
        id="anthropic",
        title="Anthropic",
        rank=20,
        credentials=(CredentialField(variable="ANTHROPIC_API_KEY"),),
        text=_text("anthropic"),
        find_unlisted=_unlisted("anthropic"),
        list_models=_hosted("anthropic"),
        ping=_ping("anthropic"),
        models=(
            Model("text", "claude-sonnet-5", "Claude Sonnet 5", 0.010, input_price_usd=0.002),
            Model("text", "claude-opus-5", "Claude Opus 5", 0.025, input_price_usd=0.005),
            Model("text", "claude-haiku-4-5", "Claude Haiku 4.5", 0.005, input_price_usd=0.001),
        ),
    ),
    ProviderSpec(
        id="gemini",
        title="Google Gemini",
        rank=30,
        credentials=(CredentialField(variable="GEMINI_API_KEY"),),
        text=_text("gemini"),
        find_unlisted=_unlisted("gemini"),
        list_models=_hosted("gemini"),
        ping=_ping("gemini"),
        image=_image("gemini"),
        model_settings={"image": OPENAI_IMAGE_SETTINGS},
        models=(
            Model("text", "gemini-3.8-flash", "Gemini 3.8 Flash", 0.00375, input_price_usd=0.00075),
            Model("text", "gemini-2.5-flash", "Gemini 2.5 Flash", 0.0025, input_price_usd=0.0003),
            Model("text", "gemini-2.5-pro", "Gemini 2.5 Pro", 0.010, input_price_usd=0.00125),
            Model("image", "gemini-3.1-flash-image", "Gemini 3.1 Flash Image", 0.045, RATIOS),
            Model("image", "gemini-2.5-flash-image", "Gemini 2.5 Flash Image", 0.039, RATIOS),
        ),
    ),
    ProviderSpec(
        id="mistral",
        title="Mistral",
        rank=40,
        credentials=(CredentialField(variable="MISTRAL_API_KEY"),),
        text=_text("mistral"),
        find_unlisted=_unlisted("mistral"),
        list_models=_hosted("mistral"),
        ping=_ping("mistral"),
        models=(
            Model("text", "mistral-large-latest", "Mistral Large", 0.0015, input_price_usd=0.0005),
            Model("text", "mistral-medium-latest", "Mistral Medium", 0.0075, input_price_usd=0.0015),
            Model("text", "mistral-small-latest", "Mistral Small", 0.0006, input_price_usd=0.00015),
        ),
    ),
    ProviderSpec(
        id="groq",
        title="Groq",
        rank=50,
        credentials=(CredentialField(variable="GROQ_API_KEY"),),
        text=_text("groq"),
        find_unlisted=_unlisted("groq"),
        list_models=_hosted("groq"),
        ping=_ping("groq"),
        captions=_captions("groq"),
        models=(
            Model(
                "text",
                "openai/gpt-oss-120b",
                "GPT OSS 120B",
                0.0006,
                takes_image=False,
                input_price_usd=0.00015,
            ),
            Model(
                "text",
                "openai/gpt-oss-20b",
                "GPT OSS 20B",
                0.0003,
                takes_image=False,
                input_price_usd=0.000075,
            ),
            Model("captions", "whisper-large-v3", "Whisper large v3", 0.00185),
        ),
    ),
    ProviderSpec(
        id="openrouter",
        title="OpenRouter",
        rank=60,
        credentials=(CredentialField(variable="OPENROUTER_API_KEY"),),
        text=_text("openrouter"),
        find_unlisted=_unlisted("openrouter"),
        list_models=_hosted("openrouter"),
        ping=_ping("openrouter"),
        models=(Model("text", "openrouter/auto", "OpenRouter's choice", 0.005, input_price_usd=0.001),),
    ),
    ProviderSpec(
        id="ollama",
        title="Ollama",
        rank=70,
        address="required",
        text=_text("ollama"),
        list_models=_own_server("ollama"),
    ),
    ProviderSpec(
        id="openai_compatible",
        title="OpenAI-compatible server",
        rank=80,
        credentials=(CredentialField(variable="OPENAI_COMPATIBLE_API_KEY", is_required=False),),
        address="required",
        text=_text("openai_compatible"),
        list_models=_own_server("openai_compatible"),
    ),
)
