"""A Replicate client that is closed again, and whose faults come out in our words."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx

from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, ProviderError
from impasto_nodes.providers.http_errors import error_for
from impasto_nodes.providers.redact import redact
from impasto_nodes.providers.retry_after import retry_after
from impasto_nodes.providers.transport import transport_error

PROVIDER = "replicate"
MODERATED = ("nsfw", "sensitive", "flagged", "safety", "moderat", "content policy", "e005")
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)
_LAST_WORDS = 20.0
_closing: set[asyncio.Task[None]] = set()


@asynccontextmanager
async def connected(access: Access, model: str) -> AsyncIterator[Any]:
    """A client for one piece of work; only ProviderErrors (and cancellation) leave the block."""
    from replicate.client import Client

    transport = _Frank()
    client = Client(access.key, base_url=access.address or None, transport=transport)
    client.last_words = set()
    given_up = False
    try:
        yield client
    except GeneratorExit:
        given_up = True
        raise
    except (ProviderError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 - told again in our words
        raise translate(error, model, access.key) from None  # the cause may hold the key
    finally:
        closing = asyncio.ensure_future(_close(transport, client.last_words))
        _closing.add(closing)
        closing.add_done_callback(_closing.discard)
        if not given_up:  # who is given up cannot wait any more
            await asyncio.shield(closing)


async def say_last(client: Any, words: Coroutine[Any, Any, None]) -> None:
    """Say something that must be heard though the step be given up meanwhile: the client waits for it."""
    saying = asyncio.ensure_future(_in_time(words))
    client.last_words.add(saying)
    await asyncio.wait((saying,))


async def look(client: Any, prediction_id: str) -> Any:
    """A prediction as it is now."""
    answer = await client._async_request("GET", f"/v1/predictions/{prediction_id}")
    return _read(answer.json())


async def latest(client: Any) -> list[Any]:
    """The account's newest predictions, without those that are in no known shape."""
    answer = await client._async_request("GET", "/v1/predictions")
    found = []
    for one in answer.json()["results"]:
        with suppress(ValueError):
            found.append(_read(one))
    return found


def _read(found: dict[str, Any]) -> Any:
    """The SDK's own reading refuses a status that came after it."""
    from replicate.prediction import Prediction

    return Prediction(**found | ({"status": "canceled"} if found.get("status") == "aborted" else {}))


async def _in_time(words: Coroutine[Any, Any, None]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORDS):
            await words


async def _close(transport: httpx.AsyncHTTPTransport, last_words: set[asyncio.Task[None]]) -> None:
    if last_words:
        await asyncio.wait(last_words)
    await transport.aclose()


class _Frank(httpx.AsyncHTTPTransport):
    """Says 'too many' and 'not now' at once: the SDK would wait, and our retries know better.

    The same for every answer's time: the SDK would wait for that to an order for ever.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["timeout"] = _TIMEOUT.as_dict()
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
