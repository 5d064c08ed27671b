"""Sessions: single-use refresh tokens that are rotated, and the identity tokens issued with them."""

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.http.errors import NotFound
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.identity import repository
from impasto_server.identity.errors import AccountSuspended, SessionEnded
from impasto_server.identity.models import RefreshToken, SignInSession
from impasto_server.identity.schemas import SessionInfo, SessionPage
from impasto_server.identity.sessions import devices, tokens
from impasto_server.identity.sessions.devices import Device
from impasto_server.users.models import User


@dataclass(frozen=True)
class IssuedSession:
    """The tokens of a session for its user. The refresh token goes into a cookie."""

    identity_token: str
    expires_at: datetime
    refresh_token: str
    user: User
    is_new_device: bool = False


async def start(app_state: AppState, session: AsyncSession, user: User, device: Device) -> IssuedSession:
    """Start a session for a user, and remember the device. Raises `AccountSuspended`."""
    if user.suspended_at is not None:
        raise AccountSuspended
    now = app_state.clock()
    is_new_device = await devices.remember(session, user.id, device, now)
    family = SignInSession(
        user_id=user.id, created_at=now, last_used_at=now, device=device.name, address=device.address
    )
    session.add(family)
    await session.flush()
    target = Target("session", family.id)
    await audit.record(app_state, session, "sign_in", actor_id=user.id, target=target)
    return replace(_issue(app_state, session, user, family), is_new_device=is_new_device)


async def refresh(app_state: AppState, refresh_token: str, device: Device) -> IssuedSession:
    """Exchange a refresh token for new tokens. Raises `SessionEnded`.

    Using a token twice ends its session, because one of the two users has stolen it.
    """
    async with app_state.database.writing() as session:
        issued = await _rotate(app_state, session, refresh_token, device)
    if issued is None:
        raise SessionEnded
    return issued


async def owner(app_state: AppState, refresh_token: str) -> tuple[str, str] | None:
    """Return the user id and session id of a refresh token, or None if the session has ended."""
    async with app_state.database.reading() as session:
        stored = await repository.refresh_token(session, _digest(refresh_token))
        found = stored and await repository.active_session(session, stored.session_id)
    return (found[0].id, found[1].id) if found else None


async def list_active(
    session: AsyncSession, user: User, current_id: str | None, paging: PageQuery
) -> SessionPage:
    """List the active sessions of a user, newest first."""
    rows, cursor = await fetch_page(session, repository.active_sessions(user.id), paging, SignInSession.id)
    return SessionPage(items=[_describe(row, current_id) for row in rows], next_cursor=cursor)


async def end_one(app_state: AppState, session: AsyncSession, user: User, session_id: str) -> None:
    """End a session of a user. Raises `NotFound`."""
    active = await repository.active_session(session, session_id)
    if active is None or active[0].id != user.id:
        raise NotFound("session", session_id)
    await repository.end_session(session, session_id, app_state.clock())
    target = Target("session", session_id)
    await audit.record(app_state, session, "session.revoke", actor_id=user.id, target=target)


async def end_others(app_state: AppState, session: AsyncSession, user: User, current_id: str | None) -> None:
    """End all sessions of a user but the current one."""
    await repository.end_sessions(session, user.id, app_state.clock(), keep=current_id)
    target = Target("user", user.id)
    await audit.record(app_state, session, "session.revoke", actor_id=user.id, target=target)


def _describe(row: SignInSession, current_id: str | None) -> SessionInfo:
    return SessionInfo(
        id=row.id,
        device=row.device,
        address=row.address,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        is_current=row.id == current_id,
    )


async def _rotate(
    app_state: AppState, session: AsyncSession, refresh_token: str, device: Device
) -> IssuedSession | None:
    now = app_state.clock()
    stored = await repository.refresh_token(session, _digest(refresh_token))
    if stored is None:
        return None
    active = await repository.active_session(session, stored.session_id)
    if stored.used_at is not None:
        await repository.end_session(session, stored.session_id, now)
        if active is not None:
            # Its owner or a thief sent the request: the actor is unknown.
            target, details = Target("user", active[0].id), {"session": stored.session_id}
            await audit.record(
                app_state, session, "session.reuse", target=target, outcome="denied", details=details
            )
        return None
    if active is None or stored.expires_at <= now:
        return None
    user, family = active
    stored.used_at = family.last_used_at = now
    family.device, family.address = device.name, device.address
    return _issue(app_state, session, user, family)


def _issue(app_state: AppState, session: AsyncSession, user: User, family: SignInSession) -> IssuedSession:
    token = secrets.token_urlsafe(32)
    lifetime = timedelta(days=app_state.settings.refresh_token_days)
    session.add(
        RefreshToken(hash=_digest(token), session_id=family.id, expires_at=app_state.clock() + lifetime)
    )
    identity_token, expires_at = tokens.issue(app_state, user, family.id)
    return IssuedSession(identity_token, expires_at, token, user)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
