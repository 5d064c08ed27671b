"""The table of users."""

from datetime import datetime

from sqlalchemy import String, false
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonDict, PrimaryId


class User(Base):
    """A user. `username_key` and `email_key` are the normalized forms, which are compared and unique.

    A suspended user can neither sign in nor use API keys; only admins see the reason.
    Content credentials of the user's files name `credentials_name`; they name no user by default.
    `daily_quota` and `limits` (by name) are the limits that the operator has set for this user.
    """

    __tablename__ = "users"

    id: Mapped[PrimaryId]
    username: Mapped[str] = mapped_column(String(128))
    username_key: Mapped[str] = mapped_column(String(128), unique=True)
    email: Mapped[str | None] = mapped_column(String(320))
    email_key: Mapped[str | None] = mapped_column(String(320), unique=True)
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    avatar_key: Mapped[str | None] = mapped_column(String(64))
    info: Mapped[JsonDict | None]
    betas: Mapped[list[str]] = mapped_column(default=list)
    daily_quota: Mapped[int | None]
    limits: Mapped[JsonDict | None]
    client_metadata: Mapped[JsonDict | None]
    credentials_name: Mapped[str | None] = mapped_column(String(60))
    is_admin: Mapped[bool] = mapped_column(default=False, server_default=false())
    suspended_at: Mapped[datetime | None]
    suspended_reason: Mapped[str | None] = mapped_column(String(500))
