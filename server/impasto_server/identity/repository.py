"""Queries about passwords, codes and sessions."""

from datetime import datetime

from sqlalchemy import CursorResult, Select, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.identity.models import (
    Code,
    Invitation,
    OidcIdentity,
    Password,
    RefreshToken,
    SignInSession,
)
from impasto_server.users.models import User


async def password_of(session: AsyncSession, user_id: str) -> Password | None:
    """Find the password of a user."""
    return await session.get(Password, user_id)


async def code_of(session: AsyncSession, user_id: str, purpose: str) -> Code | None:
    """Find and lock the newest code of a user for a purpose."""
    return await session.get(Code, (user_id, purpose), with_for_update=True)


async def active_session(session: AsyncSession, session_id: str) -> tuple[User, SignInSession] | None:
    """Find an active session and its user."""
    rows = await session.execute(
        select(User, SignInSession)
        .join(SignInSession, SignInSession.user_id == User.id)
        .where(SignInSession.id == session_id, SignInSession.ended_at.is_(None))
    )
    found = rows.one_or_none()
    return None if found is None else (found[0], found[1])


async def refresh_token(session: AsyncSession, digest: str) -> RefreshToken | None:
    """Find and lock a refresh token by its hash."""
    return await session.get(RefreshToken, digest, with_for_update=True)


async def end_sessions(
    session: AsyncSession, user_id: str, now: datetime, *, keep: str | None = None
) -> None:
    """End all sessions of a user but `keep`."""
    active = SignInSession.user_id == user_id, SignInSession.ended_at.is_(None)
    others = () if keep is None else (SignInSession.id != keep,)
    await session.execute(update(SignInSession).where(*active, *others).values(ended_at=now))


async def end_session(session: AsyncSession, session_id: str, now: datetime) -> None:
    """End one session."""
    await session.execute(
        update(SignInSession)
        .where(SignInSession.id == session_id, SignInSession.ended_at.is_(None))
        .values(ended_at=now)
    )


async def user_by_oidc_subject(session: AsyncSession, issuer: str, subject: str) -> User | None:
    """Find the user linked to a subject of an OpenID Connect issuer."""
    return (
        await session.scalars(
            select(User)
            .join(OidcIdentity, OidcIdentity.user_id == User.id)
            .where(OidcIdentity.issuer == issuer, OidcIdentity.subject == subject)
        )
    ).one_or_none()


def invitations() -> Select[Invitation]:
    """Return the query for all invitations."""
    return select(Invitation)


async def invitation_by_id(session: AsyncSession, invitation_id: str) -> Invitation | None:
    """Find and lock an invitation by its id."""
    return await session.get(Invitation, invitation_id, with_for_update=True)


async def invitation_by_token(session: AsyncSession, digest: str) -> Invitation | None:
    """Find and lock an invitation by the hash of its token."""
    query = select(Invitation).where(Invitation.token_hash == digest).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def pending_invitation(session: AsyncSession, email_key: str) -> Invitation | None:
    """Find and lock the newest invitation of an address that was neither accepted nor revoked."""
    query = select(Invitation).where(
        Invitation.email_key == email_key,
        Invitation.accepted_at.is_(None),
        Invitation.revoked_at.is_(None),
    )
    return (await session.scalars(query.order_by(Invitation.id.desc()).limit(1).with_for_update())).first()


async def delete_expired(session: AsyncSession, now: datetime) -> int:
    """Delete expired codes and refresh tokens, and sessions without tokens; return the number of rows."""
    with_tokens = select(RefreshToken.session_id)
    deletions = (
        delete(Code).where(Code.expires_at < now),
        delete(RefreshToken).where(RefreshToken.expires_at < now),
        delete(SignInSession).where(SignInSession.id.not_in(with_tokens)),
    )
    counts = []
    for deletion in deletions:
        result = await session.execute(deletion.execution_options(synchronize_session=False))
        assert isinstance(result, CursorResult)
        counts.append(result.rowcount)
    return sum(counts)
