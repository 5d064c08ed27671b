"""Fair queue: the priority of runs, the users' turns, the worker processes and their crashes

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("priority", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("crashes", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("crash_steps", sa.Text(), nullable=True))
    op.execute("UPDATE runs SET priority = 1 WHERE batch_id IS NOT NULL AND status IN ('queued', 'running')")
    op.create_table(
        "run_workers",
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("suspect_run_id", sa.String(36), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_run_workers")),
    )
    op.create_index(op.f("ix_run_workers_seen_at"), "run_workers", ["seen_at"])
    op.create_table(
        "run_queue_turns",
        sa.Column("owner_id", sa.String(36), nullable=False),
        sa.Column("served_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name=op.f("fk_run_queue_turns_owner_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("owner_id", name=op.f("pk_run_queue_turns")),
    )


def downgrade() -> None:
    op.drop_table("run_queue_turns")
    op.drop_table("run_workers")
    op.drop_column("runs", "crash_steps")
    op.drop_column("runs", "crashes")
    op.drop_column("runs", "priority")
