"""A storage that dies in the middle of a download: the client sees an error, and can resume."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from obstore.exceptions import GenericError
from tests.server.responses import expect

from impasto_server.cli.serving import make_config
from impasto_server.storage import object_storage

pytestmark = pytest.mark.anyio

CHUNK = object_storage.CHUNK
CONTENT = bytes(range(256)) * (4 * CHUNK // 256)


@pytest.fixture
async def client(app: FastAPI, settings: Any, person: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a real server, signed in."""
    config = make_config(app, settings.model_copy(update={"port": 0}))
    config.port, config.lifespan = 0, "off"
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    headers = {"Authorization": f"Bearer {person.token}"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", headers=headers) as found:
        yield found
    server.should_exit = True
    await serving


@pytest.fixture
def break_storage(app_state: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the storage fail, or return less than it was asked for, from a position on."""
    stream = app_state.storage.stream

    def break_at(position: int, *, silently: bool) -> None:
        async def torn(key: str, start: int, end: int) -> AsyncIterator[bytes]:
            async for chunk in stream(key, start, min(end, position)):
                yield chunk
            if end > position and not silently:
                raise GenericError("the storage does not respond")

        monkeypatch.setattr(app_state.storage, "stream", torn)

    return break_at


async def download(client: httpx.AsyncClient, path: str) -> tuple[bytes, bool, httpx.Headers]:
    """Return what arrived, whether the connection broke off, and the headers."""
    received = b""
    async with client.stream("GET", path) as response:
        try:
            async for part in response.aiter_raw():
                received += part
        except httpx.RemoteProtocolError:
            return received, True, response.headers
    return received, False, response.headers


async def upload(client: httpx.AsyncClient) -> str:
    file = {"file": ("clip.bin", CONTENT, "application/octet-stream")}
    return str(expect(await client.post("/assets/", files=file), 201).json()["id"])


@pytest.mark.parametrize("silently", [False, True])
async def test_torn_download_is_an_error_and_is_resumed(
    client: httpx.AsyncClient, break_storage: Any, monkeypatch: pytest.MonkeyPatch, silently: bool
) -> None:
    path = f"/assets/{await upload(client)}/content"
    break_storage(2 * CHUNK, silently=silently)
    received, is_torn, headers = await download(client, path)
    assert is_torn
    assert headers["Content-Length"] == str(len(CONTENT))
    assert received == CONTENT[: len(received)]
    assert len(received) < len(CONTENT)
    monkeypatch.undo()
    resume = {"Range": f"bytes={len(received)}-", "If-Range": headers["ETag"]}
    rest = expect(await client.get(path, headers=resume), 206)
    assert received + rest.content == CONTENT


async def test_torn_zip_is_an_error(client: httpx.AsyncClient, break_storage: Any) -> None:
    await upload(client)
    break_storage(CHUNK, silently=False)
    _, is_torn, _ = await download(client, "/users/me/export")
    assert is_torn
