"""The voices and models of a person's ElevenLabs account."""

import time
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER, UnknownVoice, connected
from impasto_nodes.providers.known import provider_title

_FRESH_SECONDS = 300.0
_LOOKS_LIKE_ID = 20
_seen: dict[tuple[str, str], tuple[float, list[dict[str, str]]]] = {}


async def list_voices(context: Context) -> list[dict[str, str]]:
    """The account's voices for a choice list, by name."""
    access = await access_to(PROVIDER, context)
    async with connected(access) as client:
        return await _voices(client, access)


async def list_speech_models(context: Context) -> list[dict[str, str]]:
    """The models of the account that speak, for a choice list."""
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
    """The id behind a voice's name (or the id itself); raises UnknownVoice."""
    if found := _named(voice, await _voices(client, access)):
        return found
    if len(voice) >= _LOOKS_LIKE_ID and voice.isalnum():
        return voice  # a shared voice that is not in the account's own list
    known = await _voices(client, access, afresh=True)
    if found := _named(voice, known):
        return found  # it was made just now
    raise UnknownVoice(voice, f"the account has {[one['label'] for one in known][:30]}")


def _named(voice: str, known: list[dict[str, str]]) -> str | None:
    wanted = voice.casefold().strip()
    for one in known:
        label = one["label"].casefold()
        if wanted in {one["value"].casefold(), label, label.split(" - ")[0]}:
            return one["id"]
    return None


async def _voices(client: Any, access: Access, *, afresh: bool = False) -> list[dict[str, str]]:
    key = (access.address, access.key)
    made, found = _seen.get(key, (0.0, []))
    if found and not afresh and time.monotonic() - made < _FRESH_SECONDS:
        return found
    answer = await client.voices.get_all(request_options=NO_RETRY)
    found = [_option(voice) for voice in answer.voices]
    _seen[key] = (time.monotonic(), found)
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
