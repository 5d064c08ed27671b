"""Text results as assets; names and kinds of results; runs whose results are in the library

Rows of older runs get both in the housekeeping, from what the runs' journals say.

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assets", sa.Column("brief", sa.Text(), nullable=True))
    op.add_column("assets", sa.Column("number", sa.Integer(), nullable=True))
    intermediate: sa.Column[bool] = sa.Column(
        "intermediate", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("assets", intermediate)
    op.add_column("assets", sa.Column("excerpt", sa.Text(), nullable=True))
    op.create_table(
        "asset_texts",
        sa.Column("asset_id", sa.String(36), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["asset_id"], ["assets.id"], name=op.f("fk_asset_texts_asset_id_assets"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("asset_id", name=op.f("pk_asset_texts")),
    )
    in_library: sa.Column[bool] = sa.Column(
        "in_library", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("run_listings", in_library)
    op.create_index(op.f("ix_run_listings_in_library"), "run_listings", ["in_library"])


def downgrade() -> None:
    # Without their table, texts would be assets without a content.
    op.execute("DELETE FROM assets WHERE id IN (SELECT asset_id FROM asset_texts)")
    op.drop_index(op.f("ix_run_listings_in_library"), "run_listings")
    op.drop_column("run_listings", "in_library")
    op.drop_table("asset_texts")
    for name in ("excerpt", "intermediate", "number", "brief"):
        op.drop_column("assets", name)
