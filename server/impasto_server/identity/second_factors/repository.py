"""Queries about second factors."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.identity.second_factors.models import Passkey, PasskeyChallenge, RecoveryCode, TotpSecret


async def totp_of(session: AsyncSession, user_id: str) -> TotpSecret | None:
    """Find and lock the authenticator app of a user, confirmed or not."""
    return await session.get(TotpSecret, user_id, with_for_update=True)


async def all_totp(session: AsyncSession) -> Sequence[TotpSecret]:
    """Find and lock the authenticator apps of all users."""
    return (await session.scalars(select(TotpSecret).with_for_update())).all()


async def passkeys_of(session: AsyncSession, user_id: str) -> Sequence[Passkey]:
    """List the passkeys of a user, oldest first."""
    query = select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)
    return (await session.scalars(query)).all()


async def passkey_by_credential(session: AsyncSession, credential_id: str) -> Passkey | None:
    """Find and lock a passkey by the id that the authenticator gave it."""
    query = select(Passkey).where(Passkey.credential_id == credential_id).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def recovery_codes_left(session: AsyncSession, user_id: str) -> int:
    """Return how many unused recovery codes a user has."""
    query = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.user_id == user_id)
    return (await session.scalars(query)).one()


async def take_recovery_code(session: AsyncSession, user_id: str, digest: str) -> bool:
    """Delete a recovery code; return whether there was one."""
    query = delete(RecoveryCode).where(RecoveryCode.user_id == user_id, RecoveryCode.digest == digest)
    return await session.scalar(query.returning(RecoveryCode.digest)) is not None


async def replace_recovery_codes(session: AsyncSession, user_id: str, digests: Sequence[str]) -> None:
    """Replace all recovery codes of a user."""
    await session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
    session.add_all(RecoveryCode(user_id=user_id, digest=digest) for digest in digests)


async def take_challenge(session: AsyncSession, challenge_id: str) -> PasskeyChallenge | None:
    """Delete and return a challenge."""
    query = delete(PasskeyChallenge).where(PasskeyChallenge.id == challenge_id)
    return await session.scalar(query.returning(PasskeyChallenge))


async def delete_expired_challenges(session: AsyncSession, now: datetime) -> None:
    """Delete the challenges that have expired."""
    await session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.expires_at < now))


async def delete_all(session: AsyncSession, user_id: str) -> None:
    """Delete the second factors and recovery codes of a user."""
    for table in (TotpSecret, RecoveryCode, Passkey):
        await session.execute(delete(table).where(table.user_id == user_id))
