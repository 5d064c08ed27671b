"""`Idempotency-Key`: a repeated POST is executed once and gets the first response again."""

import asyncio
import base64
import hashlib
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Annotated, Any

import orjson
import structlog
from fastapi import Header
from sqlalchemy import BigInteger, Index, LargeBinary, String, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto_server.container import AppState
from impasto_server.db.engine import Base
from impasto_server.http.errors import Conflict, Invalid, Problem
from impasto_server.outages import is_outage
from impasto_server.security.auth import Caller, authenticate_scope

RETENTION = timedelta(hours=24)
MAX_BYTES = 32 * 2**20
# Launches also store their key: a run is not launched twice even if the process dies before the response
# is stored.
IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", max_length=255, description="A repeated request gets the first response"),
]
log = structlog.get_logger()
_PURPOSE = "idempotency"
_HEADER = "idempotency-key"
_MAX_BODY = 2**20
_MAX_TIMES = 8
_ROW_BYTES = 512  # what a row takes beside its response
_ROWS_AT_ONCE = 1000
_STORED_HEADERS = {"content-type", "location", "etag"}


class StoredResponse(Base):
    """The first response to a key of one caller, encrypted because it may contain a secret.

    While the request is in progress, its process renews `created_at`: a key whose process has died is free
    after `lease_seconds`. `bytes` counts toward what the responses of the user `owner_id` may take.
    """

    __tablename__ = "kept_answers"
    __table_args__ = (Index("ix_kept_answers_owner", "owner_id", "created_at", "bytes"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    request: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(index=True)
    answer: Mapped[bytes | None] = mapped_column(LargeBinary)
    owner_id: Mapped[str | None] = mapped_column(String(36))
    bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")


class RequestInProgress(Conflict):
    """The first request with this key has not finished."""

    code = "idempotency_in_progress"

    def __init__(self) -> None:
        super().__init__(
            "The same request is in progress. Try again in a second.", headers={"Retry-After": "1"}
        )


class KeyReused(Invalid):
    """The key was used for a different request."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for a different request in the last 24 hours.")


class KeyMalformed(Problem):
    """The key is empty or too long."""

    status, code, title = 400, "idempotency_key_malformed", "Bad request"

    def __init__(self) -> None:
        super().__init__("An Idempotency-Key must have 1 to 255 characters.")


class IdempotencyMiddleware:
    """Stores the successful responses to POST requests with an `Idempotency-Key` for 24 hours.

    If the responses of a user take more than `MAX_BYTES`, the oldest are deleted before.

    Only for authenticated callers: the key of any other request is ignored, so that a stranger can neither
    fill the database nor read a response.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        key = Headers(scope=scope).get(_HEADER) if _is_post(scope) else None
        if key is None:
            await self.app(scope, receive, send)
            return
        try:
            if not 0 < len(key) <= 255:
                raise KeyMalformed
            await self._execute_once(scope, receive, send, key)
        except Problem as problem:
            await problem.response()(scope, receive, send)

    async def _execute_once(self, scope: Scope, receive: Receive, send: Send, key: str) -> None:
        app_state: AppState = scope["app"].state.app_state
        caller = await _caller(app_state, scope)
        if caller is None:  # the endpoint decides whether it answers 401
            await self.app(scope, receive, send)
            return
        content, receive = await _read(scope, receive)
        entry = _Entry(app_state, _digest(_scope_of(caller, scope), scope["path"], key), caller.user.id)
        stored = await entry.reserve(_digest(str(scope["query_string"]), content))
        if stored is not None:
            await _replay(stored, send)
            return
        recorder = _Recorder(send, entry)
        async with entry.renewed():
            try:
                await self.app(scope, receive, recorder.send)
            finally:
                await recorder.close()


class _Entry:
    """The row of one key: reserved before the request is executed, completed or deleted after it."""

    def __init__(self, app_state: AppState, row_id: str, owner_id: str) -> None:
        self._app_state = app_state
        self._id = row_id
        self._owner_id = owner_id
        self._lease = timedelta(seconds=app_state.settings.lease_seconds)
        # The times that this request may have written: a commit without a response may have succeeded.
        self._times: deque[datetime] = deque(maxlen=_MAX_TIMES)

    async def reserve(self, request: str) -> dict[str, Any] | None:
        """Reserve the key for a request; return the stored response if there is one.

        Raises `RequestInProgress` or `KeyReused`.
        """
        now = self._app_state.clock()
        try:
            async with self._app_state.database.writing() as session:
                kept = await session.get(StoredResponse, self._id)
                if kept is not None and not _is_expired(kept, now, self._lease):
                    return self._open(kept, request)
                if kept is not None:
                    await session.delete(kept)
                    await session.flush()
                session.add(
                    StoredResponse(
                        id=self._id,
                        request=request,
                        created_at=now,
                        owner_id=self._owner_id,
                        bytes=_ROW_BYTES,
                    )
                )
        except IntegrityError as error:
            raise RequestInProgress from error
        self._times.append(now)
        return None

    @asynccontextmanager
    async def renewed(self) -> AsyncIterator[None]:
        """Renew the reservation for the length of the block."""
        task = asyncio.create_task(self._keep_renewing(), name="idempotency key")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _keep_renewing(self) -> None:
        is_held = True
        while is_held:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            try:
                is_held = await self._renew()
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("could not renew an idempotency key", reason=type(error).__name__)

    async def _renew(self) -> bool:
        """Renew the reservation; return whether it is still this request's."""
        now = self._app_state.clock()
        self._times.append(now)
        mine = (StoredResponse.id == self._id, StoredResponse.created_at.in_(self._times))
        query = update(StoredResponse).where(*mine, StoredResponse.answer.is_(None)).values(created_at=now)
        async with self._app_state.database.writing() as session:
            found = await session.scalar(query.returning(StoredResponse.id))
        return found is not None

    async def complete(self, response: bytes | None) -> None:
        """Store the response; None releases the key. Does nothing if another request has taken it over."""
        async with self._app_state.database.writing() as session:
            kept = await session.get(StoredResponse, self._id)
            if kept is None or kept.created_at not in self._times:
                return
            if response is None:
                await session.delete(kept)
            else:
                kept.answer = self._app_state.encryptor.encrypt(response, _PURPOSE)
                kept.bytes = _ROW_BYTES + len(kept.answer)
                await _delete_oldest(session, self._owner_id)

    def _open(self, kept: StoredResponse, request: str) -> dict[str, Any]:
        if kept.request != request:
            raise KeyReused
        if kept.answer is None:
            raise RequestInProgress
        response: dict[str, Any] = orjson.loads(self._app_state.encryptor.decrypt(kept.answer, _PURPOSE))
        return response


class _Recorder:
    """Stores a response before sending it on, if it is small, successful and sets no cookie.

    Storing first means that a client that has received the response can repeat the request at once.
    """

    def __init__(self, send: Send, entry: _Entry) -> None:
        self._send = send
        self._entry = entry
        self._status = 0
        self._headers: list[tuple[str, str]] = []
        self._body = bytearray()
        self._is_complete = False
        self._is_closed = False
        self._held_back: list[Message] = []

    async def send(self, message: Message) -> None:
        """Receive one ASGI message of the response."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [(name.decode(), value.decode()) for name, value in message["headers"]]
        elif message["type"] == "http.response.body" and len(self._body) <= _MAX_BODY:
            self._body += message.get("body", b"")
            self._is_complete = not message.get("more_body", False)
        self._held_back.append(message)
        if self._is_complete:
            await self.close()
        if self._is_complete or len(self._body) > _MAX_BODY:
            await self._flush()

    async def close(self) -> None:
        """Store the response, or release the key if it is not stored.

        If the database does not respond, the client gets its response all the same: the request is done.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            await self._entry.complete(self._response())
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("could not store the response of an idempotency key", reason=type(error).__name__)

    async def _flush(self) -> None:
        messages, self._held_back = self._held_back, []
        for message in messages:
            await self._send(message)

    def _response(self) -> bytes | None:
        """Return the response to store, or None: a failed request had no effect and can be repeated."""
        names = {name.lower() for name, _ in self._headers}
        is_success = self._is_complete and 200 <= self._status < 300
        if not is_success or "set-cookie" in names or len(self._body) > _MAX_BODY:
            return None
        headers = [pair for pair in self._headers if pair[0].lower() in _STORED_HEADERS]
        body = base64.b64encode(self._body).decode()
        return orjson.dumps({"status": self._status, "headers": headers, "body": body})


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    """Delete the responses whose retention time is over."""
    await session.execute(delete(StoredResponse).where(StoredResponse.created_at < now - RETENTION))


async def _delete_oldest(session: AsyncSession, owner_id: str) -> None:
    """Delete the oldest responses of a user until the others take at most `MAX_BYTES`."""
    mine = StoredResponse.owner_id == owner_id
    excess = (await session.scalar(select(func.sum(StoredResponse.bytes)).where(mine)) or 0) - MAX_BYTES
    oldest = (
        select(StoredResponse.id, StoredResponse.bytes)
        .where(mine, StoredResponse.bytes > _ROW_BYTES)
        .order_by(StoredResponse.created_at)
        .limit(_ROWS_AT_ONCE)
    )
    while excess > 0 and (rows := (await session.execute(oldest)).all()):
        superfluous = []
        for row_id, size in rows:
            if excess > 0:
                superfluous.append(row_id)
                excess -= size
        await session.execute(delete(StoredResponse).where(StoredResponse.id.in_(superfluous)))


def scoped_key(path: str, key: str) -> str:
    """Return a digest of a key and the path that it was sent to; other paths may use the same key."""
    return _digest(path, key)


def _is_post(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["method"] == "POST")


def _is_expired(kept: StoredResponse, now: datetime, lease: timedelta) -> bool:
    # A request in progress whose reservation is not renewed has died with its process.
    return now - kept.created_at > (RETENTION if kept.answer is not None else lease)


async def _caller(app_state: AppState, scope: Scope) -> Caller | None:
    """Return the authenticated caller, or None."""
    try:
        return await authenticate_scope(app_state, scope)
    except Problem:
        return None


def _scope_of(caller: Caller, scope: Scope) -> str:
    """Return what a key belongs to: an API key, or a person."""
    token = Headers(scope=scope)["authorization"].partition(" ")[2].strip()
    return f"program {token}" if caller.is_api_key else f"person {caller.user.id}"


async def _read(scope: Scope, receive: Receive) -> tuple[str, Receive]:
    headers = Headers(scope=scope)
    if headers.get("content-type", "").startswith("multipart/"):
        return headers.get("content-length", ""), receive
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    messages: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return hashlib.sha256(body).hexdigest(), replay


async def _replay(kept: dict[str, Any], send: Send) -> None:
    headers = [(name.encode(), value.encode()) for name, value in kept["headers"]]
    headers.append((b"idempotency-replayed", b"true"))
    await send({"type": "http.response.start", "status": kept["status"], "headers": headers})
    await send({"type": "http.response.body", "body": base64.b64decode(kept["body"])})


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
