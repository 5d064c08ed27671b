"""The table of history entries."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonText, PrimaryId
from impasto_server.utils import utc_now


class VersionRow(Base):
    """A published version, or a save if `number` is null. `kept` saves are not merged with later ones.

    `public`: published while the agent was public, or the newest version when the agent became public. Other
    users see and run public versions only, and no one runs a withdrawn one. `bytes` is the size of the
    documents.
    """

    __tablename__ = "flow_versions"
    __table_args__ = (
        UniqueConstraint("flow_id", "number"),
        Index("ix_flow_versions_flow_created", "flow_id", "created_at"),
        Index("ix_flow_versions_flow_bytes", "flow_id", "bytes"),
    )

    id: Mapped[PrimaryId]
    flow_id: Mapped[str] = mapped_column(ForeignKey("flows.id", ondelete="CASCADE"))
    number: Mapped[int | None] = mapped_column()
    revision: Mapped[int] = mapped_column()
    note: Mapped[str] = mapped_column(Text, default="")
    kept: Mapped[bool] = mapped_column(default=False)
    document: Mapped[dict[str, Any]] = mapped_column(JsonText, deferred=True)
    subflows: Mapped[dict[str, Any] | None] = mapped_column(JsonText, deferred=True)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    public: Mapped[bool] = mapped_column(default=False, server_default=false())
    withdrawn_at: Mapped[datetime | None] = mapped_column()
    author_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
