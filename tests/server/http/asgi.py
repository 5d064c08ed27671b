"""Calls of ASGI applications without a server: what is received and sent, message by message."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
Application = Callable[[Any, Any, Any], Awaitable[None]]


@dataclass
class Exchange:
    """One request and its answer. `receive` hands out the pieces of the body, then the disconnect."""

    method: str = "GET"
    path: str = "/"
    query: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    pieces: Sequence[bytes] = (b"",)
    sent: list[Message] = field(default_factory=list)
    taken: int = 0

    async def receive(self) -> Message:
        if self.taken == len(self.pieces):
            return {"type": "http.disconnect"}
        self.taken += 1
        more = self.taken < len(self.pieces)
        return {"type": "http.request", "body": self.pieces[self.taken - 1], "more_body": more}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def run(self, app: Application, /, **scope: Any) -> "Exchange":
        """Call the application."""
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        made = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": self.query,
            "root_path": "",
            "headers": headers,
            "server": ("testserver", 80),
            "client": ("127.0.0.1", 1),
        }
        await app({**made, **scope}, self.receive, self.send)
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def answer_headers(self) -> dict[str, str]:
        return {name.decode().lower(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])


class Stalled(Exchange):
    """A client that sends nothing after these pieces."""

    async def receive(self) -> Message:
        if self.taken == len(self.pieces):
            await asyncio.Event().wait()
        self.taken += 1
        return {"type": "http.request", "body": self.pieces[self.taken - 1], "more_body": True}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the body of the request, and with the number of its pieces in a header."""
    if scope["type"] != "http":
        await send({"type": f"{scope['type']}.passed"})
        return
    body, pieces, more = b"", 0, True
    while more:
        message = await receive()
        body, pieces, more = body + message["body"], pieces + 1, message["more_body"]
    headers = [
        (b"pieces", b"%d" % pieces),
        (b"path", scope["path"].encode()),
        (b"method", scope["method"].encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
