"""The identity feature for the rest of the server: authentication, sign-in and sign-out."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.api_keys import service as api_keys
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Detail, Outcome, Target
from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated
from impasto_server.identity import notices, password_reset, repository, throttling
from impasto_server.identity.errors import (
    AccountSuspended,
    InvalidCredentials,
    NotConfirmed,
    PasskeyInvalid,
    SignInExpired,
    TokenInvalid,
)
from impasto_server.identity.models import Password
from impasto_server.identity.oidc import service as oidc
from impasto_server.identity.schemas import SignInAnswer
from impasto_server.identity.second_factors import passkeys, totp
from impasto_server.identity.second_factors import repository as factor_repository
from impasto_server.identity.second_factors import service as second_factors
from impasto_server.identity.second_factors.schemas import PasskeyAnswer, SecondFactorProof
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions import tokens
from impasto_server.identity.sessions.devices import Device
from impasto_server.users import service as users
from impasto_server.users.models import User

confirm_password = second_factors.confirm_password
remove_second_factors = second_factors.remove_all
reencrypt_all = totp.reencrypt_all
is_active = repository.is_active
count_sessions = repository.count_sessions
request_reset = password_reset.request_reset


async def delete_expired(session: AsyncSession, now: datetime) -> int:
    """Delete what has expired: codes, tokens, sessions, devices and challenges; return how many rows."""
    await factor_repository.delete_expired_challenges(session, now)
    return await repository.delete_expired(session, now)


async def authenticate(app_state: AppState, token: str) -> tuple[User, str | None]:
    """Return the user and the session id of an identity token. Raises `NotAuthenticated`.

    The session id is None for a token of the OpenID Connect provider. Raises `AccountSuspended` for a token
    that was valid until its user was suspended.
    """
    if app_state.oidc_client.issuer and tokens.issuer_of(token) == app_state.oidc_client.issuer:
        return await oidc.authenticate(app_state, token), None
    claims = tokens.read_identity(app_state, token)
    user = await repository.authenticated(app_state.database, claims.session_id)
    if user is None and await _is_suspended(app_state, claims.user_id):
        raise AccountSuspended
    if user is None or user.id != claims.user_id:
        raise TokenInvalid
    return user, claims.session_id


async def _is_suspended(app_state: AppState, user_id: str) -> bool:
    async with app_state.database.reading() as session:
        user = await users.find(session, user_id)
    return user is not None and user.suspended_at is not None


async def sign_in(
    app_state: AppState, username: str, password: str, device: Device
) -> sessions.IssuedSession | SignInAnswer:
    """Start a session, or return the challenge to complete.

    Raises `InvalidCredentials`, `AccountSuspended`, `NotConfirmed`, or `RateLimited` after too many failures.
    """
    user, stored = await _check_password(app_state, username, password, device)
    if user.suspended_at is not None:
        await _record_refusal(app_state, user, "denied")
        raise AccountSuspended
    if user.confirmed_at is None and not stored.temporary:
        raise NotConfirmed
    async with app_state.database.reading() as session:
        factors = await second_factors.kinds(session, user.id)
    if factors:
        token = second_factors.issue_challenge(app_state, user, device)
        return SignInAnswer(challenge="second_factor_required", challenge_token=token, factors=factors)
    return await _complete_sign_in(app_state, user, stored, device)


async def sign_in_with_second_factor(
    app_state: AppState, challenge_token: str, proof: SecondFactorProof, device: Device
) -> tuple[sessions.IssuedSession | SignInAnswer, User, bool]:
    """Complete a sign-in after the password. Returns its outcome, the user, and if a recovery code was used.

    Raises `SignInExpired`, also if the password changed since, `SecondFactorInvalid` or `RateLimited`.
    """
    async with app_state.database.reading() as session:
        user, issued_at = await second_factors.user_of_challenge(app_state, session, challenge_token, device)
        stored = await repository.password_of(session, user.id)
    if stored is None or stored.changed_at.timestamp() > issued_at + 1:
        raise SignInExpired
    was_recovery = await second_factors.verify(app_state, user, proof, device)
    return await _complete_sign_in(app_state, user, stored, device), user, was_recovery


async def sign_in_with_passkey(
    app_state: AppState, answer: PasskeyAnswer, device: Device
) -> sessions.IssuedSession:
    """Start a session for the owner of a passkey.

    Raises `PasskeyInvalid`, `NotConfirmed` or `AccountSuspended`.
    """
    user: User | None = None
    try:
        challenge = await passkeys.take_challenge(
            app_state, answer.challenge_id, passkeys.SIGN_IN, device.digest
        )
        async with app_state.database.writing() as session:
            passkey = await passkeys.verify(app_state, session, answer, challenge)
            user = await users.find(session, passkey.user_id)
            if user is None or user.confirmed_at is None:
                raise NotConfirmed
            return await sessions.start(app_state, session, user, device)
    except PasskeyInvalid:
        await _record_refusal(app_state, None, "failure")
        raise
    except AccountSuspended:
        await _record_refusal(app_state, user, "denied")
        raise


async def _complete_sign_in(
    app_state: AppState, user: User, stored: Password, device: Device
) -> sessions.IssuedSession | SignInAnswer:
    if stored.temporary:
        token = password_reset.issue_challenge(app_state, user, stored)
        return SignInAnswer(challenge="new_password_required", challenge_token=token)
    async with app_state.database.writing() as session:
        return await sessions.start(app_state, session, user, device)


async def has_password_in(session: AsyncSession, user_id: str) -> bool:
    """Return whether a user has a password here, unlike users of the OpenID Connect provider."""
    return await repository.password_of(session, user_id) is not None


async def end_access(app_state: AppState, session: AsyncSession, user_id: str) -> None:
    """End all sessions of a user and delete the codes that were sent to them."""
    await repository.end_sessions(session, user_id, app_state.clock())
    await repository.delete_all_codes(session, user_id)


async def set_password(app_state: AppState, user_id: str, password: str, *, temporary: bool) -> None:
    """Set a user's password for the operator, end the user's sessions and revoke their API keys.

    The user gets a notice by e-mail.
    """
    hashed = await app_state.password_hasher.hash(password)
    async with app_state.database.writing() as session:
        await password_reset.set_password(app_state, session, user_id, hashed, temporary=temporary)
        revoked = await api_keys.revoke_all(session, user_id)
        details: dict[str, Detail] = {"temporary": temporary, "revoked_keys": revoked}
        target = Target("user", user_id)
        await audit.record(app_state, session, "password.reset", target=target, details=details)
        user = await users.find(session, user_id)
    message = user and await notices.compose(app_state, user, notices.PASSWORD_RESET_BY_OPERATOR)
    if message:
        await app_state.mailer.send(message)


async def sign_out(app_state: AppState, user_id: str, session_id: str | None, *, everywhere: bool) -> None:
    """End one session of a user, or all of them."""
    async with app_state.database.writing() as session:
        if everywhere:
            await repository.end_sessions(session, user_id, app_state.clock())
            target = Target("user", user_id)
        elif session_id:
            await repository.end_session(session, session_id, app_state.clock())
            target = Target("session", session_id)
        else:
            return
        await audit.record(app_state, session, "sign_out", actor_id=user_id, target=target)


async def session_to_end(
    app_state: AppState, refresh_token: str | None, bearer: str | None
) -> tuple[str, str | None] | None:
    """Return the user id and session id of a refresh token, else of an identity token, else None."""
    owner = await sessions.owner(app_state, refresh_token) if refresh_token else None
    if owner is not None or bearer is None:
        return owner
    try:
        user, session_id = await authenticate(app_state, bearer)
    except NotAuthenticated:
        return None
    return user.id, session_id


async def _check_password(
    app_state: AppState, username: str, password: str, device: Device
) -> tuple[User, Password]:
    async with app_state.database.reading() as session:
        user = await users.find_by_login(session, username)
        # An unknown account takes the same queries and hashing, so that the time does not reveal it.
        stored = await repository.password_of(session, user.id if user else "")
        counters = await throttling.counters(app_state, session, username, user.id if user else None, device)
    await throttling.count_attempt(app_state, counters)
    if not await app_state.password_hasher.matches(password, stored.hash if stored else None):
        await _record_refusal(app_state, user, "failure")
        raise InvalidCredentials
    assert user is not None
    assert stored is not None
    await throttling.on_success(app_state, counters)
    return user, stored


async def _record_refusal(app_state: AppState, user: User | None, outcome: Outcome) -> None:
    """Record a sign-in that was refused.

    A name that no account has is not recorded, because it is sometimes a password.
    """
    target = Target("user", user.id) if user else None
    await audit.record_refusal(app_state, "sign_in", outcome, target=target)
