"""Search of agents keeps marks that are no accents, such as those of Thai, on SQLite as on PostgreSQL

Revision ID: 0040
Revises: 0039
"""

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "UPDATE flows_search SET folded = (SELECT impasto_fold(f.name || ' ' || f.description)"
            " FROM flows f JOIN flows_search_rows r ON r.id = f.id WHERE r.number = flows_search.rowid)"
        )


def downgrade() -> None:
    pass
