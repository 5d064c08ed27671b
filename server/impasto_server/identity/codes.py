"""Six-digit codes sent by e-mail: stored as a keyed hash, valid for a few minutes and a few attempts.

A code belongs to the device that requested it. Its attempts are reserved when it is created, so that wrong
codes from other devices cannot use them up; what is left of the day's attempts serves codes that are entered
on another device. When the day's attempts are used up or reserved, the e-mail has a link with a secret token
instead: who opens it reads the mailbox and does not guess.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.engine import advisory_lock
from impasto_server.db.text_normalization import normalize_login
from impasto_server.identity import repository
from impasto_server.identity.models import Code
from impasto_server.identity.sessions.devices import Device
from impasto_server.users.models import User

SIGN_UP = "sign_up"
RESET = "reset"
_CHANGE = "email "


@dataclass(frozen=True)
class IssuedCode:
    """A new code. With a `token`, it is accepted only together with that token, which is in the e-mail."""

    code: str
    token: str | None = None


async def create(
    app_state: AppState,
    session: AsyncSession,
    user: User,
    purpose: str,
    device: Device,
    *,
    address: str | None = None,
    auto_sign_in: bool = True,
) -> IssuedCode:
    """Create a code for a device that requests it; it replaces the device's older one of this purpose.

    `address` is where the code is sent if that is not the user's own address. Wrong codes count for it.
    """
    settings, now = app_state.settings, app_state.clock()
    await advisory_lock(session, f"codes {user.id}")
    live = await repository.live_codes(session, user.id, now)
    others = [code for code in live if (code.purpose, code.requester) != (purpose, device.digest)]
    reserving = [code for code in others if _is_same_address(code.purpose, purpose)]
    free = await _attempts_left(app_state, session, address or _own_address(user), reserving)
    token = None if free > 0 else secrets.token_urlsafe(32)
    code = f"{secrets.randbelow(10**6):06d}"
    await session.merge(
        Code(
            user_id=user.id,
            purpose=purpose,
            requester=_token_digest(token) if token else device.digest,
            hash=app_state.encryptor.sign(_message(user.id, purpose, code), "codes"),
            expires_at=now + timedelta(seconds=settings.code_seconds),
            tries_left=settings.code_tries if token else min(settings.code_tries, free),
            is_link=token is not None,
            auto_sign_in=auto_sign_in,
        )
    )
    return IssuedCode(code, token)


async def check(
    app_state: AppState,
    session: AsyncSession,
    user: User,
    purpose: str,
    code: str,
    device: Device,
    token: str = "",
    *,
    address: str | None = None,
) -> Code | None:
    """Return the stored code if this one is correct, else count the attempt and return None.

    `token` is the one of the e-mail's link, if any; `address` as for `create`. Commit in both cases; `delete`
    the code to redeem it.
    """
    await advisory_lock(session, f"codes {user.id}")
    address = address or _own_address(user)
    live = await repository.live_codes(session, user.id, app_state.clock())
    requesters = {device.digest, _token_digest(token)} if token else {device.digest}
    offered = [stored for stored in live if stored.purpose == purpose and stored.tries_left > 0]
    own = [stored for stored in offered if stored.requester in requesters]
    foreign = [stored for stored in offered if stored not in own and not stored.is_link]
    reserving = [stored for stored in live if _is_same_address(stored.purpose, purpose)]
    if await _attempts_left(app_state, session, address, reserving) < 1:
        foreign = []
    message = _message(user.id, purpose, code.strip())
    for stored in [*own, *foreign]:
        if app_state.encryptor.verify(message, stored.hash, "codes"):
            return stored
    for stored in own:
        stored.tries_left -= 1
    if foreign or any(not stored.is_link for stored in own):
        day = app_state.clock().date()
        await repository.count_wrong_code(session, _hashed(app_state, address), day)
    return None


async def delete(session: AsyncSession, code: Code) -> None:
    """Delete a redeemed code, and the user's others of the same purpose."""
    await repository.delete_codes(session, code.user_id, code.purpose)


async def is_held_elsewhere(app_state: AppState, session: AsyncSession, user: User, device: Device) -> bool:
    """Return whether another device than this one has a code for the user that is still valid."""
    live = await repository.live_codes(session, user.id, app_state.clock())
    return any(code.requester != device.digest for code in live)


async def may_send(app_state: AppState, session: AsyncSession, user: User, device: Device) -> bool:
    """Count an e-mail with a code to a user; return whether it is within the rate limits.

    Call this before creating a code: it replaces the device's last one. A device on which the user has signed
    in has a count of its own, so that requests of strangers cannot use it up.
    """
    if user.confirmed_at and await repository.known_device(session, user.id, device.digest):
        limit, address = app_state.settings.rate_limit_mails, normalize_login(user.email or "")
        return await app_state.rate_limiter.allows(limit, "mails", address, device.digest)
    return await may_send_to(app_state, user.email or "", device)


async def may_send_to(app_state: AppState, email: str, device: Device) -> bool:
    """Count an e-mail with a code to an address; return whether it is within the rate limits."""
    settings, limiter, address = app_state.settings, app_state.rate_limiter, normalize_login(email)
    return await limiter.allows(
        settings.rate_limit_mails_address, "mails from", device.block, address
    ) and await limiter.allows(settings.rate_limit_mails, "mails", address)


def change_to(email: str) -> str:
    """Return the purpose of a code that makes `email` the address of an account."""
    return _CHANGE + hashlib.sha256(normalize_login(email).encode()).hexdigest()[:24]


async def delete_changes(session: AsyncSession, user_id: str) -> None:
    """Delete a user's codes that change the e-mail address, whichever the new address is."""
    await repository.delete_codes(session, user_id, _CHANGE, is_prefix=True)


async def _attempts_left(
    app_state: AppState, session: AsyncSession, address: str, reserving: Sequence[Code]
) -> int:
    """Return how many wrong codes an address may still get today, beside those reserved for codes."""
    day = app_state.clock().date()
    wrong = await repository.wrong_codes(session, _hashed(app_state, address), day)
    reserved = sum(code.tries_left for code in reserving if not code.is_link)
    return app_state.settings.code_tries_per_day - wrong - reserved


def _is_same_address(purpose: str, other: str) -> bool:
    """Whether codes of these purposes are sent to the same address."""
    return purpose == other or not (purpose.startswith(_CHANGE) or other.startswith(_CHANGE))


def _own_address(user: User) -> str:
    # Wrong codes count by address and not by user: an unconfirmed account can be signed up again, which must
    # not reset the count.
    return user.email or user.id


def _hashed(app_state: AppState, address: str) -> str:
    return app_state.encryptor.sign(normalize_login(address), "wrong codes")


def _token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _message(user_id: str, purpose: str, code: str) -> str:
    return f"{user_id} {purpose} {code}"
