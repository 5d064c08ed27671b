"""Six digits, sent by mail, kept as a keyed hash, good for a few minutes and a few tries."""

import secrets
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.identity import repository
from impasto_server.identity.models import Code

SIGN_UP = "sign_up"
RESET = "reset"


async def make(
    app_state: AppState, session: AsyncSession, user_id: str, purpose: str, *, auto_sign_in: bool = True
) -> str:
    """Make a code and keep its hash in place of any older one; return the code."""
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


async def spend(
    app_state: AppState, session: AsyncSession, user_id: str, purpose: str, code: str
) -> Code | None:
    """Use a code up. Returns it when it was right; a wrong try is counted, so commit either way."""
    kept = await repository.code_of(session, user_id, purpose)
    if kept is None or kept.tries_left < 1 or kept.expires_at <= app_state.clock():
        return None
    if not secrets.compare_digest(kept.hash, _digest(app_state, user_id, purpose, code.strip())):
        kept.tries_left -= 1
        return None
    await session.delete(kept)
    return kept


def _digest(app_state: AppState, user_id: str, purpose: str, code: str) -> str:
    return app_state.encryptor.sign(f"{user_id} {purpose} {code}", "codes")
