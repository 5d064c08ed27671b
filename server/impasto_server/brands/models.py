"""The tables of brands and their published versions."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonText, PrimaryId
from impasto_server.utils import utc_now


class BrandRow(Base):
    """A brand: its draft, and the number of its newest published version. At most one is a user's default."""

    __tablename__ = "brands"
    __table_args__ = (Index("ix_brands_owner_id", "owner_id", "id"),)

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    draft: Mapped[dict[str, Any]] = mapped_column(JsonText)
    revision: Mapped[int] = mapped_column(default=1)
    version: Mapped[int | None] = mapped_column()
    is_default: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class BrandVersionRow(Base):
    """A published version of a brand. `summary` says what changed since the version before."""

    __tablename__ = "brand_versions"
    __table_args__ = (UniqueConstraint("brand_id", "number"),)

    id: Mapped[PrimaryId]
    brand_id: Mapped[str] = mapped_column(ForeignKey("brands.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    note: Mapped[str] = mapped_column(Text, default="")
    summary: Mapped[str] = mapped_column(Text, default="")
    content: Mapped[dict[str, Any]] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
