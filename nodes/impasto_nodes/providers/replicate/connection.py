"""A Replicate client, closed after use, whose exceptions are raised as `ProviderError`s."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx

from impasto import ImpastoError
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, ProviderError
from impasto_nodes.providers.http_errors import retry_after, status_error, transport_error
from impasto_nodes.providers.redact import redact

PROVIDER = "replicate"
MODERATED = ("nsfw", "sensitive", "flagged", "safety", "moderat", "content policy", "e005")
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)
_FINAL_REQUEST_SECONDS = 20.0
_closing: set[asyncio.Task[None]] = set()


@asynccontextmanager
async def connected(access: Access, model: str) -> AsyncIterator[Any]:
    """Yield a client. The block raises only `ProviderError`s (and cancellation)."""
    from replicate.client import Client

    transport = _FailFastTransport(verify=tls_context())
    client = Client(access.key, base_url=access.address or None, transport=transport)
    client.final_requests = set()
    is_abandoned = False
    try:
        yield client
    except GeneratorExit:
        is_abandoned = True
        raise
    except (ImpastoError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 - mapped
        raise map_exception(error, model, access.key) from None  # the cause may hold the key
    finally:
        closing = asyncio.ensure_future(_close(transport, client.final_requests))
        _closing.add(closing)
        closing.add_done_callback(_closing.discard)
        if not is_abandoned:  # an abandoned generator cannot await
            await asyncio.shield(closing)


async def send_final(client: Any, request: Coroutine[Any, Any, None]) -> None:
    """Send a request that must complete even if the step is abandoned: the client closes only afterwards."""
    sending = asyncio.ensure_future(_within_limit(request))
    client.final_requests.add(sending)
    await asyncio.wait((sending,))


async def read_account(client: Any) -> None:
    """Read the account, which any valid token may. Raises if the token is not accepted."""
    await client._async_request("GET", "/v1/account")


async def get_prediction(client: Any, prediction_id: str) -> Any:
    """Return a prediction's current state."""
    response = await client._async_request("GET", f"/v1/predictions/{prediction_id}")
    return _parse(response.json())


async def list_latest(client: Any) -> list[Any]:
    """Return the account's newest predictions; those that cannot be parsed are left out."""
    response = await client._async_request("GET", "/v1/predictions")
    found = []
    for one in response.json()["results"]:
        with suppress(ValueError):
            found.append(_parse(one))
    return found


def _parse(found: dict[str, Any]) -> Any:
    """Return the SDK's object; its parser does not know the status 'aborted'."""
    from replicate.prediction import Prediction

    return Prediction(**found | ({"status": "canceled"} if found.get("status") == "aborted" else {}))


async def _within_limit(request: Coroutine[Any, Any, None]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_FINAL_REQUEST_SECONDS):
            await request


async def _close(transport: httpx.AsyncHTTPTransport, final_requests: set[asyncio.Task[None]]) -> None:
    if final_requests:
        await asyncio.wait(final_requests)
    await transport.aclose()


class _FailFastTransport(httpx.AsyncHTTPTransport):
    """Raises at status 429, 503 and 504, where the SDK would wait by itself: the engine retries.

    Also sets a timeout for every request: the SDK sends the one that creates a prediction without.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["timeout"] = _TIMEOUT.as_dict()
        response = await super().handle_async_request(request)
        if response.status_code in {429, 503, 504}:
            wait = retry_after(response.headers)
            await response.aclose()
            detail = f"status {response.status_code} for {request.method} {request.url.path}"
            raise status_error(response.status_code, PROVIDER, "", detail, wait)
        return response


def map_exception(error: Exception, model: str, *secrets: str) -> ProviderError:
    """Return the `ProviderError` for an exception of the SDK or of httpx."""
    if isinstance(error, httpx.HTTPError):
        return transport_error(error, PROVIDER, *secrets)
    detail = redact(f"{type(error).__name__}: {error}", *secrets)
    status = getattr(error, "status", None)
    if not isinstance(status, int):
        return CorruptOutput(PROVIDER, "an answer", detail)
    if status == 422 and any(word in detail.casefold() for word in MODERATED):
        return Moderated(PROVIDER, detail)
    return status_error(status, PROVIDER, model, detail)
