"""Until when a request may be storing an object

A sweep could delete what another request was about to refer to, and leave it without a record.

Revision ID: 0038
Revises: 0037
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("doomed_objects", sa.Column("storing_until", sa.DateTime(timezone=True)))


def downgrade() -> None:
    with op.batch_alter_table("doomed_objects") as table:
        table.drop_column("storing_until")
