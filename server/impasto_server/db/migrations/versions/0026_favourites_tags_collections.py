"""Favourites, tags and collections of assets

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.add_column("assets", sa.Column("favourite", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("assets", sa.Column("tags", _JSON, nullable=False, server_default="[]"))
    op.create_index("ix_assets_owner_favourite", "assets", ["owner_id", "favourite", "id"])
    op.create_table(
        "asset_tags",
        sa.Column("asset_id", sa.String(36), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.String(36), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        _reference("asset_tags", "asset_id", "assets"),
        _reference("asset_tags", "owner_id", "users"),
        sa.PrimaryKeyConstraint("asset_id", "key", name=op.f("pk_asset_tags")),
    )
    op.create_index("ix_asset_tags_owner_key", "asset_tags", ["owner_id", "key", "asset_id"])
    op.create_table(
        "collections",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("owner_id", sa.String(36), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        _reference("collections", "owner_id", "users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collections")),
    )
    op.create_index("ix_collections_owner_id", "collections", ["owner_id", "id"])
    op.create_table(
        "collection_assets",
        sa.Column("collection_id", sa.String(36), nullable=False),
        sa.Column("asset_id", sa.String(36), nullable=False),
        _reference("collection_assets", "collection_id", "collections"),
        _reference("collection_assets", "asset_id", "assets"),
        sa.PrimaryKeyConstraint("collection_id", "asset_id", name=op.f("pk_collection_assets")),
    )
    op.create_index(op.f("ix_collection_assets_asset_id"), "collection_assets", ["asset_id"])


def downgrade() -> None:
    op.drop_table("collection_assets")
    op.drop_table("collections")
    op.drop_table("asset_tags")
    op.drop_index("ix_assets_owner_favourite", "assets")
    op.drop_column("assets", "tags")
    op.drop_column("assets", "favourite")


def _reference(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name, ondelete="CASCADE")
