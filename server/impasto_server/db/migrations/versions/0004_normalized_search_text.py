"""Normalized search text of assets in one column

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

from impasto_server.assets.models import search_text

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_BATCH_SIZE = 1000
_assets = sa.table(
    "assets", *(sa.column(name) for name in ("id", "name", "flow_name", "prompt", "media_type", "words"))
)


def upgrade() -> None:
    op.add_column("assets", sa.Column("words", sa.Text(), nullable=False, server_default=""))
    columns = _assets.c
    page = sa.select(
        columns.id, columns.name, columns.flow_name, columns.prompt, columns.media_type
    ).order_by(columns.id)
    last_id = ""
    while rows := op.get_bind().execute(page.where(columns.id > last_id).limit(_BATCH_SIZE)).all():
        last_id = rows[-1][0]
        values = [{"row_id": row[0], "search_text": search_text(*row[1:])} for row in rows]
        change = sa.update(_assets).where(columns.id == sa.bindparam("row_id"))
        op.get_bind().execute(change.values(words=sa.bindparam("search_text")), values)


def downgrade() -> None:
    op.drop_column("assets", "words")
