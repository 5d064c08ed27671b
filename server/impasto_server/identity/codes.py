"""Six-digit codes sent by e-mail: stored as a keyed hash, valid for a few minutes and a few attempts."""

import secrets
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.identity import repository
from impasto_server.identity.models import Code

SIGN_UP = "sign_up"
RESET = "reset"


async def create(
    app_state: AppState, session: AsyncSession, user_id: str, purpose: str, *, auto_sign_in: bool = True
) -> str:
    """Create a code that replaces any older one of this purpose; return it."""
    code = f"{secrets.randbelow(10**6):06d}"
    await session.merge(
        Code(
            user_id=user_id,
            purpose=purpose,
            hash=_digest(app_state, user_id, purpose, code),
            expires_at=app_state.clock() + timedelta(seconds=app_state.settings.code_seconds),
            tries_left=app_state.settings.code_tries,
            auto_sign_in=auto_sign_in,
        )
    )
    return code


async def redeem(
    app_state: AppState, session: AsyncSession, user_id: str, purpose: str, code: str
) -> Code | None:
    """Delete and return the code if it is correct, else count the attempt and return None.

    Commit in both cases.
    """
    stored = await repository.code_of(session, user_id, purpose)
    if stored is None or stored.tries_left < 1 or stored.expires_at <= app_state.clock():
        return None
    if not secrets.compare_digest(stored.hash, _digest(app_state, user_id, purpose, code.strip())):
        stored.tries_left -= 1
        return None
    await session.delete(stored)
    return stored


def _digest(app_state: AppState, user_id: str, purpose: str, code: str) -> str:
    return app_state.encryptor.sign(f"{user_id} {purpose} {code}", "codes")
