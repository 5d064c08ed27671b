"""Indexes for the filters of the asset library: kind, source and agent

Revision ID: 0003
Revises: 0002
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("kind", "source", "flow_id"):
        op.create_index(f"ix_assets_owner_{column}", "assets", ["owner_id", column, "id"], unique=False)


def downgrade() -> None:
    for column in ("flow_id", "source", "kind"):
        op.drop_index(f"ix_assets_owner_{column}", table_name="assets")
