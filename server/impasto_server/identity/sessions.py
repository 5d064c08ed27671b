"""Sessions: a family of refresh tokens, each used once, and the identity tokens made from them."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.identity import repository, tokens
from impasto_server.identity.errors import SessionEnded
from impasto_server.identity.models import RefreshToken, SignInSession
from impasto_server.users.models import User


@dataclass(frozen=True)
class IssuedSession:
    """A session as its owner receives it: what may be read, and what goes into the cookie."""

    identity_token: str
    expires_at: datetime
    refresh_token: str


async def start(app_state: AppState, session: AsyncSession, user: User) -> IssuedSession:
    """Begin a session for a person."""
    now = app_state.clock()
    family = SignInSession(user_id=user.id, created_at=now, last_used_at=now)
    session.add(family)
    await session.flush()
    return _issue(app_state, session, user, family)


async def refresh(app_state: AppState, refresh_token: str) -> IssuedSession:
    """Trade a refresh token for the next one. Raises `SessionEnded`; a second use ends the family."""
    async with app_state.database.writing() as session:
        opened = await _rotate(app_state, session, refresh_token)
    if opened is None:
        raise SessionEnded
    return opened


async def owner(app_state: AppState, refresh_token: str) -> tuple[str, str] | None:
    """Return the person and the session a refresh token belongs to, if it lives."""
    async with app_state.database.reading() as session:
        kept = await repository.refresh_token(session, _digest(refresh_token))
        found = kept and await repository.live_session(session, kept.session_id)
    return (found[0].id, found[1].id) if found else None


async def _rotate(app_state: AppState, session: AsyncSession, refresh_token: str) -> IssuedSession | None:
    now = app_state.clock()
    kept = await repository.refresh_token(session, _digest(refresh_token))
    if kept is None:
        return None
    if kept.used_at is not None:
        await repository.end_session(session, kept.session_id, now)
        return None
    living = await repository.live_session(session, kept.session_id)
    if living is None or kept.expires_at <= now:
        return None
    user, family = living
    kept.used_at = family.last_used_at = now
    return _issue(app_state, session, user, family)


def _issue(app_state: AppState, session: AsyncSession, user: User, family: SignInSession) -> IssuedSession:
    token = secrets.token_urlsafe(32)
    life = timedelta(days=app_state.settings.refresh_token_days)
    session.add(RefreshToken(hash=_digest(token), session_id=family.id, expires_at=app_state.clock() + life))
    identity_token, expires_at = tokens.issue(app_state, user, family.id)
    return IssuedSession(identity_token, expires_at, token)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
