"""The providers that are called through litellm."""

from functools import partial
from pathlib import Path
from typing import TypedDict

from impasto import Context
from impasto.sdk.providers import Variable
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.litellm.image_settings import OPENAI_IMAGE_SETTINGS
from impasto_nodes.providers.litellm.speech.voices import GEMINI_VOICES, OPENAI_VOICES
from impasto_nodes.providers.local_servers import LocalServer
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import (
    CaptionsProvider,
    ImageProvider,
    Kind,
    SpeechProvider,
    TextProvider,
    VideoProvider,
)
from impasto_nodes.providers.spec import (
    CredentialField,
    FindUnlisted,
    ListModels,
    Option,
    Ping,
    ProviderSpec,
    RefreshModels,
)


def _text(provider: str) -> TextProvider:
    from impasto_nodes.providers.litellm.text import LiteLLMText

    return LiteLLMText(provider)


def _image(provider: str) -> ImageProvider:
    from impasto_nodes.providers.litellm.image import LiteLLMImage

    return LiteLLMImage(provider)


def _captions(provider: str) -> CaptionsProvider:
    from impasto_nodes.providers.litellm.captions import LiteLLMCaptions

    return LiteLLMCaptions(provider)


def _openai_speech() -> SpeechProvider:
    from impasto_nodes.providers.litellm.speech.openai import OpenAISpeech

    return OpenAISpeech()


def _gemini_speech() -> SpeechProvider:
    from impasto_nodes.providers.litellm.speech.gemini import GeminiSpeech

    return GeminiSpeech()


def _video(provider: str) -> VideoProvider:
    from impasto_nodes.providers.litellm.video.adapter import LiteLLMVideo

    return LiteLLMVideo(provider)


def _xai_video() -> VideoProvider:
    from impasto_nodes.providers.xai.video import XaiVideo

    return XaiVideo()


def _find_unlisted(provider: str, kind: Kind, name: str) -> Model | None:
    from impasto_nodes.providers.litellm import prices

    return prices.find_unlisted(provider, kind, name)


async def _list_served(provider: str, kind: Kind, context: Context) -> list[Option]:
    from impasto_nodes.providers.litellm.served_models import list_served_models

    return await list_served_models(provider, context)


async def _list_hosted(provider: str, kind: Kind, context: Context) -> list[Option]:
    from impasto_nodes.providers.litellm.hosted_models import list_hosted_models

    return await list_hosted_models(provider, kind, context)


async def _refresh(provider: str, kinds: tuple[Kind, ...], context: Context) -> list[Model]:
    from impasto_nodes.providers.litellm.price_map import refresh_models

    return await refresh_models(provider, kinds, context)


async def _ping(provider: str, context: Context) -> None:
    from impasto_nodes.providers.litellm.hosted_models import refresh_models

    await refresh_models(provider, context)


class _Common(TypedDict):
    """What every provider's spec declares alike."""

    id: str
    models: tuple[Model, ...]
    find_unlisted: FindUnlisted
    refresh_models: RefreshModels


def _common(provider: str, *kinds: Kind) -> _Common:
    """Return the id, the catalog's models and the prices of a provider; `kinds` are those to refresh."""
    return {
        "id": provider,
        "models": read_models(Path(__file__).parent / "models" / f"{provider}.json"),
        "find_unlisted": partial(_find_unlisted, provider),
        "refresh_models": partial(_refresh, provider, kinds),
    }


class _Listed(TypedDict):
    """How a service that lists its models is asked for them."""

    list_models: ListModels
    ping: Ping


def _listed(provider: str) -> _Listed:
    return {"list_models": partial(_list_hosted, provider), "ping": partial(_ping, provider)}


SPECS = (
    ProviderSpec(
        **_common("openai", "text", "image", "speech", "captions"),
        title="OpenAI",
        rank=10,
        credentials=(CredentialField(variable="OPENAI_API_KEY"),),
        text=partial(_text, "openai"),
        **_listed("openai"),
        image=partial(_image, "openai"),
        speech=_openai_speech,
        voices=OPENAI_VOICES,
        captions=partial(_captions, "openai"),
        model_settings={"image": OPENAI_IMAGE_SETTINGS},
        settings=(
            Variable(
                name="LITELLM_MODEL_COST_MAP_URL",
                help="Where `impasto models refresh` reads prices and limits; litellm's list by default.",
            ),
        ),
    ),
    ProviderSpec(
        **_common("anthropic", "text"),
        title="Anthropic",
        rank=20,
        credentials=(CredentialField(variable="ANTHROPIC_API_KEY"),),
        text=partial(_text, "anthropic"),
        **_listed("anthropic"),
    ),
    ProviderSpec(
        **_common("gemini", "text", "image", "video", "speech"),
        title="Google Gemini",
        rank=30,
        credentials=(CredentialField(variable="GEMINI_API_KEY"),),
        text=partial(_text, "gemini"),
        **_listed("gemini"),
        image=partial(_image, "gemini"),
        video=partial(_video, "gemini"),
        speech=_gemini_speech,
        voices=GEMINI_VOICES,
        model_settings={"image": OPENAI_IMAGE_SETTINGS},
    ),
    ProviderSpec(
        **_common("mistral", "text"),
        title="Mistral",
        rank=40,
        credentials=(CredentialField(variable="MISTRAL_API_KEY"),),
        text=partial(_text, "mistral"),
        **_listed("mistral"),
    ),
    ProviderSpec(
        **_common("groq", "text", "captions"),
        title="Groq",
        rank=50,
        credentials=(CredentialField(variable="GROQ_API_KEY"),),
        text=partial(_text, "groq"),
        **_listed("groq"),
        captions=partial(_captions, "groq"),
    ),
    ProviderSpec(
        **_common("xai", "text"),
        title="xAI",
        rank=52,
        kind_ranks={"video": 66},
        credentials=(CredentialField(variable="XAI_API_KEY"),),
        text=partial(_text, "xai"),
        **_listed("xai"),
        video=_xai_video,
    ),
    ProviderSpec(
        **_common("deepseek", "text"),
        title="DeepSeek",
        rank=54,
        credentials=(CredentialField(variable="DEEPSEEK_API_KEY"),),
        text=partial(_text, "deepseek"),
        **_listed("deepseek"),
    ),
    ProviderSpec(
        **_common("azure", "text"),
        title="Azure OpenAI",
        rank=56,
        address="none",
        credentials=(
            CredentialField(variable="AZURE_API_KEY"),
            CredentialField(
                variable="AZURE_API_BASE",
                name="api_base",
                help="The resource's endpoint, such as https://acme.openai.azure.com.",
                is_secret=False,
            ),
            CredentialField(
                variable="AZURE_API_VERSION",
                name="api_version",
                help="The version of Azure OpenAI's API, such as 2024-10-21.",
                is_secret=False,
            ),
        ),
        text=partial(_text, "azure"),
    ),
    ProviderSpec(
        **_common("bedrock", "text"),
        title="Amazon Bedrock",
        rank=57,
        credentials=(
            CredentialField(
                variable="AWS_ACCESS_KEY_ID", name="aws_access_key_id", help="Access key for Amazon Bedrock."
            ),
            CredentialField(
                variable="AWS_SECRET_ACCESS_KEY",
                name="aws_secret_access_key",
                help="Secret of the access key for Amazon Bedrock.",
            ),
            CredentialField(
                variable="AWS_SESSION_TOKEN",
                name="aws_session_token",
                help="Session token of a temporary access key for Amazon Bedrock.",
                is_required=False,
            ),
            CredentialField(
                variable="AWS_REGION_NAME",
                name="aws_region_name",
                help="Region of Amazon Bedrock, such as eu-central-1; with it, every user has Bedrock.",
                is_secret=False,
            ),
        ),
        text=partial(_text, "bedrock"),
    ),
    ProviderSpec(
        **_common("vertex_ai", "text"),
        title="Google Vertex AI",
        rank=58,
        credentials=(
            CredentialField(
                variable="VERTEXAI_CREDENTIALS",
                name="vertex_credentials",
                help="Service account of Google Cloud: its JSON, or the path of its file.",
            ),
            CredentialField(
                variable="VERTEXAI_PROJECT",
                name="vertex_project",
                help="Project of Google Cloud that is billed.",
                is_secret=False,
            ),
            CredentialField(
                variable="VERTEXAI_LOCATION",
                name="vertex_location",
                help="Location of Vertex AI, such as europe-west4; us-central1 by default.",
                is_required=False,
                is_secret=False,
            ),
        ),
        text=partial(_text, "vertex_ai"),
    ),
    ProviderSpec(
        **_common("openrouter", "text"),
        title="OpenRouter",
        rank=60,
        credentials=(CredentialField(variable="OPENROUTER_API_KEY"),),
        text=partial(_text, "openrouter"),
        **_listed("openrouter"),
    ),
    ProviderSpec(
        **_common("runwayml", "video"),
        title="Runway",
        rank=65,
        credentials=(CredentialField(variable="RUNWAYML_API_SECRET"),),
        video=partial(_video, "runwayml"),
    ),
    ProviderSpec(
        id="ollama",
        title="Ollama",
        rank=70,
        address="required",
        local_servers=(LocalServer(title="Ollama", port=11434, path="/api/tags", items="models"),),
        text=partial(_text, "ollama"),
        list_models=partial(_list_served, "ollama"),
    ),
    ProviderSpec(
        id="openai_compatible",
        title="OpenAI-compatible server",
        rank=80,
        credentials=(CredentialField(variable="OPENAI_COMPATIBLE_API_KEY", is_required=False),),
        address="required",
        local_servers=(
            LocalServer(title="LM Studio", port=1234, path="/v1/models", base="/v1"),
            LocalServer(title="vLLM", port=8000, path="/v1/models", base="/v1", owner="vllm"),
        ),
        text=partial(_text, "openai_compatible"),
        list_models=partial(_list_served, "openai_compatible"),
    ),
)
