"""Indexes of agents in the order of lists: a user's own, and public ones

Revision ID: 0035
Revises: 0034
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
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
_FILTERS = ["withheld_at", "category"]


def upgrade() -> None:
    op.create_index("ix_flows_own_ordered", "flows", ["owner_id", *_ORDER, "visibility", "status", *_FILTERS])
    op.create_index(
        "ix_flows_public_ordered", "flows", ["visibility", "status", *_ORDER, "owner_id", *_FILTERS]
    )
    op.drop_index("ix_flows_listed", "flows")
    # The new ones begin with these columns, and a database that has both may read a list from the wrong one.
    op.drop_index("ix_flows_visibility", "flows")
    op.drop_index("ix_flows_owner_updated", "flows")


def downgrade() -> None:
    op.create_index("ix_flows_visibility", "flows", ["visibility"])
    op.create_index("ix_flows_owner_updated", "flows", ["owner_id", "updated_at"])
    op.create_index(
        "ix_flows_listed",
        "flows",
        [
            *("visibility", "status", "withheld_at", "owner_id", "category"),
            *("featured_at", "position", "updated_at", "id"),
        ],
    )
    op.drop_index("ix_flows_public_ordered", "flows")
    op.drop_index("ix_flows_own_ordered", "flows")
