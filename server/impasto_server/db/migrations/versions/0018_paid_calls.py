"""What paid calls under way hold, and runs that may use models without a price

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("runs") as runs:
        runs.add_column(sa.Column("held_usd", sa.Numeric(14, 8), nullable=False, server_default="0"))
        runs.add_column(sa.Column("allow_unpriced", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table("runs") as runs:
        runs.drop_column("allow_unpriced")
        runs.drop_column("held_usd")
