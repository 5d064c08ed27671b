"""The tables of what steps read of saved brands, and of assets that were made again after a change."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from sqlalchemy import ForeignKey, Index, Numeric, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId
from impasto_server.utils import utc_now

State = Literal["running", "ready", "failed", "replaced", "kept"]


class BrandReadRow(Base):
    """A field of a saved brand that a step, or one before it, read. `field` is "*" for the whole brand.

    `cost_usd` is what the step cost; each of its rows has it.
    """

    __tablename__ = "brand_reads"
    __table_args__ = (
        Index("ix_brand_reads_brand_field", "owner_id", "brand_id", "version", "field", "run_id", "step"),
    )

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    step: Mapped[str] = mapped_column(Text, primary_key=True)
    brand_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    field: Mapped[str] = mapped_column(String(60), primary_key=True)
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    version: Mapped[int] = mapped_column()
    cost_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0))


class RegenerationRow(Base):
    """An asset that is made again with a newer version of a brand, and what was decided about the result.

    `position` is the place of the asset among those of its step. `new_asset_id` is null until the run ends.
    """

    __tablename__ = "asset_regenerations"
    __table_args__ = (
        Index("ix_asset_regenerations_brand", "owner_id", "brand_id", "id"),
        Index("ix_asset_regenerations_asset", "asset_id", "brand_id", "version"),
    )

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    brand_id: Mapped[str] = mapped_column(String(36))
    version: Mapped[int] = mapped_column()
    asset_id: Mapped[str] = mapped_column(ForeignKey("assets.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), index=True)
    step: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column()
    new_asset_id: Mapped[str | None] = mapped_column(ForeignKey("assets.id", ondelete="SET NULL"), index=True)
    state: Mapped[State] = mapped_column(String(10), default="running")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
