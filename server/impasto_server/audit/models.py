"""The table of the audit log. Triggers of the database refuse changes and early deletions."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonText, PrimaryId


class AuditRow(Base):
    """One entry. It has no foreign keys: it stays when what it names is deleted.

    The primary key is the table itself on SQLite, so that `INSERT OR REPLACE` cannot replace an entry by
    its rowid.
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_at", "at"),
        Index("ix_audit_log_actor", "actor_id", "id"),
        Index("ix_audit_log_target", "target_id", "id"),
        Index("ix_audit_log_action", "action", "id"),
        {"sqlite_with_rowid": False},
    )

    id: Mapped[PrimaryId]
    at: Mapped[datetime]
    action: Mapped[str] = mapped_column(String(64))
    outcome: Mapped[str] = mapped_column(String(16))
    actor_kind: Mapped[str] = mapped_column(String(16))
    actor_id: Mapped[str | None] = mapped_column(String(36))
    api_key_id: Mapped[str | None] = mapped_column(String(36))
    target_kind: Mapped[str | None] = mapped_column(String(32))
    target_id: Mapped[str | None] = mapped_column(String(200))
    address: Mapped[str | None] = mapped_column(String(64))
    user_agent: Mapped[str | None] = mapped_column(String(256))
    details: Mapped[dict[str, Any]] = mapped_column(JsonText, default=dict)
