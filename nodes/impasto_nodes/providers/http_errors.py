"""From HTTP to `ProviderError`s: statuses, failed connections, the Retry-After header."""

import email.utils
import math
import time
from collections.abc import Mapping

import httpx

from impasto_nodes.providers.errors import (
    BadRequest,
    NoCredit,
    ProviderError,
    RateLimited,
    RequestTooLarge,
    StreamDropped,
    TimedOut,
    Unavailable,
    UnknownModel,
    WrongCredential,
)
from impasto_nodes.providers.redact import redact


def status_error(
    status: int, provider: str, model: str, detail: str, retry_after: float | None = None
) -> ProviderError:
    """Return the error for a status of 400 or above; `retry_after` is in seconds.

    Without a `model`, a 404 says that the address is not the provider's.
    """
    if status == 402:
        return NoCredit(provider, detail)
    if status in {401, 403}:
        return WrongCredential(provider, detail)
    if status == 404:
        return UnknownModel(provider, model, detail) if model else Unavailable(provider, detail, retry_after)
    if status == 408:
        return TimedOut(provider, detail)
    if status == 413:
        return RequestTooLarge(provider, detail)
    if status == 429:
        return RateLimited(provider, detail, retry_after)
    return BadRequest(provider, detail) if status < 500 else Unavailable(provider, detail, retry_after)


def transport_error(error: httpx.HTTPError | httpx.InvalidURL, provider: str, *secrets: str) -> ProviderError:
    """Return the error for a timeout, a dropped connection or an unreachable provider."""
    detail = redact(f"{type(error).__name__}: {error}", *secrets)
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(provider, detail)
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return StreamDropped(provider, detail)
    return Unavailable(provider, detail)


def retry_after(headers: Mapping[str, str] | None) -> float | None:
    """Return the seconds that the answer asks to wait; None if it does not.

    From `Retry-After-Ms`, in milliseconds, else from `Retry-After`, a number of seconds or a date.
    """
    named = {name.lower(): value for name, value in (headers or {}).items()}
    milliseconds = named.get("retry-after-ms", "")
    if milliseconds.replace(".", "", 1).isdecimal():
        return float(milliseconds) / 1000
    text = named.get("retry-after", "")
    try:
        seconds = float(text)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
