"""The voices and models of a user's ElevenLabs account."""

import time
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER, UnknownVoice, connected
from impasto_nodes.providers.registry import provider_title

_CACHE_SECONDS = 300.0
_ID_LENGTH = 20
_cache: dict[tuple[str, str], tuple[float, list[dict[str, str]]]] = {}


async def list_voices(context: Context) -> list[dict[str, str]]:
    """Return the account's voices as choices."""
    access = await access_to(PROVIDER, context)
    async with connected(access) as client:
        return await _voices(client, access)


async def list_speech_models(context: Context) -> list[dict[str, str]]:
    """Return the account's speech models as choices."""
    access = await access_to(PROVIDER, context)
    async with connected(access) as client:
        models = await client.models.list(request_options=NO_RETRY)
    title = provider_title(PROVIDER)
    return [
        {"value": model.model_id, "label": model.name or model.model_id, "group": title, "provider": PROVIDER}
        for model in models
        if model.can_do_text_to_speech
    ]


async def voice_id(client: Any, access: Access, voice: str) -> str:
    """Return the id of a voice given by name or id. Raises `UnknownVoice`."""
    if found := _named(voice, await _voices(client, access)):
        return found
    if len(voice) >= _ID_LENGTH and voice.isalnum():
        return voice  # the id of a shared voice, which the account does not list
    known = await _voices(client, access, refresh=True)
    if found := _named(voice, known):
        return found  # created since the list was cached
    raise UnknownVoice(voice, f"the account has {[one['label'] for one in known][:30]}")


def _named(voice: str, known: list[dict[str, str]]) -> str | None:
    wanted = voice.casefold().strip()
    for one in known:
        label = one["label"].casefold()
        if wanted in {one["value"].casefold(), label, label.split(" - ")[0]}:
            return one["id"]
    return None


async def _voices(client: Any, access: Access, *, refresh: bool = False) -> list[dict[str, str]]:
    key = (access.address, access.key)
    cached_at, found = _cache.get(key, (0.0, []))
    if found and not refresh and time.monotonic() - cached_at < _CACHE_SECONDS:
        return found
    answer = await client.voices.get_all(request_options=NO_RETRY)
    found = [_option(voice) for voice in answer.voices]
    _cache[key] = (time.monotonic(), found)
    return found


def _option(voice: Any) -> dict[str, str]:
    labels = voice.labels or {}
    hint = ", ".join(
        str(labels[name]) for name in ("accent", "age", "gender", "description") if labels.get(name)
    )
    return {
        "value": voice.name or voice.voice_id,
        "label": voice.name or voice.voice_id,
        "id": voice.voice_id,
        "group": provider_title(PROVIDER),
        "provider": PROVIDER,
        "detail": hint,
        "preview_url": voice.preview_url or "",
    }
