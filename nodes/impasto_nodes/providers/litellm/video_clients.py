"""HTTP clients for litellm's functions for video: one that sends once, and one with a limit of size."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

_TIMEOUT = httpx.Timeout(120.0, connect=10.0)
_KEY_HEADERS = ("authorization", "x-goog-api-key")


class Connection:
    """A client of litellm's that never sends a request twice. `failure` is what interrupted it."""

    def __init__(self, litellm: Any) -> None:
        self.failure: BaseException | None = None
        self.client = litellm.llms.custom_httpx.http_handler.AsyncHTTPHandler(timeout=_TIMEOUT)
        # litellm asks for a second client when a connection was lost, to send the same request with it.
        self.client.create_client = self._refuse

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        self.failure = sys.exc_info()[1]
        raise ConnectionError("the connection was lost")


@dataclass
class Limit:
    """Whether an answer was larger than allowed."""

    max_bytes: int
    is_exceeded: bool = False


@contextmanager
def limited_client(litellm: Any, max_bytes: int) -> Iterator[tuple[Any, Limit]]:
    """Yield a synchronous client of litellm's whose answers end at `max_bytes`, and whether one did.

    A request that is redirected to another host loses its keys.
    """
    limit = Limit(max_bytes)
    with httpx.Client(transport=_Limited(limit), timeout=_TIMEOUT, follow_redirects=True) as client:
        yield litellm.llms.custom_httpx.http_handler.HTTPHandler(client=client), limit


class _Limited(httpx.BaseTransport):
    def __init__(self, limit: Limit) -> None:
        self._inner = httpx.HTTPTransport()
        self._limit = limit
        self._first: httpx.URL | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._first = self._first or request.url.join("/")
        if request.url.join("/") != self._first:
            for name in _KEY_HEADERS:
                request.headers.pop(name, None)  # httpx itself removes only "authorization"
        response = self._inner.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        stream = _Counted(response.stream, self._limit)
        return httpx.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )

    def close(self) -> None:
        self._inner.close()


class _Counted(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, limit: Limit) -> None:
        self._inner, self._limit = inner, limit

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._inner:
            size += len(chunk)
            if size > self._limit.max_bytes:
                self._limit.is_exceeded = True
                raise httpx.ReadError("the answer is too large")
            yield chunk

    def close(self) -> None:
        self._inner.close()
