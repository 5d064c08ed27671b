"""Index of a user's published agents in the order of lists

A user with many drafts and few published agents had each draft read and passed over.

Revision ID: 0036
Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_ORDER: list[str | sa.TextClause] = [
    sa.text("(CASE WHEN (featured_at IS NULL) THEN 1 ELSE 0 END)"),
    sa.text("featured_at DESC"),
    sa.text("(CASE WHEN (position IS NULL) THEN 1 ELSE 0 END)"),
    "position",
    sa.text("updated_at DESC"),
    sa.text("id DESC"),
]
# What lists are filtered by: a row contains its draft, which is large.
_FILTERS = ["visibility", "withheld_at", "category"]


def upgrade() -> None:
    op.create_index("ix_flows_own_status_ordered", "flows", ["owner_id", "status", *_ORDER, *_FILTERS])


def downgrade() -> None:
    op.drop_index("ix_flows_own_status_ordered", "flows")
