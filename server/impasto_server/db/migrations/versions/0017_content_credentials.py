"""Content credentials: how assets are signed, and whether AI made them

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assets", sa.Column("credentials", sa.String(length=10), nullable=True))
    op.add_column("assets", sa.Column("source_type", sa.String(length=60), nullable=True))
    op.add_column("assets", sa.Column("ai_made", sa.String(length=10), nullable=True))
    op.add_column("assets", sa.Column("unsigned_sha256", sa.String(length=64), nullable=True))


def downgrade() -> None:
    for name in ("unsigned_sha256", "ai_made", "source_type", "credentials"):
        op.drop_column("assets", name)
