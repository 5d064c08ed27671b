"""Full-text indexes of assets and runs

Revision ID: 0028
Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

from impasto_server.db.text_search import create_index, drop_index, indexed_text

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_BATCH_SIZE = 1000
_TABLES = {"assets": "id", "run_listings": "run_id"}


def upgrade() -> None:
    dialect = op.get_bind().dialect.name
    for table, key in _TABLES.items():
        _split_into_terms(sa.table(table, sa.column(key), sa.column("words")), key)
        for statement in create_index(dialect, table, key):
            op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    # The words stay split into terms, which the search before this revision finds too.
    for table in _TABLES:
        for statement in drop_index(op.get_bind().dialect.name, table):
            op.get_bind().exec_driver_sql(statement)


def _split_into_terms(table: sa.TableClause, key: str) -> None:
    column = table.c[key]
    page = sa.select(column, table.c.words).order_by(column)
    change = sa.update(table).where(column == sa.bindparam("row_id")).values(words=sa.bindparam("terms"))
    last = ""
    while rows := op.get_bind().execute(page.where(column > last).limit(_BATCH_SIZE)).all():
        last = rows[-1][0]
        values = [{"row_id": row[0], "terms": indexed_text(row[1])} for row in rows]
        op.get_bind().execute(change, values)
