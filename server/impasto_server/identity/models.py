"""Tables of passwords, codes, devices and sessions. They store hashes only."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId


class Password(Base):
    """The password hash of a user. A temporary password must be replaced at the next sign-in."""

    __tablename__ = "passwords"

    user_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    hash: Mapped[str] = mapped_column(String(255))
    temporary: Mapped[bool] = mapped_column(default=False)
    changed_at: Mapped[datetime]


class Code(Base):
    """A code sent by e-mail: the newest one for each user, purpose and requesting device.

    `requester` is the hash of the device's token, or of the token in the e-mail's link if `is_link` is true.
    """

    __tablename__ = "email_codes"

    user_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    purpose: Mapped[str] = mapped_column(String(32), primary_key=True)
    requester: Mapped[str] = mapped_column(String(64), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    tries_left: Mapped[int]
    is_link: Mapped[bool] = mapped_column(default=False)
    auto_sign_in: Mapped[bool] = mapped_column(default=True)


class WrongCodes(Base):
    """How many wrong codes were entered for an e-mail address on a day (UTC). `address` is a keyed hash."""

    __tablename__ = "wrong_codes"

    address: Mapped[str] = mapped_column(String(64), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    count: Mapped[int]


class KnownDevice(Base):
    """A device on which a user has signed in, by the hash of its cookie."""

    __tablename__ = "known_devices"
    __table_args__ = (UniqueConstraint("user_id", "digest"),)

    id: Mapped[PrimaryId]
    user_id: Mapped[str] = mapped_column(String(36), ForeignKey("users.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(String(64))
    address_block: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime] = mapped_column(index=True)


class SignInSession(Base):
    """A sign-in on one device, with its family of rotated refresh tokens."""

    __tablename__ = "sign_in_sessions"

    id: Mapped[PrimaryId]
    user_id: Mapped[str] = mapped_column(String(36), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    device: Mapped[str | None] = mapped_column(String(80))
    address: Mapped[str | None] = mapped_column(String(64))


class RefreshToken(Base):
    """One refresh token, by its hash. It is valid once; using it again ends its session."""

    __tablename__ = "refresh_tokens"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    session_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("sign_in_sessions.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]


class Invitation(Base):
    """An invitation to sign up with one e-mail address, by the hash of its token. It is valid once."""

    __tablename__ = "invitations"

    id: Mapped[PrimaryId]
    email: Mapped[str] = mapped_column(String(320))
    email_key: Mapped[str] = mapped_column(String(320), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_by: Mapped[str | None] = mapped_column(String(36), ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    accepted_by: Mapped[str | None] = mapped_column(String(36), ForeignKey("users.id", ondelete="SET NULL"))
    revoked_at: Mapped[datetime | None]


class OidcIdentity(Base):
    """The link from a user to an account at an OpenID Connect provider."""

    __tablename__ = "outside_identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: Mapped[PrimaryId]
    user_id: Mapped[str] = mapped_column(String(36), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
