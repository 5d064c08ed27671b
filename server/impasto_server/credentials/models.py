"""The table of provider keys."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.utils import utc_now


class CredentialRow(Base):
    """One user's key for one provider, encrypted."""

    __tablename__ = "credentials"

    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    provider: Mapped[str] = mapped_column(String(60), primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    last_four: Mapped[str] = mapped_column(String(4))
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)
