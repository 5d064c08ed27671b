"""An in-process client of Server-Sent Events that receives each chunk as the server sends it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

_TIMEOUT_SECONDS = 60


class LiveStream:
    """The events of a stream. `comments` counts the heartbeats."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.comments = 0
        self.ended = False
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._rest = b""
        self._events: list[dict[str, Any]] = []

    async def next(self) -> dict[str, Any] | None:
        """Return the next event, or None at the end of the stream. Raises TimeoutError."""
        while not self._events:
            piece = await asyncio.wait_for(self._pieces.get(), _TIMEOUT_SECONDS)
            if piece is None:
                self.ended = True
                return None
            self._take(piece)
        return self._events.pop(0)

    async def until(self, kind: str) -> list[dict[str, Any]]:
        """Return all events up to the first of a type."""
        seen: list[dict[str, Any]] = []
        while (event := await self.next()) is not None:
            seen.append(event)
            if event["type"] == kind:
                return seen
        raise AssertionError(f"no {kind} after {[event['type'] for event in seen]}")

    async def rest(self) -> list[dict[str, Any]]:
        """Return all events to the end of the stream."""
        seen = []
        while (event := await self.next()) is not None:
            seen.append(event)
        return seen

    async def heartbeat(self) -> None:
        """Wait for the next heartbeat. Raises TimeoutError."""
        before = self.comments
        while self.comments == before:
            piece = await asyncio.wait_for(self._pieces.get(), _TIMEOUT_SECONDS)
            assert piece is not None
            self._take(piece)

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {key.decode(): value.decode() for key, value in message["headers"]}
        elif message["type"] == "http.response.body":
            await self._pieces.put(message.get("body", b""))
            if not message.get("more_body"):
                await self._pieces.put(None)

    def _take(self, piece: bytes) -> None:
        *blocks, self._rest = (self._rest + piece).split(b"\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line[1:])
            if block.startswith(b":"):
                self.comments += 1
            if "data" in fields:
                event = json.loads(fields["data"])
                assert fields["id"] == str(event["seq"])
                assert fields["event"] == event["type"]
                self._events.append(event)


@asynccontextmanager
async def follow(
    app: FastAPI, person: Any, run_id: str, last_event_id: str | None = None
) -> AsyncIterator[LiveStream]:
    """Follow a run's events. Leaving the block disconnects the client."""
    stream = LiveStream()
    headers = [(b"authorization", f"Bearer {person.token}".encode()), (b"host", b"testserver")]
    if last_event_id is not None:
        headers.append((b"last-event-id", last_event_id.encode()))
    path = f"/api/v1/runs/{run_id}/events"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
    }
    gone = asyncio.Event()
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    task = asyncio.create_task(app(scope, receive, stream.send))  # type: ignore[arg-type]
    try:
        yield stream
    finally:
        gone.set()
        await asyncio.wait_for(task, _TIMEOUT_SECONDS)
