"""The table of e-mails that wait to be delivered."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId


class QueuedEmail(Base):
    """An e-mail that the mail server has not taken. `content` is encrypted, because codes are secrets.

    A process that delivers it sets `next_attempt_at` to the time when another one may.
    """

    __tablename__ = "queued_emails"

    id: Mapped[PrimaryId]
    content: Mapped[bytes] = mapped_column(LargeBinary)
    attempts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
    next_attempt_at: Mapped[datetime] = mapped_column(index=True)
