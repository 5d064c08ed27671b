"""The table of batches. Runs refer to it by `batch_id`."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId
from impasto_server.utils import utc_now


class BatchRow(Base):
    """One batch of launches."""

    __tablename__ = "batches"

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    flow_id: Mapped[str | None] = mapped_column(ForeignKey("flows.id", ondelete="SET NULL"))
    flow_name: Mapped[str] = mapped_column(String(120))
    version: Mapped[int | None] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
