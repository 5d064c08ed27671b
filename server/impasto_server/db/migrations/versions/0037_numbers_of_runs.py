"""Index of the numbers of a user's runs of an agent

Each launch looked at all earlier runs of the agent to number the next one.

Revision ID: 0037
Revises: 0036
"""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_runs_numbered", "runs", ["owner_id", "flow_id", "number"])


def downgrade() -> None:
    op.drop_index("ix_runs_numbered", "runs")
