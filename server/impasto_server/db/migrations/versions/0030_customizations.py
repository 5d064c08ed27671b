"""The inputs of each agent's launches as its users last set them

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "customizations",
        sa.Column("user_id", sa.String(36), nullable=False),
        sa.Column("flow_id", sa.String(36), nullable=False),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_customizations_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["flow_id"], ["flows.id"], name=op.f("fk_customizations_flow_id_flows"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "flow_id", name=op.f("pk_customizations")),
    )
    op.create_index(op.f("ix_customizations_flow_id"), "customizations", ["flow_id"])


def downgrade() -> None:
    op.drop_table("customizations")
