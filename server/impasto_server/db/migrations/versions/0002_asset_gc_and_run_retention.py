"""Garbage collection of assets, retention of runs, digests of launches, subflows of versions

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "doomed_objects",
        sa.Column("object_key", sa.String(length=200), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("object_key", name=op.f("pk_doomed_objects")),
    )
    op.add_column("runs", sa.Column("launch_digest", sa.String(length=64), nullable=True))
    op.add_column("runs", sa.Column("trimmed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("flow_versions", sa.Column("subflows", sa.Text(), nullable=True))
    op.create_index(op.f("ix_step_reuse_used_at"), "step_reuse", ["used_at"], unique=False)
    # Older keys do not include the agent, so no request can match them.
    op.execute("UPDATE runs SET launch_key = NULL WHERE launch_key IS NOT NULL")


def downgrade() -> None:
    op.drop_index(op.f("ix_step_reuse_used_at"), table_name="step_reuse")
    op.drop_column("flow_versions", "subflows")
    op.drop_column("runs", "trimmed_at")
    op.drop_column("runs", "launch_digest")
    op.drop_table("doomed_objects")
