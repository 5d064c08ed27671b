"""Attacks use the fixtures of the server's tests."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import *  # noqa: F403
from tests.server.conftest import BASE


@pytest.fixture
async def client_at(app: FastAPI) -> AsyncIterator[Callable[[str], httpx.AsyncClient]]:
    """Return a function that makes a client without cookies at an IP address."""
    opened: list[httpx.AsyncClient] = []

    def make(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(address, 40_000))
        opened.append(httpx.AsyncClient(transport=transport, base_url=BASE))
        return opened[-1]

    yield make
    for client in opened:
        await client.aclose()
