"""The tables of collections and the assets in them."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import PrimaryId
from impasto_server.utils import utc_now


class CollectionRow(Base):
    """A named group of assets of one user."""

    __tablename__ = "collections"
    __table_args__ = (Index("ix_collections_owner_id", "owner_id", "id"),)

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class CollectionAssetRow(Base):
    """An asset in a collection. Both belong to the same user."""

    __tablename__ = "collection_assets"

    collection_id: Mapped[str] = mapped_column(
        ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True
    )
    asset_id: Mapped[str] = mapped_column(
        ForeignKey("assets.id", ondelete="CASCADE"), primary_key=True, index=True
    )
