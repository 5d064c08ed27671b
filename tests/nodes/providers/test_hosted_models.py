"""The models that hosted services list for a key."""

import pytest
from tests.fakes.openai import CHAT_MODELS
from tests.fakes.running import options_of
from tests.fakes.state import State

from impasto_nodes.providers.litellm import hosted_models

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_cached_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted_models, "_cache", {})


async def test_models_of_the_key_are_offered_and_asked_for_once(fakes: State) -> None:
    offered = await options_of("language_model", "model")
    names = {option["value"] for option in offered if option["provider"] == "openai"}
    assert names > {name for name in CHAT_MODELS if name.startswith("gpt-")}
    await options_of("language_model", "model", "gpt")
    # OpenAI, Groq, DeepSeek and OpenRouter are asked at this address.
    assert len(fakes.requests("/openai/v1/models", "GET")) == 4
    assert len(fakes.requests("/xai/v1/models", "GET")) == 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gpt-6-sol", "text"),
        ("o4-mini", "text"),
        ("gpt-image-2", "image"),
        ("gpt-4o-mini-tts", "speech"),
        ("gpt-4o-transcribe", "captions"),
        ("sora-2", None),
        ("sora-2-pro", None),
        ("text-embedding-3-small", None),
        ("gpt-realtime", None),
        ("babbage-002", None),
    ],
)
def test_kind_of_a_model_is_known_by_its_name(name: str, kind: str | None) -> None:
    assert hosted_models.kind_of("openai", name) == kind


@pytest.mark.parametrize(
    ("provider", "name"), [("gemini", "veo-3.1-generate-preview"), ("xai", "grok-imagine-video-1.5-lite")]
)
def test_model_of_video_is_not_text(provider: str, name: str) -> None:
    assert hosted_models.kind_of(provider, name) == "video"
