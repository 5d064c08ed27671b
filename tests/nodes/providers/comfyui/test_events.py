"""The websocket of a ComfyUI server."""

import asyncio
import struct
from collections.abc import Callable
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from impasto_nodes.providers.comfyui.events import Watch, listen

pytestmark = pytest.mark.anyio


async def show(_: bytes) -> None:
    """Show no preview."""


def redirect_to(port: int) -> Callable[[ServerConnection, Request], Response]:
    def answer(_: ServerConnection, __: Request) -> Response:
        headers = Headers(Location=f"ws://127.0.0.1:{port}/ws")
        return Response(HTTPStatus.FOUND, HTTPStatus.FOUND.phrase, headers)

    return answer


async def test_a_redirect_of_the_websocket_to_another_server_is_not_followed() -> None:
    reached: list[str] = []

    async def take(connection: ServerConnection) -> None:
        reached.append(connection.request.path if connection.request else "")

    async with serve(take, "127.0.0.1", 0) as other:
        port = next(iter(other.sockets)).getsockname()[1]
        async with serve(take, "127.0.0.1", 0, process_request=redirect_to(port)) as chosen:
            address = f"http://127.0.0.1:{next(iter(chosen.sockets)).getsockname()[1]}"
            watch = Watch("job", {}, lambda _, __: None, show)
            async with asyncio.timeout(20):
                await listen(address, "client", watch)
    assert not reached
    assert not watch.is_connected


async def test_second_preview_within_a_second_is_not_shown() -> None:
    shown: list[bytes] = []

    async def keep(image: bytes) -> None:
        shown.append(image)

    watch = Watch("job", {}, lambda _, __: None, keep)
    for image in (b"first", b"second"):
        await watch.read(struct.pack(">II", 1, 2) + image)
    assert shown == [b"first"]
