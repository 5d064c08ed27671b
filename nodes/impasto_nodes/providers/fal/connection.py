"""fal's client. It sends each request once, and raises `ProviderError`s: the engine alone retries."""

import asyncio
import math
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import httpx

from impasto import Context, ImpastoError
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge
from impasto_nodes.providers.fal.errors import PROVIDER, answer_error
from impasto_nodes.providers.http_errors import transport_error
from impasto_nodes.providers.redact import redact

_HOSTS = frozenset({"queue.fal.run", "rest.fal.ai"})
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)
_FILE_SECONDS = 24 * 3600
_MAX_ANSWER_BYTES = 64_000_000
_BILLED = "x-fal-billable-units"


class Connection:
    """The queue and the storage of fal, for one model. Its methods raise `ProviderError`s."""

    def __init__(
        self, http: httpx.AsyncClient, access: Access, model: str, billed: Mapping[str, float]
    ) -> None:
        from fal_client import AsyncClient

        self._access, self._model, self._billed = access, model, billed
        self._sdk = AsyncClient(key=access.key)
        # The SDK makes its client by itself, and that one sends a request up to ten times.
        vars(self._sdk)["_client"] = _Ready(http)

    async def submit(self, arguments: dict[str, Any]) -> str:
        """Put a request into the queue and return its id."""
        async with self._mapped("a request"):
            return str((await self._sdk.submit(self._model, arguments)).request_id)

    async def status(self, request_id: str) -> Any:
        """Return the SDK's `Queued`, `InProgress` or `Completed`."""
        async with self._mapped("a state"):
            return await self._sdk.status(self._model, request_id)

    async def result(self, request_id: str) -> dict[str, Any]:
        """Return the output of a completed request; raises the error that it ended with."""
        async with self._mapped("a result"):
            found: Any = await self._sdk.result(self._model, request_id)
            if not isinstance(found, dict):
                raise TypeError(f"not an object: {type(found).__name__}")
            return found

    def billed_units(self, request_id: str) -> float | None:
        """Return how many units of its price fal says that a fetched result cost; None if it does not."""
        return self._billed.get(request_id)

    async def cancel(self, request_id: str) -> None:
        """Take a request out of the queue, or ask the model to stop."""
        async with self._mapped("an answer"):
            await self._sdk.cancel(self._model, request_id)

    async def upload(self, data: bytes, media_type: str) -> str:
        """Store a file for a day and return its address."""
        from fal_client import StorageSettings

        async with self._mapped("an address"):
            name = f"input.{media_type.rpartition('/')[2]}"
            lifecycle = StorageSettings(expires_in=_FILE_SECONDS)
            return str(await self._sdk.upload(data, media_type, name, repository="fal", lifecycle=lifecycle))

    @asynccontextmanager
    async def _mapped(self, what: str) -> AsyncIterator[None]:
        try:
            yield
        except (ImpastoError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 - mapped
            detail = redact(f"{type(error).__name__}: {error}", self._access.key)
            raise CorruptOutput(PROVIDER, what, detail) from None  # the cause may hold the key


@asynccontextmanager
async def connected(access: Access, model: str, context: Context) -> AsyncIterator[Connection]:
    """Yield a connection for requests of one model."""
    await asyncio.to_thread(import_module, "fal_client")  # takes half a second
    transport = _Once(access, model, context)
    headers = {"Authorization": f"Key {access.key}"}
    async with httpx.AsyncClient(transport=transport, headers=headers) as http:
        yield Connection(http, access, model, transport.billed)


class _Ready:
    """An awaitable that is the client already, as often as the SDK awaits it."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    def __await__(self) -> Generator[Any, None, httpx.AsyncClient]:
        return _given(self._http).__await__()


async def _given(http: httpx.AsyncClient) -> httpx.AsyncClient:
    return http


class _Once(httpx.AsyncHTTPTransport):
    """Sends a request once, to fal or to the operator's address. Raises `ProviderError`s.

    The SDK sends a request again after the errors of httpx and of its own; it lets these pass. An answer is
    read here, because the SDK would also send a request again whose answer breaks off. A file goes to the
    storage that fal names, without the key and never into a private network.
    """

    def __init__(self, access: Access, model: str, context: Context) -> None:
        super().__init__(verify=tls_context())
        self._access, self._model, self._context = access, model, context
        self.billed: dict[str, float] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request. Raises a `ProviderError` for a status of 400 or above, and without an answer."""
        is_submission = request.method == "POST" and request.url.host.startswith("queue.")
        try:
            response = await _read(await self._send(request), request)
        except httpx.HTTPError as error:
            raise transport_error(error, PROVIDER, self._access.key) from None
        if response.status_code >= 400:
            raise answer_error(response, self._model, self._access.key, is_submission=is_submission)
        if (units := _units(response.headers.get(_BILLED))) is not None:
            self.billed[request.url.path.rpartition("/")[2]] = units
        return response

    async def _send(self, request: httpx.Request) -> httpx.Response:
        request.extensions["timeout"] = _TIMEOUT.as_dict()  # the SDK sets others, and none for uploads
        address = httpx.URL(self._access.address) if self._access.address else None
        if request.url.host in _HOSTS and address is not None:
            query = f"?{request.url.query.decode()}" if request.url.query else ""
            request.url = httpx.URL(f"{self._access.address}{request.url.path}{query}")
            request.headers["Host"] = request.url.netloc.decode()
        elif request.url.host not in _HOSTS:
            request.headers.pop("Authorization", None)
            if address is None or request.url.netloc != address.netloc:
                return await self._context.http.send(request, stream=True)
        return await super().handle_async_request(request)


def _units(text: str | None) -> float | None:
    try:
        units = float(text or "")
    except ValueError:
        return None
    return units if math.isfinite(units) and units >= 0 else None


async def _read(response: httpx.Response, request: httpx.Request) -> httpx.Response:
    """Return a response whose body is read. Raises `OutputTooLarge` above the limit."""
    raw = bytearray()
    try:
        async for chunk in response.aiter_raw():
            raw += chunk
            if len(raw) > _MAX_ANSWER_BYTES:
                raise OutputTooLarge(PROVIDER, _MAX_ANSWER_BYTES)
    finally:
        await response.aclose()
    return httpx.Response(response.status_code, headers=response.headers, content=bytes(raw), request=request)
