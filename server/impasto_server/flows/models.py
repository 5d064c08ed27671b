"""The table of agents."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    String,
    Text,
    case,
    false,
    literal_column,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonColumn, JsonText, PrimaryId
from impasto_server.utils import utc_now


class FlowRow(Base):
    """An agent. `owner_id` is null for built-in agents, which belong to the system.

    `copied_from` has the ids of the agents that it was copied from, directly or not, or the keys of built-in
    ones.

    Featured agents come first on Home, the newest of them before the others. An agent that an admin
    withholds is visible to its owner alone, who sees the reason.

    `stored_bytes` is the size of the draft and of the documents in the history.
    `watermark` and `mark_exports` say how what AI makes in its runs is marked.
    """

    __tablename__ = "flows"
    __table_args__ = (
        Index("ix_flows_owner_stored_bytes", "owner_id", "stored_bytes"),
        Index("ix_flows_beta", "id", sqlite_where=text("beta"), postgresql_where=text("beta")),
    )

    id: Mapped[PrimaryId]
    owner_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    built_in: Mapped[str | None] = mapped_column(String(120), unique=True)
    position: Mapped[int | None] = mapped_column()
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text, default="")
    category: Mapped[str] = mapped_column(String(40), default="uncategorized")
    visibility: Mapped[str] = mapped_column(String(10), default="private")
    status: Mapped[str] = mapped_column(String(12), default="draft")
    beta: Mapped[bool] = mapped_column(default=False)
    copied_from: Mapped[list[str] | None] = mapped_column(JsonColumn)
    kinds: Mapped[list[str]] = mapped_column(JsonColumn, default=list)
    takes: Mapped[list[str] | None] = mapped_column(JsonColumn)
    avatar_key: Mapped[str | None] = mapped_column(String(200))
    draft: Mapped[dict[str, Any]] = mapped_column(JsonText, deferred=True)
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    revision: Mapped[int] = mapped_column(default=1)
    version: Mapped[int | None] = mapped_column()
    published_revision: Mapped[int | None] = mapped_column()
    watermark: Mapped[bool] = mapped_column(default=False, server_default=false())
    mark_exports: Mapped[bool] = mapped_column(default=False, server_default=false())
    withheld_at: Mapped[datetime | None] = mapped_column()
    withheld_reason: Mapped[str | None] = mapped_column(String(500))
    featured_at: Mapped[datetime | None] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


# A migration alone declares the indexes in this order, which are compared with a query as they are written,
# without parameters.
ONE: ColumnElement[int] = literal_column("1")
_ZERO: ColumnElement[int] = literal_column("0")
NOT_FEATURED = case((FlowRow.featured_at.is_(None), ONE), else_=_ZERO)
NOT_PLACED = case((FlowRow.position.is_(None), ONE), else_=_ZERO)
DISPLAY_ORDER = (
    NOT_FEATURED,
    FlowRow.featured_at.desc(),
    NOT_PLACED,
    FlowRow.position,
    FlowRow.updated_at.desc(),
    FlowRow.id.desc(),
)
"""Featured agents, then the built-in ones in the order that their files give, then those changed last."""
