"""An index of what lists of agents are filtered and ordered by

Revision ID: 0031
Revises: 0030
"""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_COLUMNS = [
    "visibility",
    "status",
    "withheld_at",
    "owner_id",
    "category",
    "featured_at",
    "position",
    "updated_at",
    "id",
]


def upgrade() -> None:
    op.create_index("ix_flows_listed", "flows", _COLUMNS)


def downgrade() -> None:
    op.drop_index("ix_flows_listed", "flows")
