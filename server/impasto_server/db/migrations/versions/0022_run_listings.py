"""Listings of runs: what a list of runs shows and searches; deleted runs

Rows of older runs have no listing here, because it needs their events: the server writes it in its
housekeeping, and lists them by their inputs until then.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

from impasto_server.db.types import UtcDateTime

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_LISTED = sa.text("deleted_at IS NULL")


def upgrade() -> None:
    op.add_column("runs", sa.Column("deleted_at", UtcDateTime(), nullable=True))
    op.create_index(
        "ix_runs_listed",
        "runs",
        ["owner_id", "id", "status", "flow_id"],
        sqlite_where=_LISTED,
        postgresql_where=_LISTED,
    )
    op.create_table(
        "run_listings",
        sa.Column("run_id", sa.String(36), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("owner_id", sa.String(36), sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.Column("brand_id", sa.String(36), nullable=True),
        sa.Column("brand_name", sa.Text(), nullable=True),
        sa.Column("asset_ids", sa.Text(), nullable=False),
        sa.Column("assets", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
    )
    op.create_index("ix_run_listings_brand", "run_listings", ["owner_id", "brand_id", "run_id"])


def downgrade() -> None:
    op.drop_table("run_listings")
    op.drop_index("ix_runs_listed", table_name="runs")
    op.drop_column("runs", "deleted_at")
