"""The tables of brands and their published versions."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonText, PrimaryId
from impasto_server.utils import utc_now


class BrandRow(Base):
    """A brand: its draft, and the number of its newest published version. At most one is a user's default.

    `stored_bytes` is the size of the draft and of the published versions.
    """

    __tablename__ = "brands"
    __table_args__ = (
        Index("ix_brands_owner_id", "owner_id", "id"),
        Index("ix_brands_owner_stored_bytes", "owner_id", "stored_bytes"),
    )

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    draft: Mapped[dict[str, Any]] = mapped_column(JsonText)
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    revision: Mapped[int] = mapped_column(default=1)
    version: Mapped[int | None] = mapped_column()
    is_default: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class BrandVersionRow(Base):
    """A published version of a brand. `summary` says what changed since the version before."""

    __tablename__ = "brand_versions"
    __table_args__ = (
        UniqueConstraint("brand_id", "number"),
        Index("ix_brand_versions_brand_bytes", "brand_id", "bytes"),
    )

    id: Mapped[PrimaryId]
    brand_id: Mapped[str] = mapped_column(ForeignKey("brands.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    note: Mapped[str] = mapped_column(Text, default="")
    summary: Mapped[str] = mapped_column(Text, default="")
    content: Mapped[dict[str, Any]] = mapped_column(JsonText)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
