"""Model servers on this machine: found at their usual ports, without a key."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import orjson

from impasto.sdk.http_client import tls_context
from impasto.sdk.providers import FoundServer

_SECONDS = 2.0
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A server that a provider can use, at its usual port of this machine.

    `path` lists its models, as JSON with a list named `items`. `base` is the path of the provider's address.
    With `owner`, only a server whose models name it as `owned_by` is meant. `count_models` reads an answer of
    another shape: it returns the number of models, or None if the answer is another server's.
    """

    title: str
    port: int
    path: str
    items: str = "data"
    base: str = ""
    owner: str = ""
    count_models: Callable[[Any], int | None] | None = None

    @property
    def address(self) -> str:
        """The address that the provider's requests go to."""
        return f"http://127.0.0.1:{self.port}{self.base}"


async def find(provider: str, servers: Sequence[LocalServer]) -> list[FoundServer]:
    """Return the servers that answer on this machine, within two seconds."""
    found = await asyncio.gather(*(_ask(provider, server) for server in servers))
    return [one for one in found if one is not None]


def is_local_address(address: str, servers: Sequence[LocalServer]) -> bool:
    """Return whether an address is that of one of the servers, and so of this machine."""
    return address in {server.address for server in servers}


async def _ask(provider: str, server: LocalServer) -> FoundServer | None:
    url = f"http://127.0.0.1:{server.port}{server.path}"
    try:
        async with (
            asyncio.timeout(_SECONDS),
            httpx.AsyncClient(verify=tls_context(), trust_env=False, follow_redirects=False) as client,
            client.stream("GET", url) as response,
        ):
            data = await _body(response) if response.status_code == 200 else b""
        models = _models(orjson.loads(data), server) if data else None
    except (TimeoutError, httpx.HTTPError, ValueError):
        return None
    if models is None:
        return None
    return FoundServer(provider=provider, title=server.title, address=server.address, models=models)


async def _body(response: httpx.Response) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > _MAX_BYTES:
            return b""
    return bytes(data)


def _models(answer: Any, server: LocalServer) -> int | None:
    """Return how many models an answer lists; None if it is not that server's."""
    if server.count_models is not None:
        return server.count_models(answer)
    listed = answer.get(server.items) if isinstance(answer, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return None
    if server.owner and not any(one.get("owned_by") == server.owner for one in listed):
        return None
    return len(listed)
