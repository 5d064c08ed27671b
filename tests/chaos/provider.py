"""A provider that counts what it is paid for, and a network connection that can be cut."""

import asyncio
import json
import random
from collections import defaultdict
from contextlib import suppress
from types import TracebackType
from typing import Self


class PaidProvider:
    """Sells over HTTP. An order with a known key is delivered again without being paid again.

    `paid` has the keys under which each step of each launch was paid.
    """

    def __init__(self, chance: random.Random, max_seconds: float = 0.5) -> None:
        self.paid: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._chance = chance
        self._max_seconds = max_seconds
        self._server: asyncio.Server | None = None
        self._writers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/orders"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers.values():
            writer.transport.abort()
        if self._writers:
            await asyncio.wait(self._writers, timeout=self._max_seconds + 10)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._writers[task] = writer
        task.add_done_callback(self._writers.pop)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length:")[2].split("\r\n")[0])
            order = json.loads(await reader.readexactly(length))
            keys = self.paid[order["launch"], order["step"]]
            keys.add(order["key"])
            # Processes are killed while they wait for what is paid already.
            await asyncio.sleep(self._chance.random() * self._max_seconds)
            body = json.dumps({"number": len(self.paid)})
            answer = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
            writer.write(answer.encode())
            await writer.drain()
        writer.close()


class Connection:
    """Passes bytes between a port of its own and another one, until it is cut."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._target = port
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Accept connections, after a cut at the same port as before."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Break what is connected, and refuse connections."""
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            both = {writer, far_writer}
            self._writers |= both
            try:
                await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))
            finally:
                self._writers -= both
                for one in both:
                    one.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()
