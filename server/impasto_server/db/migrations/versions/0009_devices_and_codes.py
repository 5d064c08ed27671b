"""Devices of users, codes by requesting device, wrong codes by day

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_CODE_COLUMNS = "user_id, purpose, hash, expires_at, tries_left, auto_sign_in"


def upgrade() -> None:
    op.create_table(
        "email_codes",
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("purpose", sa.String(length=32), nullable=False),
        sa.Column("requester", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries_left", sa.Integer(), nullable=False),
        sa.Column("is_link", sa.Boolean(), nullable=False),
        sa.Column("auto_sign_in", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_email_codes_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "purpose", "requester", name=op.f("pk_email_codes")),
    )
    # Codes that are valid now stay valid: without a requester, any device may enter them.
    op.execute(
        f"INSERT INTO email_codes (requester, is_link, {_CODE_COLUMNS})"  # noqa: S608
        f" SELECT '', false, {_CODE_COLUMNS} FROM codes"
    )
    op.drop_table("codes")
    op.create_table(
        "wrong_codes",
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("address", "day", name=op.f("pk_wrong_codes")),
    )
    op.create_table(
        "known_devices",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("address_block", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_known_devices_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_known_devices")),
        sa.UniqueConstraint("user_id", "digest", name=op.f("uq_known_devices_user_id_digest")),
    )
    op.create_index(op.f("ix_known_devices_last_used_at"), "known_devices", ["last_used_at"], unique=False)


def downgrade() -> None:
    op.drop_table("known_devices")
    op.drop_table("wrong_codes")
    op.create_table(
        "codes",
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("purpose", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries_left", sa.Integer(), nullable=False),
        sa.Column("auto_sign_in", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_codes_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "purpose", name=op.f("pk_codes")),
    )
    op.drop_table("email_codes")
