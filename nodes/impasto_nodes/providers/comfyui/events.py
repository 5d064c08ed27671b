"""The events of a job over the server's websocket: progress, previews, and that something has changed.

The websocket only shows progress and shortens the wait: the queue and the history say how a job stands. So a
connection that is lost is opened again, and a run without one polls.
"""

import asyncio
import struct
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import orjson

_MAX_MESSAGE_BYTES = 16_000_000
_OPEN_SECONDS = 5.0
_RECONNECT_SECONDS = (0.25, 1.0, 2.0, 5.0)
_PREVIEW_IMAGE = 1
_IMAGE_FORMATS = frozenset({1, 2})  # JPEG and PNG
_SECONDS_BETWEEN_PREVIEWS = 1.0
_MAX_PREVIEWS = 20
"""Each is an event of the run, of some 20 kB."""
_MAX_PREVIEW_BYTES = 4_000_000
_ENDS = frozenset({"execution_success", "execution_error", "execution_interrupted"})

ShowPreview = Callable[[bytes], Awaitable[None]]
ShowProgress = Callable[[float, str], None]


@dataclass(slots=True)
class Watch:
    """The state of one job, by its events. `changed` is set when the queue or the job may have changed."""

    prompt_id: str
    nodes: Mapping[str, Any]
    progress: ShowProgress
    preview: ShowPreview
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    is_connected: bool = False
    has_started: bool = False
    error: Mapping[str, Any] | None = None
    _done: set[str] = field(default_factory=set)
    _current: str = ""
    _previews: int = 0
    _next_preview: float = 0.0

    async def read(self, message: str | bytes) -> None:
        """Take one message; one that cannot be read is left out."""
        if isinstance(message, bytes):
            await self._read_preview(message)
            return
        try:
            event = orjson.loads(message)
            kind, data = event["type"], event["data"]
        except (ValueError, KeyError, TypeError):
            return
        if kind == "status":
            if not self.has_started:  # the place in the queue may be another
                self.changed.set()
        elif isinstance(data, dict) and data.get("prompt_id", self.prompt_id) == self.prompt_id:
            self._read_event(kind, data)

    def _read_event(self, kind: str, data: Mapping[str, Any]) -> None:
        if kind in _ENDS:
            self.error = data if kind == "execution_error" else self.error
            self.changed.set()
            return
        self.has_started = True
        if kind == "execution_cached" and isinstance(data.get("nodes"), list):
            self._done.update(map(str, data["nodes"]))
        elif kind == "executing":
            self._done.add(self._current)
            node = data.get("node")
            self._current = "" if node is None else str(node)
            if node is None:
                self.changed.set()
            else:
                self._show(0.0, "")
        elif kind == "progress":
            value, maximum = data.get("value"), data.get("max")
            if isinstance(value, int | float) and isinstance(maximum, int | float) and maximum > 0:
                self._show(min(1.0, max(0.0, value / maximum)), f", {value:g} of {maximum:g}")

    def _show(self, fraction: float, steps: str) -> None:
        total = len(self.nodes) or 1
        done = len(self._done & self.nodes.keys())
        node = self.nodes.get(self._current) or {}
        title = (node.get("_meta") or {}).get("title") or node.get("class_type") or "Running"
        self.progress(min(0.99, (done + fraction) / total), f"{str(title)[:80]}{steps}")

    async def _read_preview(self, frame: bytes) -> None:
        """Show a preview: 4 bytes event type and 4 bytes format, big-endian, then the image."""
        if len(frame) <= 8 or len(frame) > _MAX_PREVIEW_BYTES:
            return
        kind, image_format = struct.unpack(">II", frame[:8])
        if kind != _PREVIEW_IMAGE or image_format not in _IMAGE_FORMATS:
            return
        now = time.monotonic()
        if self._previews < _MAX_PREVIEWS and now >= self._next_preview:
            self._previews += 1
            self._next_preview = now + _SECONDS_BETWEEN_PREVIEWS
            await self.preview(frame[8:])


async def listen(address: str, client_id: str, watch: Watch) -> None:
    """Read events until cancelled. Returns if the server has no websocket that can be reached."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidURI, WebSocketException

    url = f"ws{address.removeprefix('http')}/ws?clientId={client_id}"
    parts = urlsplit(address)
    # With a host and a port, redirects to another server are refused: a user may have chosen the address.
    where: dict[str, Any] = {
        "host": parts.hostname,
        "port": parts.port or (443 if parts.scheme == "https" else 80),
    }
    failures = 0
    while failures < len(_RECONNECT_SECONDS):
        try:
            async with connect(
                url, max_size=_MAX_MESSAGE_BYTES, open_timeout=_OPEN_SECONDS, proxy=None, **where
            ) as socket:
                watch.is_connected = True
                watch.changed.set()
                async for message in socket:
                    failures = 0
                    await watch.read(message)
        except (InvalidURI, ValueError):  # no address of a websocket, or a redirect to another server
            return
        except (OSError, TimeoutError, WebSocketException):
            pass
        finally:
            watch.is_connected = False
            watch.changed.set()
        await asyncio.sleep(_RECONNECT_SECONDS[failures])
        failures += 1
