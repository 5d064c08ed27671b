"""Queries about passwords, codes, devices and sessions."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import CursorResult, Select, String, bindparam, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import make_transient_to_detached

from impasto_server.db.engine import Database
from impasto_server.identity.models import (
    Code,
    Invitation,
    KnownDevice,
    OidcIdentity,
    Password,
    RefreshToken,
    SignInSession,
    WrongCodes,
)
from impasto_server.users.models import User

_DEVICE_RETENTION = timedelta(days=400)
_ACTIVE_SESSION = (
    select(User, SignInSession)
    .join(SignInSession, SignInSession.user_id == User.id)
    .where(SignInSession.id == bindparam("session_id", type_=String), SignInSession.ended_at.is_(None))
)

# Columns, because every request executes it, and the ORM's loading takes about as long as the rest.
_USER_COLUMNS = tuple(User.__table__.c.keys())
_AUTHENTICATED = (
    select(*User.__table__.c)
    .join(SignInSession, SignInSession.user_id == User.id)
    .where(SignInSession.id == bindparam("session_id", type_=String), SignInSession.ended_at.is_(None))
)


async def password_of(session: AsyncSession, user_id: str) -> Password | None:
    """Find the password of a user."""
    return await session.get(Password, user_id)


async def live_codes(session: AsyncSession, user_id: str, now: datetime) -> Sequence[Code]:
    """Find and lock the codes of a user that have not expired, of all purposes and devices."""
    query = select(Code).where(Code.user_id == user_id, Code.expires_at > now).with_for_update()
    return (await session.scalars(query)).all()


async def delete_codes(session: AsyncSession, user_id: str, purpose: str, *, is_prefix: bool = False) -> None:
    """Delete the codes of a user for a purpose, or for all purposes that begin with it."""
    matches = Code.purpose.startswith(purpose) if is_prefix else Code.purpose == purpose
    await session.execute(delete(Code).where(Code.user_id == user_id, matches))


async def wrong_codes(session: AsyncSession, address: str, day: date) -> int:
    """Return how many wrong codes were entered for an address (its hash) on a day."""
    row = await session.get(WrongCodes, (address, day), with_for_update=True)
    return row.count if row else 0


async def count_wrong_code(session: AsyncSession, address: str, day: date) -> None:
    """Count a wrong code for an address (its hash) on a day."""
    row = await session.get(WrongCodes, (address, day), with_for_update=True)
    if row is None:
        session.add(WrongCodes(address=address, day=day, count=1))
    else:
        row.count += 1


async def known_device(session: AsyncSession, user_id: str, digest: str) -> KnownDevice | None:
    """Find a device of a user by the hash of its token."""
    query = select(KnownDevice).where(KnownDevice.user_id == user_id, KnownDevice.digest == digest)
    return (await session.scalars(query)).one_or_none()


async def delete_known_devices(session: AsyncSession, user_id: str) -> None:
    """Delete the known devices of a user."""
    await session.execute(delete(KnownDevice).where(KnownDevice.user_id == user_id))


async def is_known_address(session: AsyncSession, user_id: str, block: str, since: datetime) -> bool:
    """Return whether a device of the user was last used from this address block since then."""
    query = select(KnownDevice.id).where(
        KnownDevice.user_id == user_id,
        KnownDevice.address_block == block,
        KnownDevice.last_used_at >= since,
    )
    return (await session.scalars(query.limit(1))).first() is not None


async def authenticated(database: Database, session_id: str) -> User | None:
    """Return the user of an active session, detached."""
    found = await database.first(_AUTHENTICATED, {"session_id": session_id})
    if found is None:
        return None
    user = User(**dict(zip(_USER_COLUMNS, found, strict=True)))
    make_transient_to_detached(user)
    return user


async def active_session(session: AsyncSession, session_id: str) -> tuple[User, SignInSession] | None:
    """Find an active session and its user."""
    found = (await session.execute(_ACTIVE_SESSION, {"session_id": session_id})).one_or_none()
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


def active_sessions(user_id: str) -> Select[SignInSession]:
    """Return the query for the active sessions of a user."""
    return select(SignInSession).where(SignInSession.user_id == user_id, SignInSession.ended_at.is_(None))


async def is_active(session: AsyncSession, session_id: str) -> bool:
    """Return whether a session is active."""
    query = select(SignInSession.id).where(SignInSession.id == session_id, SignInSession.ended_at.is_(None))
    return (await session.scalars(query)).one_or_none() is not None


async def count_sessions(session: AsyncSession, user_id: str) -> tuple[int, datetime | None]:
    """Return the number of a user's active sessions, and the last use of any session."""
    active = func.count().filter(SignInSession.ended_at.is_(None))
    query = select(active, func.max(SignInSession.last_used_at)).where(SignInSession.user_id == user_id)
    found = (await session.execute(query)).one()
    return found[0], found[1]


async def delete_all_codes(session: AsyncSession, user_id: str) -> None:
    """Delete the codes that were sent to a user."""
    await session.execute(delete(Code).where(Code.user_id == user_id))


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
    """Delete expired codes, refresh tokens and devices, and sessions without tokens; return how many rows."""
    with_tokens = select(RefreshToken.session_id)
    deletions = (
        delete(Code).where(Code.expires_at < now),
        delete(WrongCodes).where(WrongCodes.day < now.date() - timedelta(days=1)),
        delete(KnownDevice).where(KnownDevice.last_used_at < now - _DEVICE_RETENTION),
        delete(RefreshToken).where(RefreshToken.expires_at < now),
        delete(SignInSession).where(SignInSession.id.not_in(with_tokens)),
    )
    counts = []
    for deletion in deletions:
        result = await session.execute(deletion.execution_options(synchronize_session=False))
        assert isinstance(result, CursorResult)
        counts.append(result.rowcount)
    return sum(counts)
