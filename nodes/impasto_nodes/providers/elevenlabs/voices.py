"""The voices and models of a user's ElevenLabs account."""

import time
from typing import Any, NamedTuple

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.elevenlabs.connection import (
    NO_RETRY,
    PROVIDER,
    connected,
    map_exception,
)
from impasto_nodes.providers.errors import MissingPermission, UnknownVoice
from impasto_nodes.providers.fixed_voices import DEFAULT_VOICE
from impasto_nodes.providers.registry import provider_title

_CACHE_SECONDS = 300.0
_ID_LENGTH = 20
_DEFAULT_ID, _DEFAULT_GENDER = "21m00Tcm4TlvDq8ikWAM", "female"
_cache: dict[tuple[str, str], tuple[float, list[dict[str, str]]]] = {}


class Voice(NamedTuple):
    """A voice of ElevenLabs: its id, and the name that results show."""

    id: str
    name: str


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


async def find_voice(client: Any, access: Access, voice: str) -> Voice:
    """Return a voice given by name or id.

    If the account lacks the default voice, its first voice of the same gender stands in; if the key may not
    list voices, the default voice's public id is used. Raises `UnknownVoice` or `MissingPermission`.
    """
    try:
        known = await _voices(client, access)
        if found := _named(voice, known):
            return found
        if _is_id(voice):
            return Voice(voice, voice)  # of a shared voice, which the account does not list
        known = await _voices(client, access, refresh=True)
    except Exception as error:
        if not _may_not_list(error, access):
            raise
        if _is_id(voice):
            return Voice(voice, voice)
        if _is_default(voice):
            return Voice(_DEFAULT_ID, voice)
        raise
    if found := _named(voice, known):
        return found  # created since the list was cached
    if _is_default(voice) and known:
        alike = (one for one in known if one["gender"] == _DEFAULT_GENDER)
        stand_in = next(alike, known[0])
        return Voice(stand_in["id"], stand_in["label"])
    raise UnknownVoice(PROVIDER, voice, f"the account has {[one['label'] for one in known][:30]}")


def _may_not_list(error: Exception, access: Access) -> bool:
    return isinstance(map_exception(error, "", "", access.key), MissingPermission)


def _is_id(voice: str) -> bool:
    return len(voice) >= _ID_LENGTH and voice.isalnum()


def _is_default(voice: str) -> bool:
    return voice.casefold().strip() == DEFAULT_VOICE.casefold()


def _named(voice: str, known: list[dict[str, str]]) -> Voice | None:
    wanted = voice.casefold().strip()
    for one in known:
        label = one["label"].casefold()
        if wanted in {one["value"].casefold(), one["id"].casefold(), label, label.split(" - ")[0]}:
            return Voice(one["id"], voice)
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
        "gender": str(labels.get("gender") or ""),
        "group": provider_title(PROVIDER),
        "provider": PROVIDER,
        "detail": hint,
        "preview_url": voice.preview_url or "",
    }
