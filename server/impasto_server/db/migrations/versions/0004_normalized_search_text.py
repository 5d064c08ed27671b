"""Words in one spelling: a search of the library compares one column, in any alphabet

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

from impasto_server.assets.search_text import search_text

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_AT_ONCE = 1000
_assets = sa.table(
    "assets", *(sa.column(name) for name in ("id", "name", "flow_name", "prompt", "media_type", "words"))
)


def upgrade() -> None:
    op.add_column("assets", sa.Column("words", sa.Text(), nullable=False, server_default=""))
    told = _assets.c
    page = sa.select(told.id, told.name, told.flow_name, told.prompt, told.media_type).order_by(told.id)
    known = ""
    while rows := op.get_bind().execute(page.where(told.id > known).limit(_AT_ONCE)).all():
        known = rows[-1][0]
        filled = [{"one": row[0], "found_by": search_text(*row[1:])} for row in rows]
        change = sa.update(_assets).where(told.id == sa.bindparam("one"))
        op.get_bind().execute(change.values(words=sa.bindparam("found_by")), filled)


def downgrade() -> None:
    op.drop_column("assets", "words")
