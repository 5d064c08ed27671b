"""The models that hosted services list for a key."""

import json
from typing import Any

import pytest
from tests.fakes.openai import CHAT_MODELS
from tests.fakes.reports import seen_by
from tests.fakes.running import addresses, options_of
from tests.fakes.state import GOOD_KEY, State

from impasto import Context
from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError, RateLimited, TimedOut
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


@pytest.mark.parametrize(
    ("provider", "name", "kind"),
    [
        ("openai", "chatgpt-5", "text"),
        ("openai", "ft:gpt-5:acme", "text"),
        ("openai", "davinci", None),
        ("mistral", "Mistral-Large", "text"),
        ("mistral", "mistral-EMBED", None),
        ("gemini", "imagen-5", "image"),
        ("gemini", "gemini-3-flash-tts", "speech"),
        ("groq", "whisper-large-v3", "captions"),
    ],
)
def test_kind_is_known_by_a_word_of_the_name_in_any_case(provider: str, name: str, kind: str | None) -> None:
    assert hosted_models.kind_of(provider, name) == kind


def account(fakes: State, key: str = GOOD_KEY) -> Context:
    keys = {"MISTRAL_API_KEY": key, "GEMINI_API_KEY": key}
    return seen_by(FakeContext(configuration=keys | addresses(fakes)))


def say(fakes: State, answer: Any, status: int = 200) -> None:
    body = answer if isinstance(answer, str) else json.dumps(answer)
    fakes.misbehave("answer", on="/models", status=status, body=body)


async def listed(
    fakes: State, provider: str = "mistral", kind: Any = "text", key: str = GOOD_KEY
) -> list[str]:
    found = await hosted_models.list_hosted_models(provider, kind, account(fakes, key))
    return [str(option["value"]) for option in found]


async def test_models_of_the_kind_are_kept_for_a_while(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    say(fakes, {"data": [{"id": "a"}, {"id": "models/b"}, {"id": "x-tts"}]})
    assert await listed(fakes) == ["a", "b"]
    assert await listed(fakes, kind="speech") == ["x-tts"]
    monkeypatch.setattr(hosted_models, "_CACHE_SECONDS", -1.0)
    say(fakes, {"data": [{"id": "c"}]})
    assert await listed(fakes) == ["c"]
    assert len(fakes.requests("/models", "GET")) == 2


async def test_empty_list_is_asked_for_again(fakes: State) -> None:
    say(fakes, {"data": []})
    say(fakes, {"data": [{"id": "a"}]})
    assert await listed(fakes) == []
    assert await listed(fakes) == ["a"]


async def test_each_key_has_its_own_list_and_lists_are_bounded(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_models, "_MAX_CACHED_LISTS", 2)
    for name in ("a", "b", "c", "d"):
        say(fakes, {"data": [{"id": name}]})
    assert [await listed(fakes, key=f"key-{name}") for name in "aba"] == [["a"], ["b"], ["a"]]
    assert await listed(fakes, key="key-c") == ["c"]
    assert await listed(fakes, key="key-a") == ["d"]


async def test_list_is_cut_at_its_limit(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted_models, "_MAX_MODELS", 2)
    say(fakes, {"data": [{"id": name} for name in "abc"]})
    assert await listed(fakes) == ["a", "b"]


@pytest.mark.parametrize(
    ("provider", "status", "answer", "code"),
    [
        ("mistral", 200, "<html>", "corrupt_output"),
        ("mistral", 200, [], "corrupt_output"),
        ("mistral", 200, {}, "corrupt_output"),
        ("mistral", 200, {"data": [{}]}, "corrupt_output"),
        ("mistral", 399, {"data": [{}]}, "corrupt_output"),
        ("mistral", 400, "API_KEY_INVALID", "bad_request"),
        ("gemini", 400, "API_KEY_INVALID", "wrong_credential"),
        ("gemini", 400, "odd", "bad_request"),
        ("mistral", 401, "", "wrong_credential"),
        ("mistral", 404, "", "provider_unavailable"),
        ("mistral", 503, "", "provider_unavailable"),
    ],
)
async def test_list_that_fails_has_its_code(
    fakes: State, provider: str, status: int, answer: Any, code: str
) -> None:
    say(fakes, answer, status)
    with pytest.raises(ProviderError) as raised:
        await listed(fakes, provider)
    assert (raised.value.code, raised.value.provider) == (code, provider)
    assert status < 400 or raised.value.detail == f"status {status} for the list of models"


async def test_refused_list_says_when_to_ask_again(fakes: State) -> None:
    fakes.misbehave("rate_limit", on="/models", retry_after=7)
    with pytest.raises(RateLimited) as raised:
        await listed(fakes)
    assert raised.value.retry_after == 7


async def test_service_that_does_not_answer_in_time_fails(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_models, "_TIMEOUT_SECONDS", 0.1)
    fakes.misbehave("slow", on="/models")
    with pytest.raises(TimedOut):
        await listed(fakes)


async def test_key_that_cannot_be_sent_is_not_shown(fakes: State) -> None:
    with pytest.raises(ProviderError) as raised:
        await listed(fakes, "gemini", key="own\nkey")
    assert raised.value.detail == "LocalProtocolError: Illegal header value b'…'"


async def test_ping_asks_the_service_every_time(fakes: State) -> None:
    for _ in range(2):
        say(fakes, {"data": [{"id": "a"}]})
        await hosted_models.refresh_models("mistral", account(fakes))
    assert len(fakes.requests("/models", "GET")) == 2
    assert await listed(fakes) == ["a"]
