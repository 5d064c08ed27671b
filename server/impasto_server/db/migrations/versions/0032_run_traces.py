"""The span that launched a run, so that its execution continues the trace

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("traceparent", sa.String(55)))


def downgrade() -> None:
    op.drop_column("runs", "traceparent")
