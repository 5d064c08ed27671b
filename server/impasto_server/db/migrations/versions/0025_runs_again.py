"""Regeneration: the run whose other results a run keeps

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("again_of", sa.String(length=36), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "again_of")
