"""The table of the daily quota."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base


class QuotaDayRow(Base):
    """Launches of one user on one UTC day."""

    __tablename__ = "quota_days"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    used: Mapped[int] = mapped_column(default=0)
