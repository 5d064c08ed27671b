"""API keys: stored as a hash, limited by scopes."""

import hashlib
import re
import secrets
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.api_keys import repository
from impasto_server.api_keys.models import ApiKeyRow
from impasto_server.api_keys.schemas import ApiKey, ApiKeyCreate, ApiKeyCreated, ApiKeyPage
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.http.errors import Conflict, Forbidden, NotAuthenticated, NotFound
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.users.models import User

count = repository.count
revoke_all = repository.remove_all
PREFIX = "imp_"
MAX_KEYS = 100
_MAX_CREATED = "100/hour"  # each one is in the audit log
_LAST_USED_PRECISION = timedelta(minutes=1)
_READABLE = re.compile(r"/api/v1/(flows|runs|assets|collections|nodes|batches)(/.*)?")
_RUNNABLE = re.compile(r"/api/v1/(flows/[^/]+/(runs|batch)|runs/[^/]+/(cancel|resume)|assets/)")


class ApiKeyNotFound(NotFound):
    """The key does not exist or belongs to another user."""

    def __init__(self, key_id: str) -> None:
        super().__init__("API key", key_id)


class ApiKeyExpired(NotAuthenticated):
    """The key has expired."""

    code = "key_expired"

    def __init__(self, row: ApiKeyRow) -> None:
        super().__init__(
            f"This API key expired on {row.expires_at:%d %B %Y}. Create a new one under Account."
        )


class TooManyKeys(Conflict):
    """The user has as many API keys as are allowed."""

    code = "too_many_keys"

    def __init__(self) -> None:
        super().__init__(f"You have {MAX_KEYS} API keys. Revoke one that you no longer need.")


class ScopeMissing(Forbidden):
    """The scopes of the key do not cover the request."""

    code = "scope_missing"

    def __init__(self) -> None:
        super().__init__("The scopes of this API key do not allow this request.")


async def create(session: AsyncSession, app_state: AppState, user: User, body: ApiKeyCreate) -> ApiKeyCreated:
    """Create a key and return it. It cannot be read later. Raises `TooManyKeys` or `RateLimited`."""
    await app_state.rate_limiter.hit(_MAX_CREATED, "api keys", user.id)
    await app_state.limits.lock(session, user.id)
    if await repository.count(session, user.id) >= MAX_KEYS:
        raise TooManyKeys
    key = PREFIX + secrets.token_urlsafe(32)
    now = app_state.clock()
    row = ApiKeyRow(
        owner_id=user.id,
        name=body.name.strip(),
        scopes=sorted(set(body.scopes)),
        digest=_digest(key),
        last_four=key[-4:],
        created_at=now,
        expires_at=now + timedelta(days=body.expires_in_days) if body.expires_in_days else None,
    )
    session.add(row)
    await session.flush()
    target = Target("api_key", row.id)
    await audit.record(app_state, session, "api_key.create", actor_id=user.id, target=target)
    return ApiKeyCreated(**_without_secret(row).model_dump(), key=key)


async def list_all(session: AsyncSession, user: User, paging: PageQuery) -> ApiKeyPage:
    """List the user's keys, newest first."""
    rows, cursor = await fetch_page(session, repository.all_of(user.id), paging, ApiKeyRow.id)
    return ApiKeyPage(items=[_without_secret(row) for row in rows], next_cursor=cursor)


async def delete(session: AsyncSession, app_state: AppState, user: User, key_id: str) -> str:
    """Revoke a key immediately and return its name. Raises `ApiKeyNotFound`."""
    name = await repository.remove(session, user.id, key_id)
    if name is None:
        raise ApiKeyNotFound(key_id)
    target = Target("api_key", key_id)
    await audit.record(app_state, session, "api_key.revoke", actor_id=user.id, target=target)
    return name


async def is_active(app_state: AppState, session: AsyncSession, key_id: str) -> bool:
    """Return whether a key exists and has not expired."""
    row = await repository.find(session, key_id)
    return row is not None and not _has_expired(app_state, row)


async def authenticate(app_state: AppState, token: str, method: str, path: str) -> ApiKeyRow | None:
    """Return a key by its secret, or None if there is none. Raises `ApiKeyExpired` or `ScopeMissing`."""
    now = app_state.clock()
    async with app_state.database.reading() as session:
        row = await repository.by_digest(session, _digest(token))
    if row is None:
        return None
    refusal = _refusal(app_state, row, method, path)
    if refusal is not None:
        target = Target("api_key", row.id)
        await audit.record_refusal(
            app_state, "api_key.use", "denied", actor_id=row.owner_id, api_key_id=row.id, target=target
        )
        raise refusal
    last = row.last_used_at
    if last is None or now - last > _LAST_USED_PRECISION or last.date() != now.date():
        async with app_state.database.writing() as session:
            if await repository.mark_used(session, row.id, now):
                await _record_use(app_state, session, row)
    return row


def _refusal(
    app_state: AppState, row: ApiKeyRow, method: str, path: str
) -> ApiKeyExpired | ScopeMissing | None:
    if _has_expired(app_state, row):
        return ApiKeyExpired(row)
    return None if _is_allowed(frozenset(row.scopes), method, path) else ScopeMissing()


async def _record_use(app_state: AppState, session: AsyncSession, row: ApiKeyRow) -> None:
    await audit.record(
        app_state,
        session,
        "api_key.use",
        actor_id=row.owner_id,
        api_key_id=row.id,
        target=Target("api_key", row.id),
    )


def _has_expired(app_state: AppState, row: ApiKeyRow) -> bool:
    return row.expires_at is not None and row.expires_at <= app_state.clock()


def _is_allowed(scopes: frozenset[str], method: str, path: str) -> bool:
    if method in ("GET", "HEAD"):
        return bool(scopes & {"read", "run"}) and _READABLE.fullmatch(path) is not None
    return "run" in scopes and method == "POST" and _RUNNABLE.fullmatch(path) is not None


def _digest(key: str) -> str:
    # The key has 256 random bits: an unsalted hash cannot be reversed by guessing.
    return hashlib.sha256(key.encode()).hexdigest()


def _without_secret(row: ApiKeyRow) -> ApiKey:
    return ApiKey.model_validate({name: getattr(row, name) for name in ApiKey.model_fields})
