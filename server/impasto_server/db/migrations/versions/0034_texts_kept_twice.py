"""Runs whose texts may be in the library twice are put there again

Versions since 0027 wrote an output that is the plain text of another one, or equals it, beside that one. The
housekeeping merges them.

Revision ID: 0034
Revises: 0033
"""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "UPDATE run_listings SET in_library = FALSE WHERE run_id IN ("
        " SELECT run_id FROM assets WHERE source = 'run' AND excerpt IS NOT NULL"
        " GROUP BY run_id HAVING COUNT(*) > 1)"
    )


def downgrade() -> None:
    pass
