"""From fal's answers to `ProviderError`s."""

from collections.abc import Mapping
from typing import Any

import httpx
import orjson

from impasto_nodes.providers.errors import (
    GenerationFailed,
    Moderated,
    NoCredit,
    ProviderError,
    RateLimited,
    RequestTooLarge,
    StreamDropped,
    Unavailable,
)
from impasto_nodes.providers.http_errors import retry_after, status_error
from impasto_nodes.providers.redact import redact

PROVIDER = "fal"
_MODERATED = ("content_policy_violation", "content_checker", "nsfw", "safety", "moderat")
_TOO_LARGE = ("file_too_large", "image_too_large", "video_too_large")
_NO_CREDIT = ("exhausted balance", "insufficient", "top up")


def answer_error(
    response: httpx.Response, model: str, key: str, *, is_submission: bool = False
) -> ProviderError:
    """Return the error for an answer with a status of 400 or above, whose body is read.

    A gateway's 502 or 504 to a submission does not say whether the request has arrived.
    """
    status, body = response.status_code, _body(response)
    types, text = _types(body), str(body.get("detail") or response.text)[:500]
    detail = redact(f"status {status} for {response.request.url.path}: {' '.join(types)} {text}", key)
    wait = retry_after(response.headers)
    if status == 429:
        return RateLimited(PROVIDER, detail, wait)
    if any(word in f"{types} {text}".casefold() for word in _MODERATED) and status < 500:
        return Moderated(PROVIDER, detail)
    if status == 403 and any(word in text.casefold() for word in _NO_CREDIT):
        return NoCredit(PROVIDER, detail)
    if any(kind in _TOO_LARGE for kind in types):
        return RequestTooLarge(PROVIDER, detail)
    if is_submission and status in {502, 504}:
        return StreamDropped(PROVIDER, detail)
    if status >= 500:
        # An error with a type is the model's; without one it is that of a server on the way.
        return GenerationFailed(PROVIDER, model, detail) if types else Unavailable(PROVIDER, detail, wait)
    return status_error(status, PROVIDER, model, detail, wait)


def _body(response: httpx.Response) -> Mapping[str, Any]:
    try:
        found = orjson.loads(response.content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _types(body: Mapping[str, Any]) -> list[str]:
    detail = body.get("detail")
    listed = [one.get("type") for one in detail if isinstance(one, dict)] if isinstance(detail, list) else []
    return [str(kind) for kind in (*listed, body.get("error_type")) if kind]
