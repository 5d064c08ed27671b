"""Limits of a connection: heads, framing and bodies that do not end, with a clock that tests set."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn
from anyio.lowlevel import checkpoint
from tests.server.timers import TimerLoop
from uvicorn.server import ServerState

from impasto_server.http.protocol import BoundedHttpProtocol, protocol_class
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
KIB_64 = 65_536
SETTINGS = Settings(_env_file=None, head_seconds=3, body_seconds=7)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LATE = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain\r\ncontent-length: 36\r\n"
    b"connection: close\r\n\r\nThe request took too long to arrive."
)
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\ncontent-length: 37\r\n"
    b"connection: close\r\n\r\nThe head of the request is too large."
)


@dataclass
class Transport:
    """The other end: what was written, and whether the connection is closed or its reading paused."""

    written: bytes = b""
    is_closed: bool = False
    is_paused: bool = False

    def get_extra_info(self, _name: str) -> None:
        return None

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False


class Loop(TimerLoop):
    """The event loop, but for its timers."""

    def create_task(self, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(coroutine, **options)


class Connection:
    """A client's connection to an application that answers when the test allows it.

    It reads the bodies of requests of /read alone, which a client sends at once.
    """

    def __init__(self) -> None:
        self.transport, self.loop = Transport(), Loop()
        self.scopes: list[Any] = []
        self.bodies: list[bytes] = []
        self.may_answer, self.may_answer_late = asyncio.Event(), asyncio.Event()
        config = uvicorn.Config(
            self.answer, interface="asgi3", ws="none", log_config=None, timeout_keep_alive=99
        )
        self.protocol = protocol_class(SETTINGS)(config, ServerState(), {}, self.loop)  # type: ignore[arg-type]
        self.protocol.connection_made(self.transport)  # type: ignore[arg-type]

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        await self.may_answer.wait()
        if scope["path"] == "/late":
            await self.may_answer_late.wait()
        if scope["path"] == "/read":
            message = await receive()
            assert not message["more_body"]
            self.bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.protocol.data_received(piece)

    async def get_answer(self) -> None:
        self.may_answer.set()
        await asyncio.gather(*self.protocol.tasks)

    @property
    def deadlines(self) -> list[float]:
        """The seconds of the timers that are running, but for that of an idle connection."""
        return [timer.seconds for timer in self.loop.timers if not timer.is_cancelled and timer.seconds != 99]

    def expire(self) -> None:
        (timer,) = [timer for timer in self.loop.timers if not timer.is_cancelled and timer.seconds != 99]
        timer.cancel()
        timer.call()


@pytest.fixture
async def connection() -> Connection:
    return Connection()


async def test_connection_without_a_request_is_closed_in_silence(connection: Connection) -> None:
    assert connection.deadlines == [3]
    connection.expire()
    assert (connection.transport.written, connection.transport.is_closed) == (b"", True)
    connection.send(b"G")
    assert connection.deadlines == []


async def test_head_must_be_complete_in_time(connection: Connection) -> None:
    connection.send(b"GET ", b"/ HTTP/1.1\r\n")
    assert connection.deadlines == [3]
    connection.expire()
    assert (connection.transport.written, connection.transport.is_closed) == (LATE, True)


async def test_each_head_of_a_connection_has_its_deadline(connection: Connection) -> None:
    connection.send(GET)
    assert connection.deadlines == []
    await connection.get_answer()
    assert connection.deadlines == []
    connection.send(b"\r\n")
    assert connection.deadlines == [3]
    connection.send(b"G")
    assert connection.deadlines == [3]
    connection.send(GET[1:])
    assert connection.deadlines == []
    await connection.get_answer()
    assert connection.transport.written.count(b"HTTP/1.1 204") == 2
    assert not connection.transport.is_closed


async def test_empty_lines_alone_are_no_request(connection: Connection) -> None:
    connection.send(GET)
    await connection.get_answer()
    connection.send(b"\r\n")
    connection.expire()
    assert connection.transport.written.count(b"HTTP/1.1") == 1
    assert connection.transport.is_closed


async def test_lost_connection_has_no_deadline(connection: Connection) -> None:
    connection.protocol.connection_lost(None)
    assert connection.deadlines == []
    assert connection.protocol not in connection.protocol.connections


async def test_body_that_is_not_read_has_a_deadline_once_the_response_is_complete(
    connection: Connection,
) -> None:
    connection.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n", b"a")
    assert connection.deadlines == []
    await connection.get_answer()
    assert connection.deadlines == [7]
    answered = connection.transport.written
    connection.send(b"b")
    assert connection.deadlines == [7]
    connection.expire()
    assert (connection.transport.written, connection.transport.is_closed) == (answered, True)


async def test_body_that_ends_in_time_leaves_the_connection_open(connection: Connection) -> None:
    connection.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n")
    await connection.get_answer()
    connection.send(b"body")
    assert connection.deadlines == []
    connection.send(GET)
    await connection.get_answer()
    assert [scope["method"] for scope in connection.scopes] == ["POST", "GET"]


async def test_request_that_waits_for_a_response_has_no_deadline_of_its_body(connection: Connection) -> None:
    connection.send(GET + b"POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n")
    connection.may_answer.set()
    while len(connection.scopes) < 2:
        await checkpoint()
    assert connection.deadlines == []
    connection.may_answer_late.set()
    await connection.get_answer()
    assert [scope["method"] for scope in connection.scopes] == ["GET", "POST"]
    assert connection.deadlines == [7]


async def test_head_that_begins_with_the_end_of_a_body_has_a_deadline(connection: Connection) -> None:
    connection.send(b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n")
    connection.send(b"bodyGET / HT")
    assert connection.deadlines == [3]
    await connection.get_answer()
    assert connection.bodies == [b"body"]


async def test_closed_connection_gets_no_second_answer(connection: Connection) -> None:
    connection.send(b"GET ")
    connection.expire()
    connection.send(b"/", b"a" * (KIB_64 + 1))
    assert connection.transport.written == LATE


@pytest.mark.parametrize("size", [KIB_64, KIB_64 + 1])
async def test_head_has_at_most_64_kib_after_its_first_piece(connection: Connection, size: int) -> None:
    connection.send(b"GET / HTTP/1.1\r\nX-Long: ", b"a" * size)
    expected = (b"", False) if size == KIB_64 else (TOO_LARGE, True)
    assert (connection.transport.written, connection.transport.is_closed) == expected


async def test_each_head_may_have_64_kib(connection: Connection) -> None:
    long = b"GET / HTTP/1.1\r\nX-Long: " + b"a" * 40_000 + b"\r\n\r\n"
    for _ in range(2):
        connection.send(long)
        await connection.get_answer()
    assert not connection.transport.is_closed
    assert len(connection.scopes) == 2


async def test_large_head_is_refused_after_the_response_in_progress(connection: Connection) -> None:
    connection.send(GET)
    connection.send(b"GET / HTTP/1.1\r\nX-Long: ", b"a" * (KIB_64 + 1))
    assert (connection.transport.written, connection.transport.is_closed) == (b"", False)
    assert connection.transport.is_paused
    await connection.get_answer()
    assert connection.transport.written.startswith(b"HTTP/1.1 204")
    assert connection.transport.is_closed


async def test_body_in_small_chunks_is_received(connection: Connection) -> None:
    connection.send(CHUNKED, *[b"1\r\na\r\n" * 1000] * 20)
    assert not connection.transport.is_closed
    assert connection.protocol.cycle.body == b"a" * 20_000
    connection.send(b"0\r\n\r\n")
    await connection.get_answer()


async def test_framing_of_a_body_has_at_most_64_kib_more_than_16_times_its_content(
    connection: Connection,
) -> None:
    await connection.get_answer()
    connection.send(CHUNKED)
    await connection.get_answer()
    answered = connection.transport.written
    chunk = b"1;" + b"e" * 1012 + b"\r\na\r\n"  # 1019 bytes, of which its byte of content allows 16
    for _ in range(65):
        connection.send(chunk)
    assert not connection.transport.is_closed
    connection.send(b"1\r\na\r\n" * 10_000)
    connection.send(b"1;" + b"e" * (KIB_64 - 2))
    assert not connection.transport.is_closed
    connection.send(b"e")
    assert connection.transport.written == answered + TOO_LARGE
    assert connection.transport.is_closed


async def test_trailers_are_no_headers(connection: Connection) -> None:
    connection.send(CHUNKED, b"0\r\nX-Trailer: 1\r\n\r\n")
    await connection.get_answer()
    assert connection.scopes[0]["headers"] == [(b"host", b"x"), (b"transfer-encoding", b"chunked")]


def test_limits_are_those_of_the_settings() -> None:
    made = protocol_class(SETTINGS)
    assert (made.head_seconds, made.body_seconds) == (3, 7)
    assert (BoundedHttpProtocol.head_seconds, BoundedHttpProtocol.body_seconds) == (15, 30)
