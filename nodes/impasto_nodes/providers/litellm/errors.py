"""litellm's exceptions, told in our words."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from impasto_nodes.providers.errors import (
    CorruptOutput,
    GenerationFailed,
    Moderated,
    NoCredit,
    ProviderError,
    RateLimited,
    StreamDropped,
    TimedOut,
    UnknownModel,
)
from impasto_nodes.providers.http_errors import error_for
from impasto_nodes.providers.redact import redact
from impasto_nodes.providers.retry_after import retry_after

_NO_CREDIT = (
    "insufficient_quota",
    "credit balance",
    "billing",
    "exceeded your current quota",
    "payment required",
)
_AGAIN = re.compile(r"retry in ([\d.]+) ?s")
"""Gemini says 'quota' and 'billing' of a minute's limit too, but then says when to come back."""
_MODERATED = (
    "content_policy", "content policy", "content filter", "safety system", "moderation", "responsible ai",
)  # fmt: skip
_NO_MODEL = ("invalid model", "invalid_model", "is not a valid model", "model_not_found")
_GAVE_UP = "got unexpected response from ollama"
_UNREADABLE = ("JSONDecodeError", "APIResponseValidationError", "ValidationError", "UnicodeDecodeError")
_NO_JSON = ("expecting value", "jsondecode", "unterminated string", "expecting property name")
_BROKEN_OFF = (
    "peer closed",
    "incomplete chunked",
    "connection reset",
    "server disconnected",
    "response ended",
)


@asynccontextmanager
async def told_in_our_words(provider: str, model: str, *secrets: str) -> AsyncIterator[None]:
    """Let only ProviderErrors (and cancellation) out of the block."""
    try:
        yield
    except (ProviderError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 - told again in our words
        raise translate(error, provider, model, *secrets) from None  # the cause may hold the key


def translate(error: Exception, provider: str, model: str, *secrets: str) -> ProviderError:
    """The ProviderError that says what this exception means to a person."""
    error = getattr(error, "original_exception", None) or error  # what broke a stream, without its wrapping
    kind = type(error).__name__
    detail = redact(f"{kind}: {error}", *secrets)
    words = detail.casefold()
    status = getattr(error, "status_code", None)
    asked = _AGAIN.search(words)
    if status == 429 and asked:
        return RateLimited(provider, detail, float(asked[1]))
    if any(word in words for word in _NO_CREDIT):
        return NoCredit(provider, detail)
    if kind == "ContentPolicyViolationError" or (
        status in {400, 403} and any(word in words for word in _MODERATED)
    ):
        return Moderated(provider, detail)
    if status == 400 and any(word in words for word in _NO_MODEL):
        return UnknownModel(provider, model, detail)
    if _GAVE_UP in words:
        return GenerationFailed(provider, model, detail)
    if any(word in words for word in _BROKEN_OFF):
        return StreamDropped(provider, detail)
    if kind in _UNREADABLE or any(word in words for word in _NO_JSON):
        return CorruptOutput(provider, "an answer", detail)
    if "Timeout" in kind:
        return TimedOut(provider, detail)
    return error_for(status if isinstance(status, int) else 500, provider, model, detail, _wait(error))


def _wait(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    return retry_after(getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None))
