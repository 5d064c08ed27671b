"""Marking: how an agent's images are marked, and the name in a user's content credentials

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_FLAGS = (("flows", "watermark"), ("flows", "mark_exports"), ("assets", "mark_exports"))


def upgrade() -> None:
    for table, column in _FLAGS:
        op.add_column(table, sa.Column(column, sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("users", sa.Column("credentials_name", sa.String(length=60), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "credentials_name")
    for table, column in _FLAGS:
        op.drop_column(table, column)
