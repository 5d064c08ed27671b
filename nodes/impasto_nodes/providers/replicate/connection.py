"""A Replicate client that is closed again, and whose faults come out in our words."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from impasto_nodes.providers.access import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, ProviderError
from impasto_nodes.providers.redact import redact
from impasto_nodes.providers.retry_after import retry_after
from impasto_nodes.providers.statuses import error_for
from impasto_nodes.providers.transport import transport_error

PROVIDER = "replicate"
MODERATED = ("nsfw", "sensitive", "flagged", "safety", "moderat", "content policy", "e005")
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)


@asynccontextmanager
async def connected(access: Access, model: str) -> AsyncIterator[Any]:
    """A client for one piece of work; only ProviderErrors (and cancellation) leave the block."""
    from replicate.client import Client

    transport = _Frank()
    client = Client(access.key, base_url=access.address or None, timeout=_TIMEOUT, transport=transport)
    try:
        yield client
    except (ProviderError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 - told again in our words
        raise translate(error, model, access.key) from None  # the cause may hold the key
    finally:
        await transport.aclose()


class _Frank(httpx.AsyncHTTPTransport):
    """Says 'too many' and 'not now' at once: the SDK would wait, and our retries know better."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if response.status_code in {429, 503, 504}:
            wait = retry_after(response.headers)
            await response.aclose()
            said = f"{response.status_code} {request.method} {request.url.path}"
            raise error_for(response.status_code, PROVIDER, "", said, wait)
        return response


def translate(error: Exception, model: str, *secrets: str) -> ProviderError:
    """The ProviderError that says what this exception means to a person."""
    if isinstance(error, httpx.HTTPError):
        return transport_error(error, PROVIDER, *secrets)
    detail = redact(f"{type(error).__name__}: {error}", *secrets)
    status = getattr(error, "status", None)
    if not isinstance(status, int):
        return CorruptOutput(PROVIDER, "an answer", detail)
    if status == 422 and any(word in detail.casefold() for word in MODERATED):
        return Moderated(PROVIDER, detail)
    return error_for(status, PROVIDER, model, detail)
