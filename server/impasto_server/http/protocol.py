"""The HTTP protocol of `impasto serve`: uvicorn's, with limits for slow and endless requests."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from impasto_server.settings import Settings

MAX_HEAD_BYTES = 64 * 1024
# A body in chunks of one byte has five bytes of framing for each byte of content.
_FRAMING_PER_BODY_BYTE = 16


class BoundedHttpProtocol(HttpToolsProtocol):
    """Closes a connection whose client does not send what it began.

    A request's head must be complete `head_seconds` after the connection was opened or the head began. A body
    that no endpoint reads, because the response is complete, must end within `body_seconds`. The deadlines of
    bodies that are read are those of `BodyLimitMiddleware`. Heads, and the framing and trailers of chunked
    bodies, have at most `MAX_HEAD_BYTES`.
    """

    head_seconds = 15.0
    body_seconds = 30.0
    _deadline: asyncio.TimerHandle | None = None
    _is_in_body = False
    _is_in_head = False
    _unproductive_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first head."""
        super().connection_made(transport)
        self._start_deadline(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._stop_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a chunk. The first one after a request starts the deadline of the next head."""
        if not self._is_in_body:
            self._start_deadline(self.head_seconds)
        self._unproductive_bytes += len(data)
        super().data_received(data)
        if self._unproductive_bytes > MAX_HEAD_BYTES:
            self._close("431 Request Header Fields Too Large", "The head of the request is too large.")

    def on_message_begin(self) -> None:
        """Handle the first byte of a head."""
        super().on_message_begin()
        self._is_in_head, self._unproductive_bytes = True, 0
        self._start_deadline(self.head_seconds)

    def on_headers_complete(self) -> None:
        """Handle the end of a head."""
        self._stop_deadline()
        self._is_in_head, self._is_in_body = False, True
        super().on_headers_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Handle a header. Trailers after a body are ignored."""
        if not self._is_in_body:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Handle a part of a body."""
        allowance = len(body) * _FRAMING_PER_BODY_BYTE
        self._unproductive_bytes = max(0, self._unproductive_bytes - allowance)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Handle the end of a request."""
        self._stop_deadline()
        self._is_in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Start the deadline of a body that the endpoint did not read."""
        super().on_response_complete()
        if self._is_in_body and self.cycle.response_complete:
            self._start_deadline(self.body_seconds)

    def _start_deadline(self, seconds: float) -> None:
        if self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        self._deadline = None
        if self._is_in_head:
            self._close("408 Request Timeout", "The request took too long to arrive.")
        else:
            self._close()

    def _close(self, status: str = "", sentence: str = "") -> None:
        """Close the connection, after `status` if no response is in progress, else after that response."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        if status and not self.transport.is_closing():
            head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(sentence)}\r\n"
            self.transport.write(f"{head}connection: close\r\n\r\n{sentence}".encode())
        self.transport.close()


def protocol_class(settings: Settings) -> type[BoundedHttpProtocol]:
    """Return the protocol with the limits of the settings; uvicorn creates one for each connection."""

    class Configured(BoundedHttpProtocol):
        head_seconds = settings.head_seconds
        body_seconds = settings.body_seconds

    return Configured
