"""The table of API keys."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonColumn, PrimaryId
from impasto_server.utils import utc_now


class ApiKeyRow(Base):
    """One API key, by its hash."""

    __tablename__ = "api_keys"

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    scopes: Mapped[list[str]] = mapped_column(JsonColumn)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    last_four: Mapped[str] = mapped_column(String(4))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    last_used_at: Mapped[datetime | None] = mapped_column()
    expires_at: Mapped[datetime | None] = mapped_column()
