"""An ElevenLabs client that is closed again, and whose faults come out in our words."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, NoCredit, ProviderError, UnknownModel
from impasto_nodes.providers.http_errors import error_for
from impasto_nodes.providers.redact import redact
from impasto_nodes.providers.retry_after import retry_after
from impasto_nodes.providers.transport import transport_error

PROVIDER = "elevenlabs"
NO_RETRY = {"max_retries": 0}
"""Request options: our retries know the run's deadline, the SDK's do not."""
_TIMEOUT = 120.0


class UnknownVoice(ProviderError):
    """The account has no such voice."""

    code = "unknown_voice"

    def __init__(self, voice: str, detail: str = "") -> None:
        super().__init__(f"ElevenLabs has no voice named '{voice}'. Choose another voice.", PROVIDER, detail)


@asynccontextmanager
async def connected(access: Access, model: str = "", voice: str = "") -> AsyncIterator[Any]:
    """A client for one piece of work; only ProviderErrors (and cancellation) leave the block."""
    from elevenlabs.client import AsyncElevenLabs

    async with httpx.AsyncClient(follow_redirects=True) as http:
        try:
            yield AsyncElevenLabs(
                api_key=access.key, base_url=access.address or None, timeout=_TIMEOUT, httpx_client=http
            )
        except (ProviderError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 - told again in our words
            raise translate(error, model, voice, access.key) from None  # the cause may hold the key


def translate(error: Exception, model: str, voice: str, *secrets: str) -> ProviderError:
    """The ProviderError that says what this exception means to a person."""
    if isinstance(error, httpx.HTTPError):
        return transport_error(error, PROVIDER, *secrets)
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    detail = redact(f"{status}: {body}" if status else f"{type(error).__name__}: {error}", *secrets)
    if not isinstance(status, int) or status < 400:
        return CorruptOutput(PROVIDER, "an answer", detail)
    wait = retry_after(getattr(error, "headers", None))
    return _by_word(_word(body), model, voice, detail) or error_for(status, PROVIDER, model, detail, wait)


def _word(body: Any) -> str:
    said = body.get("detail") if isinstance(body, Mapping) else None
    return str(said.get("status") or said.get("code") or "") if isinstance(said, Mapping) else ""


def _by_word(word: str, model: str, voice: str, detail: str) -> ProviderError | None:
    if word in {"quota_exceeded", "insufficient_credits", "payment_required"}:
        return NoCredit(PROVIDER, detail)
    if word in {"voice_not_found", "invalid_voice_id"}:
        return UnknownVoice(voice, detail)
    if word in {"model_not_found", "invalid_model_id", "model_does_not_exist"}:
        return UnknownModel(PROVIDER, model, detail)
    if "moderat" in word or "content_policy" in word or "harmful" in word:
        return Moderated(PROVIDER, detail)
    return None
