"""The providers that are called through litellm."""

from collections.abc import Callable
from pathlib import Path

from impasto import Context
from impasto.sdk.providers import Variable
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.litellm.image_settings import OPENAI_IMAGE_SETTINGS
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import CaptionsProvider, ImageProvider, Kind, TextProvider
from impasto_nodes.providers.spec import (
    CredentialField,
    FindUnlisted,
    ListModels,
    Option,
    Ping,
    ProviderSpec,
    RefreshModels,
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


def _refresh(provider: str, *kinds: Kind) -> RefreshModels:
    async def refresh_models(context: Context) -> list[Model]:
        from impasto_nodes.providers.litellm.price_map import refresh_models

        return await refresh_models(provider, kinds, context)

    return refresh_models


def _ping(provider: str) -> Ping:
    async def ping(context: Context) -> None:
        from impasto_nodes.providers.litellm.hosted_models import refresh_models

        await refresh_models(provider, context)

    return ping


def _models(provider: str) -> tuple[Model, ...]:
    return read_models(Path(__file__).parent / "models" / f"{provider}.json")


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
        settings=(
            Variable(
                name="LITELLM_MODEL_COST_MAP_URL",
                help="Where `impasto models refresh` reads prices and limits; litellm's list by default.",
            ),
        ),
        models=_models("openai"),
        refresh_models=_refresh("openai", "text", "image", "captions"),
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
        models=_models("anthropic"),
        refresh_models=_refresh("anthropic", "text"),
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
        models=_models("gemini"),
        refresh_models=_refresh("gemini", "text", "image"),
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
        models=_models("mistral"),
        refresh_models=_refresh("mistral", "text"),
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
        models=_models("groq"),
        refresh_models=_refresh("groq", "text", "captions"),
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
        models=_models("openrouter"),
        refresh_models=_refresh("openrouter", "text"),
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
