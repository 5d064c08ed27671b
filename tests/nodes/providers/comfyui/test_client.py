"""What the client makes of a server's answers."""

import asyncio

import httpx
import orjson
import pytest

from impasto_nodes.providers.comfyui.client import ComfyUI, connected
from impasto_nodes.providers.errors import ProviderError

ADDRESS = "http://comfyui.example"


def client(status: int, content: bytes = b"{}") -> ComfyUI:
    """Return a client of a server that answers everything alike."""
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=content))
    return ComfyUI(httpx.AsyncClient(base_url=ADDRESS, transport=transport), ADDRESS)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (302, "provider_unavailable"),
        (400, "bad_request"),
        (401, "wrong_credential"),
        (429, "rate_limited"),
        (503, "provider_unavailable"),
    ],
)
async def test_status_of_an_answer_has_its_code(status: int, code: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await client(status).queue()
    assert raised.value.code == code
    assert ("redirects" in (raised.value.detail or "")) == (status == 302)


@pytest.mark.anyio
async def test_redirect_to_another_host_is_not_followed() -> None:
    asked: list[bytes] = []

    async def redirect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split()[1])
        writer.write(
            b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(redirect, "127.0.0.1", 0)
    async with server, connected(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as comfyui:
        with pytest.raises(ProviderError):
            await comfyui.queue()
    assert asked == [b"/queue"]


@pytest.mark.anyio
@pytest.mark.parametrize("content", [b"", b"[]", b"<html>"])
async def test_answer_that_is_no_json_object_is_unavailable(content: bytes) -> None:
    with pytest.raises(ProviderError, match="ComfyUI") as raised:
        await client(200, content).queue()
    assert raised.value.code == "provider_unavailable"


@pytest.mark.anyio
async def test_jobs_that_wait_are_ordered_by_their_numbers() -> None:
    content = (
        b'{"queue_running": [], "queue_pending": [[7, "b", {}, {}, []], [3, "a", {}, {}, []], "damaged"]}'
    )
    _, pending = await client(200, content).queue()
    assert [entry[1] for entry in pending] == ["a", "b"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        ("value_not_in_list", "sdxl.safetensors", "unknown_model"),
        ("value_not_in_list", "euler_fast", "bad_workflow"),
        ("value_bigger_than_max", "sdxl.safetensors", "bad_workflow"),
    ],
)
async def test_only_a_file_that_is_not_offered_is_a_missing_model(kind: str, value: str, code: str) -> None:
    fault = {"type": kind, "message": "Not valid", "details": "", "extra_info": {"received_value": value}}
    content = orjson.dumps({"error": {"message": "invalid"}, "node_errors": {"4": {"errors": [fault]}}})
    with pytest.raises(ProviderError) as raised:
        await client(400, content).submit({"4": {"class_type": "KSampler"}}, "order", "client")
    assert raised.value.code == code
