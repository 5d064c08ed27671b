"""The tables of daily use and of places that are taken for a while."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import ForeignKey, Index, Numeric, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId


class UsageDayRow(Base):
    """Launches of one user on one UTC day, and US dollars spent on the server's keys."""

    __tablename__ = "quota_days"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    used: Mapped[int] = mapped_column(default=0)
    spent_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0), server_default="0")


class SlotRow(Base):
    """An upload or export in progress. It counts until `expires_at`, which its process extends."""

    __tablename__ = "usage_slots"
    __table_args__ = (Index("ix_usage_slots_user_kind", "user_id", "kind"),)

    id: Mapped[PrimaryId]
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(20))
    holder: Mapped[str] = mapped_column(String(36), index=True)
    expires_at: Mapped[datetime]
