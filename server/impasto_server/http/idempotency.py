"""`Idempotency-Key`: a POST sent twice does its work once and gets the first answer again."""

import base64
import hashlib
from datetime import datetime, timedelta
from typing import Annotated, Any

import orjson
from fastapi import Header
from sqlalchemy import LargeBinary, String, delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto_server.container import AppState
from impasto_server.db.engine import Base
from impasto_server.http.errors import Conflict, Invalid, Problem
from impasto_server.identity.errors import TokenInvalid
from impasto_server.identity.tokens import read_identity
from impasto_server.security.auth import bearer_of

KEPT = timedelta(hours=24)
# For launches, which know a key by themselves too: nothing is launched twice although the process dies
# before the first answer is kept.
IdempotencyKey = Annotated[
    str | None, Header(alias="Idempotency-Key", max_length=255, description="A repeat gets the first answer")
]
ABANDONED = timedelta(minutes=5)
_PURPOSE = "idempotency"
_HEADER = "idempotency-key"
_LARGEST = 2**20
_REPLAYED_HEADERS = {"content-type", "location", "etag"}


class StoredResponse(Base):
    """The first answer to a key of one caller; sealed, because an answer may hold a secret."""

    __tablename__ = "kept_answers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    request: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(index=True)
    answer: Mapped[bytes | None] = mapped_column(LargeBinary)


class KeyInUse(Conflict):
    """The first request under this key is still being worked on."""

    code = "idempotency_in_progress"

    def __init__(self) -> None:
        super().__init__("The same request is being worked on right now.", headers={"Retry-After": "1"})


class KeyReused(Invalid):
    """The key was used for another request."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request within the last day.")


class KeyMalformed(Problem):
    """The key is empty or too long."""

    status, code, title = 400, "idempotency_key_malformed", "Bad request"

    def __init__(self) -> None:
        super().__init__("An Idempotency-Key has between 1 and 255 characters.")


class Idempotency:
    """Keeps the good answers to keyed POST requests for a day."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        key = Headers(scope=scope).get(_HEADER) if _may_be_keyed(scope) else None
        if key is None:
            await self.app(scope, receive, send)
            return
        try:
            if not 0 < len(key) <= 255:
                raise KeyMalformed
            await self._once(scope, receive, send, key)
        except Problem as problem:
            await problem.response()(scope, receive, send)

    async def _once(self, scope: Scope, receive: Receive, send: Send, key: str) -> None:
        app_state: AppState = scope["app"].state.app_state
        content, receive = await _read(scope, receive)
        ledger = _Ledger(app_state, _digest(_caller(app_state, scope), scope["path"], key))
        kept = await ledger.reserve(_digest(str(scope["query_string"]), content))
        if kept is not None:
            # A session or key that has ended gets what the endpoint says to it, not what it once did.
            again = await _may_still_ask(app_state, scope)
            await (_replay(kept, send) if again else self.app(scope, receive, send))
            return
        recorder = _Recorder(send, ledger)
        try:
            await self.app(scope, receive, recorder.send)
        finally:
            await recorder.close()


class _Ledger:
    """The row of one key: reserved before the work, filled or freed after it."""

    def __init__(self, app_state: AppState, row_id: str) -> None:
        self._app_state = app_state
        self._id = row_id

    async def reserve(self, request: str) -> dict[str, Any] | None:
        """Return the first answer, or None when this is the first request. Raises `KeyInUse`, `KeyReused`."""
        now = self._app_state.clock()
        try:
            async with self._app_state.database.writing() as session:
                kept = await session.get(StoredResponse, self._id)
                if kept is not None and not _outlived(kept, now):
                    return self._open(kept, request)
                if kept is not None:
                    await session.delete(kept)
                    await session.flush()
                session.add(StoredResponse(id=self._id, request=request, created_at=now))
        except IntegrityError as error:
            raise KeyInUse from error
        return None

    async def settle(self, answer: bytes | None) -> None:
        """Keep the answer, or free the key when there is none worth keeping."""
        async with self._app_state.database.writing() as session:
            kept = await session.get(StoredResponse, self._id)
            if kept is None:
                return
            if answer is None:
                await session.delete(kept)
            else:
                kept.answer = self._app_state.encryptor.encrypt(answer, _PURPOSE)

    def _open(self, kept: StoredResponse, request: str) -> dict[str, Any]:
        if kept.request != request:
            raise KeyReused
        if kept.answer is None:
            raise KeyInUse
        answer: dict[str, Any] = orjson.loads(self._app_state.encryptor.decrypt(kept.answer, _PURPOSE))
        return answer


class _Recorder:
    """Keeps an answer, if it is small, good and sets no cookie, and only then passes it on.

    Whoever has seen the first answer may ask again at once, and finds it kept.
    """

    def __init__(self, send: Send, ledger: _Ledger) -> None:
        self._send = send
        self._ledger = ledger
        self._status = 0
        self._headers: list[tuple[str, str]] = []
        self._body = bytearray()
        self._whole = False
        self._settled = False
        self._waiting: list[Message] = []

    async def send(self, message: Message) -> None:
        """Take one message of the answer."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [(name.decode(), value.decode()) for name, value in message["headers"]]
        elif message["type"] == "http.response.body" and len(self._body) <= _LARGEST:
            self._body += message.get("body", b"")
            self._whole = not message.get("more_body", False)
        self._waiting.append(message)
        if self._whole:
            await self.close()
        if self._whole or len(self._body) > _LARGEST:
            await self._pass_on()

    async def close(self) -> None:
        """Keep what came, or free the key when nothing worth keeping did."""
        if not self._settled:
            self._settled = True
            await self._ledger.settle(self._answer())

    async def _pass_on(self) -> None:
        messages, self._waiting = self._waiting, []
        for message in messages:
            await self._send(message)

    def _answer(self) -> bytes | None:
        """Return what is worth keeping: a refused request did nothing and may be sent again."""
        names = {name.lower() for name, _ in self._headers}
        good = self._whole and 200 <= self._status < 300
        if not good or "set-cookie" in names or len(self._body) > _LARGEST:
            return None
        headers = [pair for pair in self._headers if pair[0].lower() in _REPLAYED_HEADERS]
        body = base64.b64encode(self._body).decode()
        return orjson.dumps({"status": self._status, "headers": headers, "body": body})


async def forget_old(session: AsyncSession, now: datetime) -> None:
    """Delete the answers that were kept long enough."""
    await session.execute(delete(StoredResponse).where(StoredResponse.created_at < now - KEPT))


def mark(path: str, key: str) -> str:
    """Return what a key is known by where it was sent: another address may use the same one."""
    return _digest(path, key)


def _may_be_keyed(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["method"] == "POST")


def _outlived(kept: StoredResponse, now: datetime) -> bool:
    # A request without an answer after minutes died with its process: its key is free again.
    return now - kept.created_at > (KEPT if kept.answer is not None else ABANDONED)


def _caller(app_state: AppState, scope: Scope) -> str:
    authorization = Headers(scope=scope).get("authorization", "")
    token = authorization.removeprefix("Bearer ")
    try:
        return f"person {read_identity(app_state, token).user_id}"
    except TokenInvalid:
        client = scope.get("client") or ("unknown", 0)
        return f"program {token}" if token else f"address {client[0]}"


async def _may_still_ask(app_state: AppState, scope: Scope) -> bool:
    if "authorization" not in Headers(scope=scope):
        return True
    try:
        await bearer_of(app_state, scope)
    except Problem:
        return False
    return True


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
