"""Origins of agents: what each one was copied from, and an index of those in private beta

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_IN_BETA = sa.text("beta")


def upgrade() -> None:
    json_column = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
    op.add_column("flows", sa.Column("copied_from", json_column, nullable=True))
    op.create_index(
        "ix_flows_beta", "flows", ["id"], unique=False, sqlite_where=_IN_BETA, postgresql_where=_IN_BETA
    )


def downgrade() -> None:
    op.drop_index("ix_flows_beta", table_name="flows")
    op.drop_column("flows", "copied_from")
