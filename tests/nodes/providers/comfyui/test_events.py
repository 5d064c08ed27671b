"""The websocket of a ComfyUI server."""

import asyncio
import struct
from collections.abc import Callable
from http import HTTPStatus

import pytest
from websockets.asyncio import client
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from impasto_nodes.providers.comfyui import events
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


@pytest.mark.parametrize(
    ("address", "url", "port"),
    [
        ("http://comfyui.test", "ws://comfyui.test/ws?clientId=client", 80),
        ("https://comfyui.test", "wss://comfyui.test/ws?clientId=client", 443),
        ("https://comfyui.test:8188", "wss://comfyui.test:8188/ws?clientId=client", 8188),
    ],
)
async def test_websocket_has_the_host_and_the_port_of_the_address(
    monkeypatch: pytest.MonkeyPatch, address: str, url: str, port: int
) -> None:
    asked: list[tuple[str, dict[str, object]]] = []

    def refuse(uri: str, **options: object) -> None:
        asked.append((uri, options))
        raise ValueError

    monkeypatch.setattr(client, "connect", refuse)
    await listen(address, "client", Watch("job", {}, lambda _, __: None, show))
    limits = {"max_size": 16_000_000, "open_timeout": 5.0, "proxy": None}
    assert asked == [(url, {"host": "comfyui.test", "port": port} | limits)]


async def test_server_that_cannot_be_reached_is_tried_four_times_less_and_less_often(
    pauses: list[float],
) -> None:
    watch = Watch("job", {}, lambda _, __: None, show)
    async with asyncio.timeout(20):
        await listen("http://127.0.0.1:9", "client", watch)
    assert pauses == [0.25, 1.0, 2.0, 5.0]
    assert watch.changed.is_set()
    assert not watch.is_connected


async def test_connection_that_brings_messages_is_opened_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(events, "_RECONNECT_SECONDS", (0.0, 0.0, 0.0, 0.0))
    monkeypatch.setattr(events, "_SECONDS_BETWEEN_PREVIEWS", 0.0)
    asked: list[str] = []
    seen: list[tuple[bool, bool]] = []

    def refuse_the_fourth(connection: ServerConnection, request: Request) -> Response | None:
        asked.append(request.path)
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "") if len(asked) > 3 else None

    async def send(connection: ServerConnection) -> None:
        await connection.send(struct.pack(">II", 1, 2) + b"image")

    async def look(_: bytes) -> None:
        seen.append((watch.is_connected, watch.changed.is_set()))

    watch = Watch("job", {}, lambda _, __: None, look)
    async with serve(send, "127.0.0.1", 0, process_request=refuse_the_fourth) as server:
        address = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        async with asyncio.timeout(20):
            await listen(address, "client", watch)
    assert seen == [(True, True)] * 3
    assert asked == ["/ws?clientId=client"] * 6


async def test_second_preview_within_a_second_is_not_shown() -> None:
    shown: list[bytes] = []

    async def keep(image: bytes) -> None:
        shown.append(image)

    watch = Watch("job", {}, lambda _, __: None, keep)
    for image in (b"first", b"second"):
        await watch.read(struct.pack(">II", 1, 2) + image)
    assert shown == [b"first"]
