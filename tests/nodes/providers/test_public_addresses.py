"""Without an address of the operator's, each adapter calls the provider's public one."""

from collections.abc import Awaitable, Callable

import httpx
import pytest
from tests.fakes.reports import seen_by
from tests.fakes.state import GOOD_KEY

from impasto import Context
from impasto.testing import FakeContext
from impasto_nodes.providers.elevenlabs import voices
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.litellm import hosted_models
from impasto_nodes.providers.protocols import ImageRequest, SpeechRequest, VideoRequest
from impasto_nodes.providers.registry import (
    default_model,
    image_provider,
    specs,
    speech_provider,
    video_provider,
)
from impasto_nodes.providers.replicate import requests

pytestmark = pytest.mark.anyio


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that are called: none of them is reached."""
    found: list[str] = []

    async def refuse(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        found.append(str(request.url))
        raise httpx.ConnectError("not reached")

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", refuse)
    monkeypatch.setattr(voices, "_cache", {})
    monkeypatch.setattr(requests, "_schemas", {})
    monkeypatch.setattr(hosted_models, "_cache", {})
    return found


def account(provider: str) -> Context:
    return seen_by(FakeContext(credentials={provider: GOOD_KEY}))


async def draw(provider: str) -> None:
    request = ImageRequest(model=default_model("image", provider), prompt="A can")
    await image_provider(provider).generate(request, account(provider))


async def film(provider: str) -> None:
    model = "unlisted"  # so that nothing of the request is refused before it is sent
    await video_provider(provider).generate(VideoRequest(model=model, prompt="A can"), account(provider))


async def speak(provider: str) -> None:
    request = SpeechRequest(model=default_model("speech", provider), text="Pour.", voice="Rachel")
    await speech_provider(provider).speak(request, account(provider))


async def list_models(provider: str) -> None:
    ask = specs()[provider].list_models
    assert ask is not None
    await ask("text", account(provider))


@pytest.mark.parametrize(
    ("ask", "provider", "address"),
    [
        (draw, "openai", "https://api.openai.com/v1/images/generations"),
        (draw, "replicate", "https://api.replicate.com/v1/models/black-forest-labs/flux-1.1-pro"),
        (film, "fal", "https://api.fal.ai/v1/models/pricing?endpoint_id=unlisted"),
        (film, "xai", "https://api.x.ai/v1/videos/generations"),
        (film, "minimax", "https://api.minimax.io/v1/video_generation"),
        (speak, "openai", "https://api.openai.com/v1/audio/speech"),
        (speak, "elevenlabs", "https://api.elevenlabs.io/v1/voices"),
        (list_models, "openai", "https://api.openai.com/v1/models"),
        (list_models, "anthropic", "https://api.anthropic.com/v1/models?limit=1000"),
        (
            list_models,
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
        ),
        (list_models, "mistral", "https://api.mistral.ai/v1/models"),
        (list_models, "groq", "https://api.groq.com/openai/v1/models"),
        (list_models, "xai", "https://api.x.ai/v1/models"),
        (list_models, "deepseek", "https://api.deepseek.com/models"),
        (list_models, "openrouter", "https://openrouter.ai/api/v1/models/user"),
    ],
)
async def test_public_address_is_called(
    asked: list[str], ask: Callable[[str], Awaitable[None]], provider: str, address: str
) -> None:
    with pytest.raises(ProviderError):
        await ask(provider)
    assert asked == [address]
