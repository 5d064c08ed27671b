"""Map litellm's exceptions to `ProviderError`s."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from impasto import ImpastoError
from impasto_nodes.providers.errors import (
    CorruptOutput,
    GenerationFailed,
    Moderated,
    NoCredit,
    ProviderError,
    RateLimited,
    RegionUnsupported,
    StreamDropped,
    TextTooLong,
    TimedOut,
    UnknownModel,
    UnverifiedAccount,
    WrongCredential,
)
from impasto_nodes.providers.http_errors import retry_after, status_error
from impasto_nodes.providers.redact import redact

_NO_CREDIT = (
    "insufficient_quota",
    "credit balance",
    "billing",
    "exceeded your current quota",
    "payment required",
    "payment instrument",
)
_RETRY_IN = re.compile(r"retry in ([\d.]+) ?s")
"""Gemini mentions 'quota' and 'billing' for a limit per minute, too, but with a time to retry."""
_MODERATED = (
    "content_policy", "content policy", "content filter", "safety system", "moderation", "responsible ai",
)  # fmt: skip
_REGION = (
    "unsupported_country_region_territory", "region, or territory not supported",
    "user location is not supported",
)  # fmt: skip
_UNVERIFIED = ("organization must be verified",)
_TOO_LONG = (
    "context_length_exceeded", "maximum context length", "prompt is too long",
    "exceeds the maximum number of tokens", "contextwindowexceeded",
)  # fmt: skip
_NO_MODEL = ("invalid model", "invalid_model", "is not a valid model", "model_not_found")
_OLLAMA_FAILED = "got unexpected response from ollama"
_UNREADABLE = ("JSONDecodeError", "APIResponseValidationError", "ValidationError", "UnicodeDecodeError")
_NO_JSON = ("expecting value", "jsondecode", "unterminated string", "expecting property name")
_MAX_CAUSES = 8
_INTERRUPTED = (
    "peer closed",
    "incomplete chunked",
    "connection reset",
    "server disconnected",
    "response ended",
)


_NO_ACCESS = ("invalid_grant", "refresherror", "defaultcredentialserror")
"""Google's tokens are asked for with the credential before the provider is."""
_WORDED = ((_REGION, RegionUnsupported), (_UNVERIFIED, UnverifiedAccount), (_NO_CREDIT, NoCredit))


@asynccontextmanager
async def map_exceptions(provider: str, model: str, *secrets: str) -> AsyncIterator[None]:
    """Raise exceptions of the block, except cancellation, as `ProviderError`s without `secrets`."""
    try:
        yield
    except (ImpastoError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 - mapped
        raise map_exception(error, provider, model, *secrets) from None  # the cause may hold the key


def map_exception(error: Exception, provider: str, model: str, *secrets: str) -> ProviderError:
    """Return the `ProviderError` for an exception of litellm's."""
    error = getattr(error, "original_exception", None) or error  # litellm wraps what interrupts a stream
    kind = type(error).__name__
    detail = redact(f"{kind}: {error}", *secrets)
    words = detail.casefold()
    status = getattr(error, "status_code", None)
    retry_in = _RETRY_IN.search(words)
    if status == 429 and retry_in:
        return RateLimited(provider, detail, float(retry_in[1]))
    if known := _worded(words, provider, model, detail):
        return known
    if kind == "ContentPolicyViolationError" or (
        status in {400, 403} and any(word in words for word in _MODERATED)
    ):
        return Moderated(provider, detail)
    if status == 400 and any(word in words for word in _NO_MODEL):
        return UnknownModel(provider, model, detail)
    if _OLLAMA_FAILED in words:
        return GenerationFailed(provider, model, detail)
    if _is_cut(error) or any(word in words for word in _INTERRUPTED):
        return StreamDropped(provider, detail)
    if kind in _UNREADABLE or any(word in words for word in _NO_JSON):
        return CorruptOutput(provider, "an answer", detail)
    if "Timeout" in kind:
        return TimedOut(provider, detail)
    if any(word in words for word in _NO_ACCESS):
        return WrongCredential(provider, detail)
    return status_error(status if isinstance(status, int) else 500, provider, model, detail, _wait(error))


def _worded(words: str, provider: str, model: str, detail: str) -> ProviderError | None:
    """Return the error that a provider's words name whatever their status; None if they name none."""
    for wording, kind in _WORDED:
        if any(word in words for word in wording):
            return kind(provider, detail)
    return TextTooLong(provider, model, detail) if any(word in words for word in _TOO_LONG) else None


def _is_cut(error: BaseException) -> bool:
    """Return whether the connection was lost in the answer; libraries wrap that error more than once."""
    found: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if found is None:
            return False
        if isinstance(found, httpx.RemoteProtocolError | httpx.ReadError):
            return True
        found = found.__cause__ or found.__context__
    return False


def _wait(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    return retry_after(getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None))
