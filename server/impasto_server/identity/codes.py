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
    auto_sign_in: bool = True,
) -> IssuedCode:
    """Create a code for a device that requests it; it replaces the device's older one of this purpose."""
    settings, now = app_state.settings, app_state.clock()
    await advisory_lock(session, f"codes {user.id}")
    live = await repository.live_codes(session, user.id, now)
    others = [code for code in live if (code.purpose, code.requester) != (purpose, device.digest)]
    free = await _attempts_left(app_state, session, user, others)
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
) -> Code | None:
    """Return the stored code if this one is correct, else count the attempt and return None.

    `token` is the one of the e-mail's link, if any. Commit in both cases; `delete` the code to redeem it.
    """
    await advisory_lock(session, f"codes {user.id}")
    live = await repository.live_codes(session, user.id, app_state.clock())
    requesters = {device.digest, _token_digest(token)} if token else {device.digest}
    offered = [stored for stored in live if stored.purpose == purpose and stored.tries_left > 0]
    own = [stored for stored in offered if stored.requester in requesters]
    foreign = [stored for stored in offered if stored not in own and not stored.is_link]
    if await _attempts_left(app_state, session, user, live) < 1:
        foreign = []
    message = _message(user.id, purpose, code.strip())
    for stored in [*own, *foreign]:
        if app_state.encryptor.verify(message, stored.hash, "codes"):
            return stored
    for stored in own:
        stored.tries_left -= 1
    if foreign or any(not stored.is_link for stored in own):
        day = app_state.clock().date()
        await repository.count_wrong_code(session, _address(app_state, user), day)
    return None


async def delete(session: AsyncSession, code: Code) -> None:
    """Delete a redeemed code, and the user's others of the same purpose."""
    await repository.delete_codes(session, code.user_id, code.purpose)


async def is_held_elsewhere(app_state: AppState, session: AsyncSession, user: User, device: Device) -> bool:
    """Return whether another device than this one has a code for the user that is still valid."""
    live = await repository.live_codes(session, user.id, app_state.clock())
    return any(code.requester != device.digest for code in live)


async def _attempts_left(
    app_state: AppState, session: AsyncSession, user: User, reserving: Sequence[Code]
) -> int:
    """Return how many wrong codes the user's address may still get today, beside those reserved for codes."""
    day = app_state.clock().date()
    wrong = await repository.wrong_codes(session, _address(app_state, user), day)
    reserved = sum(code.tries_left for code in reserving if not code.is_link)
    return app_state.settings.code_tries_per_day - wrong - reserved


def _address(app_state: AppState, user: User) -> str:
    # By address and not by user: an unconfirmed account can be signed up again, which must not reset the
    # count.
    return app_state.encryptor.sign(normalize_login(user.email or user.id), "wrong codes")


def _token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _message(user_id: str, purpose: str, code: str) -> str:
    return f"{user_id} {purpose} {code}"
