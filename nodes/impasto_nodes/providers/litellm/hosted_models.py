"""The models that hosted services list for a key: live, without a paid call."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from impasto import Context
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.http_errors import retry_after, status_error, transport_error
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import model_option, specs
from impasto_nodes.providers.spec import Option

_TIMEOUT_SECONDS = 6.0
_CACHE_SECONDS = 300.0
_MAX_CACHED_LISTS = 256
_MAX_MODELS = 2_000
# No node uses these; Sora's API closed on 24 September 2026.
_UNUSABLE = ("sora", "embed", "moderation", "realtime", "-audio", "computer-use", "guard", "ocr", "-live")
_BY_WORD: Mapping[str, Kind] = {
    "image": "image",
    "imagen": "image",
    "dall-e": "image",
    "veo": "video",
    "imagine-video": "video",
    "whisper": "captions",
    "transcribe": "captions",
    "tts": "speech",
}
_OPENAI_TEXT = ("gpt-", "chatgpt-", "o1", "o3", "o4", "ft:")
_cache: dict[tuple[str, str, str], tuple[float, list[str]]] = {}


@dataclass(frozen=True, slots=True)
class _Service:
    """Where a service lists its models, and how a key is sent."""

    address: str
    path: str
    headers: Callable[[str], dict[str, str]]
    items: str = "data"
    name: str = "id"


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


_SERVICES = {
    "openai": _Service("https://api.openai.com/v1", "/models", _bearer),
    "anthropic": _Service(
        "https://api.anthropic.com",
        "/v1/models?limit=1000",
        lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
    ),
    "gemini": _Service(
        "https://generativelanguage.googleapis.com/v1beta",
        "/models?pageSize=1000",
        lambda key: {"x-goog-api-key": key},
        "models",
        "name",
    ),
    "mistral": _Service("https://api.mistral.ai/v1", "/models", _bearer),
    "groq": _Service("https://api.groq.com/openai/v1", "/models", _bearer),
    "xai": _Service("https://api.x.ai/v1", "/models", _bearer),
    "deepseek": _Service("https://api.deepseek.com", "/models", _bearer),
    "openrouter": _Service("https://openrouter.ai/api/v1", "/models/user", _bearer),
}


async def list_hosted_models(provider: str, kind: Kind, context: Context) -> list[Option]:
    """Return the models of a kind that the key may use, as choices. Raises a `ProviderError` if it fails."""
    access = await access_to(provider, context)
    asked_at, names = _cache.get(_cache_key(access), (0.0, []))
    if not names or time.monotonic() - asked_at > _CACHE_SECONDS:
        names = await _refresh(access)
    return [model_option(specs()[provider], name, name) for name in names if kind_of(provider, name) == kind]


async def refresh_models(provider: str, context: Context) -> None:
    """Ask the service for its models now. Raises a `ProviderError` if it fails, or refuses the key."""
    await _refresh(await access_to(provider, context))


def _cache_key(access: Access) -> tuple[str, str, str]:
    return access.provider, access.address, access.key


async def _refresh(access: Access) -> list[str]:
    names = await _ask(access)
    if len(_cache) >= _MAX_CACHED_LISTS:
        _cache.clear()
    _cache[_cache_key(access)] = (time.monotonic(), names)
    return names


def kind_of(provider: str, name: str) -> Kind | None:
    """Return what a model makes, by its name; None if no node can use it."""
    plain = name.casefold()
    if any(word in plain for word in _UNUSABLE):
        return None
    made = next((kind for word, kind in _BY_WORD.items() if word in plain), None)
    if made is not None:
        return made
    return None if provider == "openai" and not plain.startswith(_OPENAI_TEXT) else "text"


async def _ask(access: Access) -> list[str]:
    service = _SERVICES[access.provider]
    url = f"{access.address or service.address}{service.path}"
    try:
        async with httpx.AsyncClient(verify=tls_context(), timeout=_TIMEOUT_SECONDS) as client:
            response = await client.get(url, headers=service.headers(access.key))
    except httpx.HTTPError as error:
        raise transport_error(error, access.provider, access.key) from None
    if response.status_code >= 400:
        # Gemini answers 400 to a wrong key.
        is_wrong_key = access.provider == "gemini" and "API_KEY_INVALID" in response.text
        raise status_error(
            401 if is_wrong_key else response.status_code,
            access.provider,
            "",
            f"status {response.status_code} for the list of models",
            retry_after(response.headers),
        )
    return _names(access.provider, service, response)


def _names(provider: str, service: _Service, response: httpx.Response) -> list[str]:
    try:
        found: Any = response.json()
        names = [str(model[service.name]).removeprefix("models/") for model in found[service.items]]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptOutput(provider, "a list of models", str(error)) from None
    return names[:_MAX_MODELS]
