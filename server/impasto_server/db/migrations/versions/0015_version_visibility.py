"""Versions: which of them other users may see and run, and withdrawals

Versions of agents that are public today stay visible, those of private agents stay private.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "flow_versions", sa.Column("public", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("flow_versions", sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True))
    flows = sa.table("flows", sa.column("id"), sa.column("visibility"))
    versions = sa.table(
        "flow_versions", sa.column("flow_id"), sa.column("number"), sa.column("public", sa.Boolean())
    )
    of_public_agents = versions.c.flow_id.in_(sa.select(flows.c.id).where(flows.c.visibility == "public"))
    op.execute(
        versions.update().where(of_public_agents, versions.c.number.is_not(None)).values(public=sa.true())
    )


def downgrade() -> None:
    op.drop_column("flow_versions", "withdrawn_at")
    op.drop_column("flow_versions", "public")
