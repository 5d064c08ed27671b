"""Bytes of the documents of agents and brands, why an agent is withheld, and who sent a kept request

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_versions = sa.table("flow_versions", *map(sa.column, ("flow_id", "document", "subflows", "bytes")))
_flows = sa.table("flows", *map(sa.column, ("id", "draft", "stored_bytes")))
_brand_versions = sa.table("brand_versions", *map(sa.column, ("brand_id", "content", "bytes")))
_brands = sa.table("brands", *map(sa.column, ("id", "draft", "stored_bytes")))


def upgrade() -> None:
    for table in ("flow_versions", "brand_versions"):
        op.add_column(table, _bytes("bytes"))
    for table in ("flows", "brands"):
        op.add_column(table, _bytes("stored_bytes"))
    op.execute(_versions.update().values(bytes=_size(_versions.c.document) + _size(_versions.c.subflows)))
    op.execute(_brand_versions.update().values(bytes=_size(_brand_versions.c.content)))
    op.create_index("ix_flow_versions_flow_bytes", "flow_versions", ["flow_id", "bytes"])
    op.create_index("ix_brand_versions_brand_bytes", "brand_versions", ["brand_id", "bytes"])
    for parent, history, parent_id in (
        (_flows, _versions, _versions.c.flow_id),
        (_brands, _brand_versions, _brand_versions.c.brand_id),
    ):
        entries = sa.select(sa.func.coalesce(sa.func.sum(history.c.bytes), 0)).where(parent_id == parent.c.id)
        op.execute(parent.update().values(stored_bytes=_size(parent.c.draft) + entries.scalar_subquery()))
    op.create_index("ix_flows_owner_stored_bytes", "flows", ["owner_id", "stored_bytes"])
    op.create_index("ix_brands_owner_stored_bytes", "brands", ["owner_id", "stored_bytes"])
    op.add_column("flows", sa.Column("withheld_reason", sa.String(500), nullable=True))
    op.add_column("kept_answers", sa.Column("owner_id", sa.String(36), nullable=True))
    op.add_column("kept_answers", _bytes("bytes"))
    op.create_index("ix_kept_answers_owner", "kept_answers", ["owner_id", "created_at", "bytes"])


def downgrade() -> None:
    op.drop_index("ix_kept_answers_owner", "kept_answers")
    op.drop_column("kept_answers", "bytes")
    op.drop_column("kept_answers", "owner_id")
    op.drop_column("flows", "withheld_reason")
    op.drop_index("ix_brands_owner_stored_bytes", "brands")
    op.drop_index("ix_flows_owner_stored_bytes", "flows")
    op.drop_index("ix_brand_versions_brand_bytes", "brand_versions")
    op.drop_index("ix_flow_versions_flow_bytes", "flow_versions")
    for table in ("flows", "brands"):
        op.drop_column(table, "stored_bytes")
    for table in ("flow_versions", "brand_versions"):
        op.drop_column(table, "bytes")


def _bytes(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")


def _size(column: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
    """Return the bytes of a text; 0 for null."""
    if op.get_bind().dialect.name == "sqlite":  # its length() counts characters, but bytes of a blob
        return sa.func.coalesce(sa.func.length(sa.cast(column, sa.LargeBinary)), 0)
    return sa.func.coalesce(sa.func.octet_length(column), 0)
