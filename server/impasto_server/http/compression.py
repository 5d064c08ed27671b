"""Compression of long responses in JSON, such as a page of the library."""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto_server.http.content_encoding import accepted_encodings

# Shorter responses take a slow connection less than 0.1 s, and the poll of a run would pay for them.
MIN_BYTES = 16 * 2**10
_LEVEL = 5


class CompressionMiddleware:
    """Compresses JSON of `MIN_BYTES` or more for clients that accept gzip, off the event loop.

    Starlette's `GZipMiddleware` does it on the event loop. Responses with an ETag are sent as they are: a
    strong ETag names their bytes. Other sites cannot guess secrets from the size of a response (BREACH): they
    cannot send the token that its request needs.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _accepts_gzip(scope):
            await self.app(scope, receive, send)
            return
        start: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_compressible(message):
                start = message
                return
            if start is not None:
                held, start = start, None
                message = await _compress(held, message)
                await send(held)
            await send(message)

        await self.app(scope, receive, send_compressed)


def _accepts_gzip(scope: Scope) -> bool:
    return "gzip" in accepted_encodings(Headers(scope=scope).get("accept-encoding"))


def _is_compressible(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_json = headers.get("content-type", "").partition(";")[0] == "application/json"
    return start["status"] == 200 and is_json and not {"etag", "content-encoding"} & set(headers)


async def _compress(start: Message, message: Message) -> Message:
    """Compress a message that holds a whole long body, and add the headers for it to `start`."""
    body = message.get("body", b"")
    if message.get("more_body") or len(body) < MIN_BYTES:
        return message
    compressed = await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
    headers = MutableHeaders(scope=start)
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(compressed))
    headers.add_vary_header("Accept-Encoding")
    return {**message, "body": compressed}
