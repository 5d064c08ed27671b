"""Agents: the kinds of files that their launches take

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None
json_column = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.add_column("flows", sa.Column("takes", json_column, nullable=True))


def downgrade() -> None:
    op.drop_column("flows", "takes")
