"""Comparisons: a run of one node with several settings, whose steps can be cancelled one by one

Revision ID: 0033
Revises: 0032
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("comparison", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("cancelled_steps", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "cancelled_steps")
    op.drop_column("runs", "comparison")
