"""Authenticator apps: time-based one-time passwords (RFC 6238), six digits every 30 seconds."""

import base64
import hmac
import secrets
from contextlib import suppress
from urllib.parse import quote, urlencode

import segno
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.identity.second_factors import repository as factor_repository
from impasto_server.identity.second_factors.models import TotpSecret
from impasto_server.identity.second_factors.schemas import TotpSetup
from impasto_server.users.models import User

_STEP_SECONDS = 30
_DIGITS = 6
_SECRET_BYTES = 20


async def begin(app_state: AppState, session: AsyncSession, user: User) -> TotpSetup:
    """Create the secret of an app that is not asked for until `confirm`; replaces an unconfirmed one."""
    secret = secrets.token_bytes(_SECRET_BYTES)
    await session.merge(
        TotpSecret(
            user_id=user.id,
            sealed=app_state.encryptor.encrypt(secret, _purpose(user.id)),
            created_at=app_state.clock(),
            confirmed_at=None,
            last_step=0,
        )
    )
    text = base64.b32encode(secret).decode()
    label = quote(f"Impasto:{user.username}")
    uri = f"otpauth://totp/{label}?{urlencode({'secret': text, 'issuer': 'Impasto'})}"
    return TotpSetup(secret=text, uri=uri, qr_code=segno.make_qr(uri).svg_data_uri(scale=4))


async def is_confirmed(session: AsyncSession, user_id: str) -> bool:
    """Return whether signing in asks a user for a code of an app."""
    stored = await factor_repository.totp_of(session, user_id)
    return stored is not None and stored.confirmed_at is not None


async def check(app_state: AppState, session: AsyncSession, user: User, code: str) -> TotpSecret | None:
    """Return the user's app if it shows this code now and the code was not used before; else None."""
    stored = await factor_repository.totp_of(session, user.id)
    if stored is None:
        return None
    secret = app_state.encryptor.decrypt(stored.sealed, _purpose(user.id))
    password = TOTP(secret, _DIGITS, SHA1(), _STEP_SECONDS)  # noqa: S303
    offered = code.replace(" ", "").encode()
    now = int(app_state.clock().timestamp()) // _STEP_SECONDS
    for step in (now - 1, now, now + 1):  # the clock of a phone may be some seconds off
        is_correct = hmac.compare_digest(password.generate(step * _STEP_SECONDS), offered)
        if is_correct and step > stored.last_step:
            stored.last_step = step
            return stored
    return None


async def reencrypt_all(app_state: AppState) -> int:
    """Encrypt the secrets of all apps with the newest encryption key; return how many."""
    count = 0
    async with app_state.database.writing() as session:
        for row in await factor_repository.all_totp(session):
            purpose = _purpose(row.user_id)
            with suppress(ValueError):  # encrypted with a key that is lost
                row.sealed = app_state.encryptor.encrypt(
                    app_state.encryptor.decrypt(row.sealed, purpose), purpose
                )
                count += 1
    return count


def _purpose(user_id: str) -> str:
    # Bound to the user: an encrypted secret copied into another row cannot be decrypted.
    return f"totp {user_id}"
