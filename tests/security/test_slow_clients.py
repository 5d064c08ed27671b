"""Slow clients (slowloris): a connection that does not finish what it began is closed in bounded time."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from impasto_server.cli.serving import make_config
from impasto_server.http.protocol import MAX_HEAD_BYTES

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

SECONDS = 0.4
LATEST = 20 * SECONDS  # for slow machines; without the limits, none of these tests would end


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"head_seconds": SECONDS, "body_seconds": SECONDS, "upload_min_rate": 100_000}


class Connection:
    """A raw TCP connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.received = b""

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def drip(self, data: bytes, seconds: float = 0.05) -> float:
        """Send `data` again and again until the server closes the connection; return the seconds it took."""
        started = time.monotonic()

        async def forever() -> None:
            while True:
                await self.send(data)
                await asyncio.sleep(seconds)

        sending = asyncio.create_task(forever())
        try:
            await self.read_to_end()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        return time.monotonic() - started

    async def read_to_end(self) -> bytes:
        try:
            async with asyncio.timeout(LATEST):
                while data := await self.reader.read(65536):
                    self.received += data
        except ConnectionError:
            pass
        return self.received


@pytest.fixture
async def connect(app: FastAPI, settings: Any) -> AsyncIterator[Callable[[], Any]]:
    """Open raw connections to a real server."""
    config = make_config(app, settings.model_copy(update={"port": 0}))
    config.port, config.lifespan = 0, "off"
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    opened: list[asyncio.StreamWriter] = []

    async def open_one() -> Connection:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        opened.append(writer)
        return Connection(reader, writer)

    yield open_one
    for writer in opened:
        writer.close()
    server.should_exit = True
    await serving


async def test_silent_connection_is_closed(connect: Any) -> None:
    connection = await connect()
    assert await connection.read_to_end() == b""


@pytest.mark.parametrize("head", [b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"G"])
async def test_head_that_is_dripped_is_refused(connect: Any, head: bytes) -> None:
    connection = await connect()
    await connection.send(head)
    await connection.drip(b"X-A: 1\r\n" if len(head) > 1 else b"E")
    assert connection.received.startswith(b"HTTP/1.1 40")


async def test_empty_lines_do_not_keep_a_connection_open(connect: Any) -> None:
    connection = await connect()
    await connection.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    await connection.drip(b"\r\n")
    assert connection.received.startswith(b"HTTP/1.1 200")


async def test_second_head_of_a_connection_has_a_deadline_too(connect: Any) -> None:
    connection = await connect()
    await connection.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    await connection.drip(b"A")
    assert connection.received.startswith(b"HTTP/1.1 200")
    assert connection.received.count(b"HTTP/1.1") <= 2


async def test_endless_head_is_refused(connect: Any) -> None:
    connection = await connect()
    await connection.send(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
    await connection.drip(b"a" * MAX_HEAD_BYTES, seconds=0)
    assert connection.received.startswith(b"HTTP/1.1 431") or not connection.received


@pytest.mark.parametrize("length", ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
async def test_json_body_has_a_total_deadline(connect: Any, length: str) -> None:
    connection = await connect()
    lines = "POST /api/v1/identity/sign-in HTTP/1.1", "Host: x", "Content-Type: application/json", length
    await connection.send("\r\n".join(lines).encode() + b"\r\n\r\n")
    await connection.drip(b"1\r\n \r\n" if "chunked" in length else b" ")
    assert connection.received.startswith(b"HTTP/1.1 408")


async def test_body_that_no_endpoint_reads_is_not_awaited(connect: Any) -> None:
    connection = await connect()
    await connection.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    await connection.drip(b" ")
    assert connection.received.startswith(b"HTTP/1.1 200")


async def test_endless_trailers_are_refused(connect: Any) -> None:
    connection = await connect()
    head = b"GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    await connection.send(head)
    await connection.drip(b"X-Trailer: " + b"a" * 8000 + b"\r\n", seconds=0)
    assert b"HTTP/1.1 200" in connection.received or not connection.received


def upload(token: str, size: int) -> bytes:
    lines = (
        "POST /api/v1/assets/ HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {token}",
        "Content-Type: multipart/form-data; boundary=b",
        f"Content-Length: {size}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


START = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n'


async def test_dripped_upload_is_refused(connect: Any, person: Any) -> None:
    connection = await connect()
    await connection.send(upload(person.token, 10_000_000) + START)
    await connection.drip(b"x")
    assert connection.received.startswith(b"HTTP/1.1 408")


async def test_upload_above_the_minimum_rate_takes_its_time(connect: Any, person: Any) -> None:
    end, chunk = b"\r\n--b--\r\n", b"x" * 100_000
    connection = await connect()
    await connection.send(upload(person.token, len(START) + 5 * len(chunk) + len(end)) + START)
    started = time.monotonic()
    for _ in range(5):
        await connection.send(chunk)
        await asyncio.sleep(0.3)
    assert time.monotonic() - started > 2 * SECONDS
    await connection.send(end)
    status = await asyncio.wait_for(connection.reader.readline(), LATEST)
    assert status.startswith(b"HTTP/1.1 201")


async def test_pipelined_requests_and_idle_connections_are_served(connect: Any) -> None:
    connection = await connect()
    await connection.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
    for _ in range(20):
        await connection.reader.readuntil(b'{"status":"ok"}')
    await asyncio.sleep(3 * SECONDS)
    await connection.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert (await connection.read_to_end()).startswith(b"HTTP/1.1 200")
