"""A service's API of JSON: every request is sent once. The engine alone retries."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge, ProviderError, StreamDropped
from impasto_nodes.providers.http_errors import transport_error
from impasto_nodes.providers.redact import redact

TIMEOUT_SECONDS = 60.0
_MAX_ANSWER_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered. `body` is empty if the answer is no JSON object, `detail` has no key."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    detail: str
    is_object: bool = True


ErrorOf = Callable[[Answer], ProviderError | None]
"""Returns what an answer says is wrong; None if it is fine."""


@dataclass(frozen=True, slots=True)
class Api:
    """The API at an address, used with a key. Its methods raise `ProviderError`s."""

    http: httpx.AsyncClient = field(repr=False)
    access: Access
    error_of: ErrorOf

    async def get(self, path: str, **query: str) -> Mapping[str, Any]:
        """Return what the service says at a path."""
        return self._checked(await self._sent("GET", path, params=query))

    async def create(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask for what is paid, and return the answer.

        A gateway's 502 or 504 does not say whether the request has arrived: it raises `StreamDropped`.
        """
        answer = await self._sent("POST", path, json=dict(body))
        if answer.status in {502, 504}:
            raise StreamDropped(self.access.provider, answer.detail)
        return self._checked(answer)

    def _checked(self, answer: Answer) -> Mapping[str, Any]:
        if (error := self.error_of(answer)) is not None:
            raise error
        if not answer.is_object:
            raise CorruptOutput(self.access.provider, "an answer", answer.detail)
        return answer.body

    async def _sent(self, method: str, path: str, **more: Any) -> Answer:
        provider, key = self.access.provider, self.access.key
        raw = bytearray()
        try:
            async with self.http.stream(method, path, **more) as response:
                async for chunk in response.aiter_bytes():
                    raw += chunk
                    if len(raw) > _MAX_ANSWER_BYTES:
                        raise OutputTooLarge(provider, _MAX_ANSWER_BYTES)
        except httpx.HTTPError as error:
            raise transport_error(error, provider, key) from None
        text = raw[:500].decode("utf-8", "replace")
        detail = redact(f"status {response.status_code} for {path}: {text}", key)
        try:
            body = orjson.loads(raw)
        except ValueError:
            body = None
        is_object = isinstance(body, dict)
        return Answer(response.status_code, response.headers, body if is_object else {}, detail, is_object)


@asynccontextmanager
async def connected(access: Access, address: str, error_of: ErrorOf) -> AsyncIterator[Api]:
    """Yield the API at the operator's address, else at `address`, with the key as a bearer token."""
    async with httpx.AsyncClient(
        base_url=access.address or address,
        verify=tls_context(),
        headers={"Authorization": f"Bearer {access.key}"},
        timeout=httpx.Timeout(TIMEOUT_SECONDS, connect=10.0),
    ) as http:
        yield Api(http, access, error_of)
