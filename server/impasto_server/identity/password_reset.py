"""New passwords: forgotten, temporary, or simply changed."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated
from impasto_server.identity import codes, emails, repository, sessions, tokens
from impasto_server.identity.errors import ChallengeFailed, PasswordNotChanged, ResetCodeInvalid
from impasto_server.identity.models import Password
from impasto_server.identity.sign_up import may_send
from impasto_server.users import service as users
from impasto_server.users.models import User

CHALLENGE = "new_password"


async def forgot(app_state: AppState, username: str) -> None:
    """Send a code for a new password. Unknown accounts, and those without a password: nothing."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        if user is None or user.email is None or not await repository.password_of(session, user.id):
            return
        if not await may_send(app_state, user.email):
            return
        code = await codes.make(app_state, session, user.id, codes.RESET)
        minutes = max(1, app_state.settings.code_seconds // 60)
        letter = emails.password_reset(user.email, user.username, code, minutes)
    await app_state.mailer.send(letter)


async def confirm_forgot(app_state: AppState, username: str, code: str, new_password: str) -> None:
    """Set a new password by a mailed code and end every session. Raises `ResetCodeInvalid`."""
    hashed = await app_state.password_hasher.hash(new_password)
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        if user and await codes.spend(app_state, session, user.id, codes.RESET, code):
            # The code proves the address as the one of a sign-up does.
            user.confirmed_at = user.confirmed_at or app_state.clock()
            await set_password(app_state, session, user.id, hashed)
            return
    raise ResetCodeInvalid


async def change(app_state: AppState, user: User, session_id: str | None, old: str, new: str) -> None:
    """Change a password and end the other sessions. Raises `PasswordNotChanged`."""
    async with app_state.database.reading() as session:
        kept = await repository.password_of(session, user.id)
    if not await app_state.password_hasher.matches(old, kept.hash if kept else None):
        raise PasswordNotChanged
    hashed = await app_state.password_hasher.hash(new)
    async with app_state.database.writing() as session:
        await set_password(app_state, session, user.id, hashed, keep=session_id)


def issue_challenge(app_state: AppState, user: User, password: Password) -> str:
    """Return a token with which the owner of a temporary password sets a definitive one, once."""
    expires_at = app_state.clock() + timedelta(seconds=app_state.settings.code_seconds)
    claims = {"sub": user.id, "changed": password.changed_at.isoformat()}
    return tokens.sign(app_state, claims, CHALLENGE, expires_at)


async def verify_challenge(app_state: AppState, token: str, new_password: str) -> sessions.IssuedSession:
    """Set the definitive password and sign in. Raises `ChallengeFailed`."""
    try:
        claims = tokens.read(app_state, token, CHALLENGE)
    except NotAuthenticated as error:
        raise ChallengeFailed from error
    hashed = await app_state.password_hasher.hash(new_password)
    async with app_state.database.writing() as session:
        user = await users.find(session, str(claims["sub"]))
        kept = user and await repository.password_of(session, user.id)
        if not user or not kept or kept.changed_at.isoformat() != claims["changed"]:
            raise ChallengeFailed
        user.confirmed_at = user.confirmed_at or app_state.clock()
        await set_password(app_state, session, user.id, hashed)
        return await sessions.start(app_state, session, user)


async def set_password(
    app_state: AppState,
    session: AsyncSession,
    user_id: str,
    hashed: str,
    *,
    temporary: bool = False,
    keep: str | None = None,
) -> None:
    """Keep a new password hash and end the person's sessions, but for one to keep."""
    now = app_state.clock()
    await session.merge(Password(user_id=user_id, hash=hashed, temporary=temporary, changed_at=now))
    await repository.end_sessions(session, user_id, now, keep=keep)
