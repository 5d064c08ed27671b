"""Second factors: an authenticator app, passkeys, and recovery codes that replace a lost one.

A user with an app or a passkey is asked for a second factor after the password, at sign-in and at a password
reset. A sign-in with a passkey counts as both. A sign-in through an OpenID Connect provider asks for none:
the provider decides.
"""

import base64
import hashlib
import secrets
from contextlib import suppress
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated, NotFound
from impasto_server.identity import repository, throttling
from impasto_server.identity.errors import (
    PasskeyInvalid,
    SecondFactorInvalid,
    SecondFactorRequired,
    SignInExpired,
    WrongPassword,
)
from impasto_server.identity.second_factors import passkeys, totp
from impasto_server.identity.second_factors import repository as factor_repository
from impasto_server.identity.second_factors.models import Passkey
from impasto_server.identity.second_factors.schemas import (
    Factor,
    NewPasskey,
    PasskeyAnswer,
    PasskeyCreated,
    PasskeyInfo,
    SecondFactorProof,
    SecondFactors,
)
from impasto_server.identity.sessions import tokens
from impasto_server.identity.sessions.devices import Device
from impasto_server.users import service as users
from impasto_server.users.models import User

CHALLENGE = "second_factor"
RECOVERY_CODES = 10
_CODE_BYTES = 10
_FREE_TRIES, _MAX_DELAY = 5, 3600
_LIFETIME = timedelta(minutes=10)


async def kinds(session: AsyncSession, user_id: str) -> list[Factor]:
    """Return the second factors that a user may show; empty if the password is enough."""
    found: list[Factor] = []
    if await totp.is_confirmed(session, user_id):
        found.append("totp")
    if await factor_repository.passkeys_of(session, user_id):
        found.append("passkey")
    if found and await factor_repository.recovery_codes_left(session, user_id):
        found.append("recovery_code")
    return found


async def describe(app_state: AppState, session: AsyncSession, user: User) -> SecondFactors:
    """Return the second factors of a user, for the account page."""
    app = await factor_repository.totp_of(session, user.id)
    return SecondFactors(
        totp_since=app.confirmed_at if app else None,
        recovery_codes_left=await factor_repository.recovery_codes_left(session, user.id),
        passkeys=[_info(passkey) for passkey in await factor_repository.passkeys_of(session, user.id)],
        passkeys_available=passkeys.are_available(app_state.settings),
        has_password=await repository.password_of(session, user.id) is not None,
    )


def issue_challenge(app_state: AppState, user: User, device: Device) -> str:
    """Return the token with which this device shows a second factor. Issue it after the first factor only."""
    claims = {"sub": user.id, "device": device.digest}
    return tokens.sign(app_state, claims, CHALLENGE, app_state.clock() + _LIFETIME)


async def user_of_challenge(
    app_state: AppState, session: AsyncSession, token: str, device: Device
) -> tuple[User, int]:
    """Return the user of a challenge and when it was issued. Raises `SignInExpired`."""
    try:
        claims = tokens.read(app_state, token, CHALLENGE)
    except NotAuthenticated as error:
        raise SignInExpired from error
    user = await users.find(session, str(claims["sub"]))
    if user is None or claims.get("device") != device.digest:
        raise SignInExpired
    return user, int(claims["iat"])


async def require(
    app_state: AppState, user: User, factors: list[Factor], proof: SecondFactorProof | None, device: Device
) -> None:
    """Check the second factor of an action. Raises `SecondFactorRequired` or `SecondFactorInvalid`."""
    if not factors:
        return
    if proof is None:
        raise SecondFactorRequired(list(factors), issue_challenge(app_state, user, device))
    await verify(app_state, user, proof, device)


async def verify(app_state: AppState, user: User, proof: SecondFactorProof, device: Device) -> bool:
    """Check a second factor; return whether it was a recovery code.

    Raises `SecondFactorInvalid`, or `RateLimited` after too many wrong ones. Failures are counted like those
    of passwords: a stranger who knows the password does not delay a known device.
    """
    async with app_state.database.reading() as session:
        keys = await throttling.counters(app_state, session, user.username, user.id, device)
    own = tuple(("second factor", *key) for key in keys if key[0] != "address")
    for key in own:
        await app_state.rate_limiter.attempt(_FREE_TRIES, _MAX_DELAY, *key)
    is_valid = False
    shown: tuple[PasskeyAnswer, bytes] | None = None
    if proof.passkey is not None:
        binding = f"{user.id} {device.digest}"
        with suppress(PasskeyInvalid):
            challenge = await passkeys.take_challenge(
                app_state, proof.passkey.challenge_id, passkeys.SECOND_FACTOR, binding
            )
            shown = proof.passkey, challenge
    async with app_state.database.writing() as session:
        if proof.code is not None:
            app = await totp.check(app_state, session, user, proof.code)
            is_valid = app is not None and app.confirmed_at is not None
        elif proof.recovery_code is not None:
            digest = _digest(proof.recovery_code)
            is_valid = await factor_repository.take_recovery_code(session, user.id, digest)
        elif shown is not None:
            with suppress(PasskeyInvalid):
                passkey = await passkeys.verify(app_state, session, *shown)
                is_valid = passkey.user_id == user.id
        if not is_valid:
            target = Target("user", user.id)
            await audit.record(app_state, session, "sign_in", target=target, outcome="failure")
    if not is_valid:
        raise SecondFactorInvalid
    for key in own:
        await app_state.rate_limiter.forget_attempts(*key)
    return proof.recovery_code is not None


async def confirm_password(app_state: AppState, user: User, password: str, device: Device) -> None:
    """Check the password that confirms a change; users without one need none. Raises `WrongPassword`."""
    async with app_state.database.reading() as session:
        stored = await repository.password_of(session, user.id)
        counters = await throttling.counters(app_state, session, user.username, user.id, device)
    if stored is None:
        return
    await throttling.count_attempt(app_state, counters)
    if not await app_state.password_hasher.matches(password, stored.hash):
        raise WrongPassword
    await throttling.on_success(app_state, counters)


async def confirm_totp(app_state: AppState, session: AsyncSession, user: User, code: str) -> list[str] | None:
    """Ask for codes of the new app from now on; return new recovery codes if there are none.

    Raises `SecondFactorInvalid`.
    """
    app = await totp.check(app_state, session, user, code)
    if app is None or app.confirmed_at is not None:
        raise SecondFactorInvalid
    app.confirmed_at = app_state.clock()
    target = Target("user", user.id)
    await audit.record(app_state, session, "totp.enable", actor_id=user.id, target=target)
    return await _first_recovery_codes(app_state, session, user)


async def remove_totp(app_state: AppState, session: AsyncSession, user: User) -> None:
    """Remove the app of a user. Raises `NotFound`."""
    app = await factor_repository.totp_of(session, user.id)
    if app is None:
        raise NotFound("authenticator app")
    await session.delete(app)
    target = Target("user", user.id)
    await audit.record(app_state, session, "totp.disable", actor_id=user.id, target=target)
    await _after_removal(session, user)


async def add_passkey(
    app_state: AppState, session: AsyncSession, user: User, body: NewPasskey, challenge: bytes
) -> PasskeyCreated:
    """Store a new passkey; the answer has recovery codes if there are none. Raises `PasskeyInvalid`."""
    passkey = await passkeys.register(app_state, session, user, body, challenge)
    target = Target("passkey", passkey.id)
    await audit.record(app_state, session, "passkey.add", actor_id=user.id, target=target)
    fresh = await _first_recovery_codes(app_state, session, user)
    return PasskeyCreated(**_info(passkey).model_dump(), recovery_codes=fresh)


async def rename_passkey(session: AsyncSession, user: User, passkey_id: str, name: str) -> PasskeyInfo:
    """Rename a passkey. Raises `NotFound`."""
    passkey = await _own_passkey(session, user, passkey_id)
    passkey.name = name.strip()
    return _info(passkey)


async def remove_passkey(app_state: AppState, session: AsyncSession, user: User, passkey_id: str) -> str:
    """Remove a passkey and return its name. Raises `NotFound`."""
    passkey = await _own_passkey(session, user, passkey_id)
    await session.delete(passkey)
    target = Target("passkey", passkey_id)
    await audit.record(app_state, session, "passkey.remove", actor_id=user.id, target=target)
    await _after_removal(session, user)
    return passkey.name


async def new_recovery_codes(app_state: AppState, session: AsyncSession, user: User) -> list[str]:
    """Replace the recovery codes of a user; return the new ones."""
    fresh = [_new_code() for _ in range(RECOVERY_CODES)]
    await factor_repository.replace_recovery_codes(session, user.id, [_digest(code) for code in fresh])
    target = Target("user", user.id)
    await audit.record(app_state, session, "recovery_codes.create", actor_id=user.id, target=target)
    return fresh


async def remove_all(app_state: AppState, user_id: str) -> None:
    """Remove every second factor of a user who lost them; an operator does this."""
    async with app_state.database.writing() as session:
        await factor_repository.delete_all(session, user_id)
        await audit.record(app_state, session, "second_factors.remove", target=Target("user", user_id))


async def _first_recovery_codes(app_state: AppState, session: AsyncSession, user: User) -> list[str] | None:
    if await factor_repository.recovery_codes_left(session, user.id):
        return None
    return await new_recovery_codes(app_state, session, user)


async def _after_removal(session: AsyncSession, user: User) -> None:
    if not await kinds(session, user.id):
        await factor_repository.replace_recovery_codes(session, user.id, [])


async def _own_passkey(session: AsyncSession, user: User, passkey_id: str) -> Passkey:
    passkey = await session.get(Passkey, passkey_id)
    if passkey is None or passkey.user_id != user.id:
        raise NotFound("passkey", passkey_id)
    return passkey


def _info(passkey: Passkey) -> PasskeyInfo:
    return PasskeyInfo(
        id=passkey.id,
        name=passkey.name,
        created_at=passkey.created_at,
        last_used_at=passkey.last_used_at,
    )


def _new_code() -> str:
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode().lower()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def _digest(code: str) -> str:
    # 80 random bits: an unsalted hash cannot be reversed by guessing.
    plain = "".join(character for character in code.lower() if character.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()
