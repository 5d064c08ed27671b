"""Device and address of sessions

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_in_sessions", sa.Column("device", sa.String(length=80), nullable=True))
    op.add_column("sign_in_sessions", sa.Column("address", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("sign_in_sessions", "address")
    op.drop_column("sign_in_sessions", "device")
