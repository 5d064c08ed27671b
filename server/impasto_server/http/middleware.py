"""ASGI middleware of every request: id, log line, security headers, body limit, paths."""

import asyncio
import re
import secrets
import time
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto_server.container import AppState
from impasto_server.http.errors import (
    NotFound,
    Problem,
    RequestTimeout,
    TooLarge,
    UnsupportedEncoding,
    crash_response,
)
from impasto_server.observability.metrics import REQUEST_SECONDS
from impasto_server.security.auth import authenticate_scope
from impasto_server.settings import Settings

log = structlog.get_logger()
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_CLIENT_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# These endpoints stream an uploaded file to disk. All others read the whole body into memory.
UPLOADS = re.compile(
    r"/api/v1/(assets(/|/trace)?|brands/(import/files|fonts)|flows/import/file|(users/me|flows/[^/]+)/avatar)"
)

CONTENT_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob: data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
# FastAPI's /docs page loads its script from this host. It exists in development only.
_DOCS_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' https://cdn.jsdelivr.net; "
    "style-src 'self' 'unsafe-inline' https://cdn.jsdelivr.net; img-src 'self' data: https://fastapi.tiangolo.com"
)


class RequestIdMiddleware:
    """Gives each request an id, logs it, and answers an unhandled exception with a generic problem."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope).get("x-request-id"))
        scope.setdefault("state", {})["request_id"] = request_id
        started, status = time.perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        structlog.contextvars.unbind_contextvars("user_id")  # of a former request of the same task
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, send_with_id)
            except Exception as error:  # noqa: BLE001 - logged by crash_response
                response = crash_response(scope["method"], scope["path"], error)
                if not status:
                    await response(scope, receive, send_with_id)
            _observe(scope, status, time.perf_counter() - started)


class SecurityHeadersMiddleware:
    """Adds security headers such as the content security policy, unless the response sets its own."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": CONTENT_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
            "X-Frame-Options": "DENY",
        }
        if https:
            self.headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers_for(scope["path"]).items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _headers_for(self, path: str) -> dict[str, str]:
        if path == "/docs":
            return {**self.headers, "Content-Security-Policy": _DOCS_POLICY}
        if path.startswith("/api/"):
            return {**self.headers, "Cache-Control": "no-store"}
        return self.headers


class RejectNullBytes:
    """Answers 404 for URLs that contain NUL, which no id contains and PostgreSQL refuses."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "http" and ("\0" in scope["path"] or b"%00" in scope["query_string"]):
            await NotFound("page").response()(scope, receive, send)
            return
        await self.app(scope, receive, send)


class TrailingSlashMiddleware:
    """Routes paths of the API with or without a trailing slash, and answers HEAD like GET.

    A redirect is no alternative: clients drop the token or the body when they follow it.
    """

    def __init__(self, app: ASGIApp, *, prefix: str, collections: frozenset[str]) -> None:
        self.app = app
        self.prefix = prefix
        self.collections = collections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or not scope["path"].startswith(self.prefix):
            await self.app(scope, receive, send)
            return
        scope["path"] = self._path(scope["path"])
        if scope["method"] != "HEAD" or scope["path"].endswith(("/events", "/content")):
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        get = {**scope, "method": "GET"}
        await self.app(get, receive, send_head)
        scope["route"] = get.get("route")

    def _path(self, path: str) -> str:
        if f"{path}/" in self.collections:
            return f"{path}/"
        return path if path in self.collections else path.rstrip("/")


class AuthenticateBeforeBody:
    """Authenticates before an upload is read, and limits the uploads of a user that are in progress.

    So neither an invalid token nor many slow uploads can fill the disk.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or scope["method"] != "POST" or not UPLOADS.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        app_state: AppState = scope["app"].state.app_state
        try:
            caller = await authenticate_scope(app_state, scope)
            slot_id = await app_state.slots.take(caller.user, "uploads")
        except Problem as problem:
            await problem.response()(scope, receive, send)
            return
        is_held = True

        async def send_after_release(message: Message) -> None:
            nonlocal is_held
            is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_last and is_held:  # so a client that has its answer can send the next file
                is_held = False
                await app_state.slots.release(slot_id)
            await send(message)

        try:
            await self.app(scope, receive, send_after_release)
        finally:
            if is_held:
                await app_state.slots.release(slot_id)


class BodyLimitMiddleware:
    """Refuses bodies that are too large or too slow, by Content-Length and while they are read.

    A JSON body must arrive within `body_seconds`. An upload has these seconds and those that it takes at
    `upload_min_rate`. The time in which the server itself is busy does not count.
    """

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self.app = app
        self.json_bytes = settings.json_body_bytes
        self.upload_bytes = settings.upload_bytes
        self.seconds = settings.body_seconds
        self.upload_rate = settings.upload_min_rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if headers.get("content-encoding", "identity").lower() != "identity":
            await UnsupportedEncoding().response()(scope, receive, send)
            return
        await self._limited(scope["path"], headers).run(scope, receive, send)

    def _limited(self, path: str, headers: Headers) -> "_LimitedRequest":
        if headers.get("content-type", "").startswith("multipart/") and UPLOADS.fullmatch(path):
            return _LimitedRequest(
                self.app, self.upload_bytes, self.seconds, 1 / self.upload_rate, framing_bytes=2**20
            )
        return _LimitedRequest(self.app, self.json_bytes, self.seconds, 0)


class _LimitedRequest:
    """One request whose body has a maximum size, and a maximum time that may grow with each byte received."""

    def __init__(
        self, app: ASGIApp, limit: int, seconds: float, seconds_per_byte: float, framing_bytes: int = 0
    ) -> None:
        self.app = app
        self.limit = limit
        self.max_bytes = limit + framing_bytes  # a form has headers around its files
        self.seconds_left = seconds
        self.seconds_per_byte = seconds_per_byte
        self.received_bytes = 0
        self.is_complete = False
        self.is_answered = False
        self.refusal: Problem | None = None

    async def run(self, scope: Scope, receive: Receive, send: Send) -> None:
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdigit() and int(declared) > self.max_bytes:
            await self._discard(receive)
            await TooLarge(self.limit).response()(scope, receive, send)
            return

        async def counted_receive() -> Message:
            message = await self._next(receive)
            size = len(message.get("body", b""))
            self.received_bytes += size
            self.seconds_left += size * self.seconds_per_byte
            self.is_complete = not message.get("more_body", False)
            if self.received_bytes > self.max_bytes:
                raise self._refuse(TooLarge(self.limit))
            return message

        async def send_unless_refused(message: Message) -> None:
            if self.refusal is None:
                self.is_answered = True
                await send(message)

        try:
            await self.app(scope, counted_receive, send_unless_refused)
        except (TooLarge, RequestTimeout) as problem:
            self._refuse(problem)
        if self.refusal is not None and not self.is_answered:
            await self.refusal.response()(scope, receive, send)

    async def _discard(self, receive: Receive) -> None:
        """Read an upload that is refused, for `body_seconds` at most.

        A browser that is still sending when the connection ends shows a broken connection, not the answer.
        """
        if not self.seconds_per_byte:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds_left):
                while (await receive()).get("more_body", False):
                    pass

    async def _next(self, receive: Receive) -> Message:
        if self.is_complete:  # the next message is the disconnect, for which there is no limit
            return await receive()
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.seconds_left):
                return await receive()
        except TimeoutError as error:
            raise self._refuse(RequestTimeout()) from error
        finally:
            self.seconds_left -= time.monotonic() - started

    def _refuse(self, problem: Problem) -> Problem:
        # Remembered, because frameworks replace an exception raised while they read a body with their own.
        self.refusal = self.refusal or problem
        return self.refusal


def _request_id(offered: str | None) -> str:
    return offered if offered and _CLIENT_ID.fullmatch(offered) else secrets.token_hex(8)


def _observe(scope: MutableMapping[str, Any], status: int, seconds: float) -> None:
    route = scope.get("route")
    path = getattr(route, "path", "other")
    # A client can send any word as the method.
    method = scope["method"] if scope["method"] in _METHODS else "other"
    REQUEST_SECONDS.labels(method, path, str(status)).observe(seconds)
    log.info("request", method=scope["method"], path=scope["path"], status=status, seconds=round(seconds, 4))
