"""Tables of second factors: authenticator apps, recovery codes and passkeys."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId


class TotpSecret(Base):
    """The encrypted secret of a user's authenticator app; not asked for until `confirmed_at` is set.

    `last_step` is the time step of the last accepted code: it and earlier ones are refused.
    """

    __tablename__ = "totp_secrets"

    user_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    last_step: Mapped[int] = mapped_column(BigInteger, default=0)


class RecoveryCode(Base):
    """An unused recovery code of a user, by its hash."""

    __tablename__ = "recovery_codes"

    user_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)


class Passkey(Base):
    """A passkey of a user. `credential_id` is the authenticator's, in base64url."""

    __tablename__ = "passkeys"

    id: Mapped[PrimaryId]
    user_id: Mapped[str] = mapped_column(String(36), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]


class PasskeyChallenge(Base):
    """A challenge for a passkey, valid once and for one purpose, user and session or device (`binding`)."""

    __tablename__ = "passkey_challenges"

    id: Mapped[PrimaryId]
    challenge: Mapped[bytes] = mapped_column(LargeBinary)
    purpose: Mapped[str] = mapped_column(String(32))
    binding: Mapped[str] = mapped_column(String(160))
    expires_at: Mapped[datetime] = mapped_column(index=True)
