"""Queued e-mails: e-mails that the mail server has not taken

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "queued_emails",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_queued_emails_next_attempt_at", "queued_emails", ["next_attempt_at"])


def downgrade() -> None:
    op.drop_table("queued_emails")
