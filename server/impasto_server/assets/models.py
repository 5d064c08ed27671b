"""The tables of assets and their tags."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Float, ForeignKey, Index, LargeBinary, Numeric, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.assets.schemas import AssetKind, AssetSource, CredentialsLocation
from impasto_server.content_credentials.claims import AiMade
from impasto_server.db.engine import Base
from impasto_server.db.text_search import indexed_text
from impasto_server.db.types import JsonColumn, JsonText, PrimaryId
from impasto_server.utils import utc_now

MAX_SEARCHED_CHARS = 8000
ImageHash = bytes  # the class below has a column of that name


def search_text(
    name: str, flow_name: str | None, prompt: str | None, media_type: str, *others: str | None
) -> str:
    """Return what a library search looks in: the terms of these texts, of a prompt those of its start."""
    prompt = prompt and prompt[:MAX_SEARCHED_CHARS]
    return indexed_text("\n".join(filter(None, (name, flow_name, prompt, media_type, *others))))


def _search_text(context: Any) -> str:
    values = context.get_current_parameters()
    return search_text(values["name"], values.get("flow_name"), values.get("prompt"), values["media_type"])


class AssetRow(Base):
    """A file of one user. Rows with the same content share one stored object."""

    __tablename__ = "assets"
    __table_args__ = (
        Index("ix_assets_owner_id", "owner_id", "id"),
        Index("ix_assets_owner_bytes", "owner_id", "bytes"),
        Index("ix_assets_owner_kind", "owner_id", "kind", "id"),
        Index("ix_assets_owner_source", "owner_id", "source", "id"),
        Index("ix_assets_owner_flow_id", "owner_id", "flow_id", "id"),
        Index("ix_assets_sha256", "sha256"),
        Index("ix_assets_owner_image_hash", "owner_id", "id", "image_hash"),
        Index("ix_assets_replaced_by_id", "replaced_by_id"),
        Index("ix_assets_owner_favourite", "owner_id", "favourite", "id"),
    )

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[AssetKind] = mapped_column(String(10))
    media_type: Mapped[str] = mapped_column(String(120))
    name: Mapped[str] = mapped_column(String(255))
    bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(200))
    width: Mapped[int | None] = mapped_column()
    height: Mapped[int | None] = mapped_column()
    seconds: Mapped[float | None] = mapped_column(Float)
    source: Mapped[AssetSource] = mapped_column(String(10), default="run")
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"), index=True)
    step: Mapped[str | None] = mapped_column(Text)
    node_type: Mapped[str | None] = mapped_column(String(120))
    flow_id: Mapped[str | None] = mapped_column(ForeignKey("flows.id", ondelete="SET NULL"), index=True)
    flow_name: Mapped[str | None] = mapped_column(String(120))
    version: Mapped[int | None] = mapped_column()
    made_by: Mapped[dict[str, Any] | None] = mapped_column(JsonText)
    prompt: Mapped[str | None] = mapped_column(Text)
    words: Mapped[str] = mapped_column(Text, default=_search_text, server_default="")
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(14, 8))
    # How the file is signed (NULL: not at all), its IPTC digital source type, and whether AI made it.
    credentials: Mapped[CredentialsLocation | None] = mapped_column(String(10))
    source_type: Mapped[str | None] = mapped_column(String(60))
    ai_made: Mapped[AiMade | None] = mapped_column(String(10))
    # The SHA-256 of the file before it was signed: a signature differs each time.
    unsigned_sha256: Mapped[str | None] = mapped_column(String(64))
    # Whether the file that leaves the library has a visible AI mark.
    mark_exports: Mapped[bool] = mapped_column(default=False, server_default=false())
    image_hash: Mapped[ImageHash | None] = mapped_column(LargeBinary(32))
    input_asset_ids: Mapped[list[str]] = mapped_column(JsonColumn, default=list)
    # The asset that this one is a new version of, and the new version of this one.
    replaces_id: Mapped[str | None] = mapped_column(String(36))
    replaced_by_id: Mapped[str | None] = mapped_column(String(36))
    favourite: Mapped[bool] = mapped_column(default=False, server_default=false())
    # The names of its tags, in order; `AssetTagRow` has the same ones for queries.
    tags: Mapped[list[str]] = mapped_column(JsonColumn, default=list, server_default="[]")
    # The start of the launch's prompt, and the number among the results of the run; NULL for other assets.
    brief: Mapped[str | None] = mapped_column(Text)
    number: Mapped[int | None] = mapped_column()
    # Whether a step made it on the way to a result.
    intermediate: Mapped[bool] = mapped_column(default=False, server_default=false())
    excerpt: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)

    def set_words(self, content: str | None = None) -> None:
        """Write the text that a search looks in, after a column that it is made of has changed.

        `content` is that of a text result.
        """
        searched = (self.brief, *(self.tags or ()), content and content[:MAX_SEARCHED_CHARS])
        self.words = search_text(self.name, self.flow_name, self.prompt, self.media_type, *searched)


class AssetTextRow(Base):
    """The content of a text result: it is written with the run's end and has no file in the storage."""

    __tablename__ = "asset_texts"

    asset_id: Mapped[str] = mapped_column(ForeignKey("assets.id", ondelete="CASCADE"), primary_key=True)
    content: Mapped[str] = mapped_column(Text)


class AssetTagRow(Base):
    """A tag of an asset. `key` is its name in normalized spelling, which is the same for "Été" and "été"."""

    __tablename__ = "asset_tags"
    __table_args__ = (Index("ix_asset_tags_owner_key", "owner_id", "key", "asset_id"),)

    asset_id: Mapped[str] = mapped_column(ForeignKey("assets.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(40))
