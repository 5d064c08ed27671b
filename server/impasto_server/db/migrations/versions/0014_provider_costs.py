"""What runs cost, by user, day and provider

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "provider_costs",
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("provider", sa.String(length=60), nullable=False),
        sa.Column("usd", sa.Numeric(precision=14, scale=8), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_provider_costs_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "day", "provider", name=op.f("pk_provider_costs")),
    )
    op.create_index(op.f("ix_provider_costs_day"), "provider_costs", ["day"], unique=False)


def downgrade() -> None:
    op.drop_table("provider_costs")
