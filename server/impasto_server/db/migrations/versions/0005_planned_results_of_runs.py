"""Planned results of runs: what a run's page needs, without compiling its document again

Rows of older runs stay NULL here, because compiling them needs the catalog: the server fills them in its
housekeeping, and reads them from the document and the events until then.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_UNFILLED = sa.text("planned_results IS NULL")


def upgrade() -> None:
    op.add_column("runs", sa.Column("planned_results", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("planned_steps", sa.Text(), nullable=True))
    op.create_index(
        "ix_runs_without_planned_results",
        "runs",
        ["id"],
        unique=False,
        sqlite_where=_UNFILLED,
        postgresql_where=_UNFILLED,
    )


def downgrade() -> None:
    op.drop_index("ix_runs_without_planned_results", table_name="runs")
    op.drop_column("runs", "planned_steps")
    op.drop_column("runs", "planned_results")
