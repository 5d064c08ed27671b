"""Password reset, replacement of temporary passwords, and password change."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.api_keys import service as api_keys
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Action, Detail, Target
from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated
from impasto_server.identity import codes, emails, repository
from impasto_server.identity.errors import (
    ChallengeFailed,
    PasswordNotChanged,
    ResetCodeInvalid,
    WrongPassword,
)
from impasto_server.identity.models import Password
from impasto_server.identity.schemas import ChangePassword, ConfirmForgotPassword
from impasto_server.identity.second_factors import service as second_factors
from impasto_server.identity.sessions import devices, tokens
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.users import service as users
from impasto_server.users.models import User

CHALLENGE = "new_password"
REQUEST: Action = "password.reset_request"


async def request_reset(
    app_state: AppState, username: str, device: Device, admin_id: str | None = None
) -> None:
    """Send a reset code by e-mail. Does nothing for unknown accounts and accounts without a password.

    `admin_id` is the admin who requests it for the user, or None for an anonymous client.
    """
    message = None
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        if user is None or user.email is None or not await repository.password_of(session, user.id):
            return
        target = Target("user", user.id)
        if await codes.may_send(app_state, session, user, device):
            issued = await codes.create(app_state, session, user, codes.RESET, device)
            message = emails.password_reset(app_state.settings, user, issued)
            await audit.record(app_state, session, REQUEST, actor_id=admin_id, target=target)
    if message is None:
        await audit.record_refusal(app_state, REQUEST, "denied", actor_id=admin_id, target=target)
    else:
        await app_state.mailer.send(message)


async def confirm_reset(app_state: AppState, body: ConfirmForgotPassword, device: Device) -> User:
    """Set a new password with a reset code, end all sessions and revoke all API keys; return the user.

    Raises `ResetCodeInvalid`.

    The device becomes the only known one, so that failed sign-ins on others do not delay it.
    """
    hashed = await app_state.password_hasher.hash(body.new_password)
    await _require_second_factor(app_state, body, device)
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, body.username)
        stored = user and await codes.check(
            app_state, session, user, codes.RESET, body.confirmation_code, device, body.token
        )
        if user and stored:
            await codes.delete(session, stored)
            # The code proves that the user reads this address, like the code of a sign-up.
            user.confirmed_at = user.confirmed_at or app_state.clock()
            await set_password(app_state, session, user.id, hashed)
            revoked = await api_keys.revoke_all(session, user.id)
            await repository.delete_known_devices(session, user.id)
            await devices.remember(session, user.id, device, app_state.clock())
            target = Target("user", user.id)
            details: dict[str, Detail] = {"revoked_keys": revoked}
            await audit.record(
                app_state, session, "password.reset", actor_id=user.id, target=target, details=details
            )
            return user
    await _record_wrong_code(app_state, user)
    raise ResetCodeInvalid


async def _record_wrong_code(app_state: AppState, user: User | None) -> None:
    target = Target("user", user.id) if user else None
    await audit.record_refusal(app_state, "password.reset", "failure", target=target)


async def _require_second_factor(app_state: AppState, body: ConfirmForgotPassword, device: Device) -> None:
    """Check the second factor of a reset with a correct code; a wrong code is left to the caller."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, body.username)
        factors = await second_factors.kinds(session, user.id) if user else []
        if user is None or not factors:
            return
        code = await codes.check(
            app_state, session, user, codes.RESET, body.confirmation_code, device, body.token
        )
    if code is None:
        await _record_wrong_code(app_state, user)
        raise ResetCodeInvalid
    await second_factors.require(app_state, user, factors, body.second_factor, device)


async def change(
    app_state: AppState, user: User, session_id: str | None, body: ChangePassword, device: Device
) -> None:
    """Change the password, end all sessions but `session_id`, and revoke the API keys if the user wants it.

    Raises `PasswordNotChanged`, or `RateLimited` after too many wrong ones.
    """
    async with app_state.database.reading() as session:
        has_password = await repository.password_of(session, user.id) is not None
    try:
        if not has_password:
            raise WrongPassword
        await second_factors.confirm_password(app_state, user, body.old_password, device)
    except WrongPassword as error:
        target = Target("user", user.id)
        await audit.record_refusal(app_state, "password.change", "failure", actor_id=user.id, target=target)
        raise PasswordNotChanged from error
    hashed = await app_state.password_hasher.hash(body.new_password)
    async with app_state.database.writing() as session:
        await set_password(app_state, session, user.id, hashed, keep=session_id)
        revoked = await api_keys.revoke_all(session, user.id) if body.revoke_api_keys else 0
        await _record_change(app_state, session, user, {"revoked_keys": revoked})


async def _record_change(
    app_state: AppState, session: AsyncSession, user: User, details: dict[str, Detail]
) -> None:
    target = Target("user", user.id)
    await audit.record(
        app_state, session, "password.change", actor_id=user.id, target=target, details=details
    )


def issue_challenge(app_state: AppState, user: User, password: Password) -> str:
    """Return a single-use token that replaces a temporary password."""
    expires_at = app_state.clock() + timedelta(seconds=app_state.settings.code_seconds)
    claims = {"sub": user.id, "changed": password.changed_at.isoformat()}
    return tokens.sign(app_state, claims, CHALLENGE, expires_at)


async def verify_challenge(
    app_state: AppState, token: str, new_password: str, device: Device
) -> sessions.IssuedSession:
    """Verify a challenge token, set the new password and sign in. Raises `ChallengeFailed`."""
    try:
        claims = tokens.read(app_state, token, CHALLENGE)
    except NotAuthenticated as error:
        raise ChallengeFailed from error
    hashed = await app_state.password_hasher.hash(new_password)
    async with app_state.database.writing() as session:
        user = await users.find(session, str(claims["sub"]))
        stored = user and await repository.password_of(session, user.id)
        if not user or not stored or stored.changed_at.isoformat() != claims["changed"]:
            raise ChallengeFailed
        user.confirmed_at = user.confirmed_at or app_state.clock()
        await set_password(app_state, session, user.id, hashed)
        await _record_change(app_state, session, user, {"was_temporary": True})
        return await sessions.start(app_state, session, user, device)


async def set_password(
    app_state: AppState,
    session: AsyncSession,
    user_id: str,
    hashed: str,
    *,
    temporary: bool = False,
    keep: str | None = None,
) -> None:
    """Store a password hash, end all sessions of the user but `keep`, and cancel a change of the address."""
    now = app_state.clock()
    await session.merge(Password(user_id=user_id, hash=hashed, temporary=temporary, changed_at=now))
    await codes.delete_changes(session, user_id)
    await repository.end_sessions(session, user_id, now, keep=keep)
