"""An ElevenLabs client, closed after use, whose exceptions are raised as `ProviderError`s."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from impasto import ImpastoError
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import (
    CorruptOutput,
    MissingPermission,
    Moderated,
    NoCredit,
    ProviderError,
    TextTooLong,
    UnknownModel,
    UnknownVoice,
)
from impasto_nodes.providers.http_errors import retry_after, status_error, transport_error
from impasto_nodes.providers.redact import redact

PROVIDER = "elevenlabs"
NO_RETRY = {"max_retries": 0}
"""Request options: the engine retries, as it knows the run's deadline."""
_TIMEOUT_SECONDS = 120.0


@asynccontextmanager
async def connected(access: Access, model: str = "", voice: str = "") -> AsyncIterator[Any]:
    """Yield a client. The block raises only `ProviderError`s (and cancellation)."""
    from elevenlabs.client import AsyncElevenLabs

    async with httpx.AsyncClient(verify=tls_context(), follow_redirects=True) as http:
        try:
            yield AsyncElevenLabs(
                api_key=access.key,
                base_url=access.address or None,
                timeout=_TIMEOUT_SECONDS,
                httpx_client=http,
            )
        except (ImpastoError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 - mapped
            raise map_exception(error, model, voice, access.key) from None  # the cause may hold the key


def map_exception(error: Exception, model: str, voice: str, *secrets: str) -> ProviderError:
    """Return the `ProviderError` for an exception of the SDK or of httpx."""
    if isinstance(error, httpx.HTTPError):
        return transport_error(error, PROVIDER, *secrets)
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    detail = redact(f"{status}: {body}" if status else f"{type(error).__name__}: {error}", *secrets)
    if not isinstance(status, int) or status < 400:
        return CorruptOutput(PROVIDER, "an answer", detail)
    wait = retry_after(getattr(error, "headers", None))
    known = _code_error(_code(body), model, voice, detail)
    return known or status_error(status, PROVIDER, model, detail, wait)


def _code(body: Any) -> str:
    found = body.get("detail") if isinstance(body, Mapping) else None
    return str(found.get("status") or found.get("code") or "") if isinstance(found, Mapping) else ""


def _code_error(code: str, model: str, voice: str, detail: str) -> ProviderError | None:
    if code in {"quota_exceeded", "insufficient_credits", "payment_required"}:
        return NoCredit(PROVIDER, detail)
    if code == "missing_permissions":
        return MissingPermission(PROVIDER, detail)
    if code in {"max_character_limit_exceeded", "text_too_long"}:
        return TextTooLong(PROVIDER, model, detail)
    if code in {"voice_not_found", "invalid_voice_id"}:
        return UnknownVoice(PROVIDER, voice, detail)
    if code in {"model_not_found", "invalid_model_id", "model_does_not_exist"}:
        return UnknownModel(PROVIDER, model, detail)
    if "moderat" in code or "content_policy" in code or "harmful" in code:
        return Moderated(PROVIDER, detail)
    return None
