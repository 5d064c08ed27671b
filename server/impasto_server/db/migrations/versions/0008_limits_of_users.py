"""Limits of users: overrides, dollars spent a day, dollars reserved by runs, slots in progress

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_JSON = sa.JSON(none_as_null=True).with_variant(
    postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), "postgresql"
)
_USD = sa.Numeric(precision=14, scale=8)


def upgrade() -> None:
    op.add_column("users", sa.Column("limits", _JSON, nullable=True))
    op.add_column("quota_days", sa.Column("spent_usd", _USD, server_default="0", nullable=False))
    op.add_column("runs", sa.Column("reserved_usd", _USD, server_default="0", nullable=False))
    op.add_column("runs", sa.Column("charged_usd", _USD, server_default="0", nullable=False))
    op.add_column("runs", sa.Column("spend_cap_usd", _USD, nullable=True))
    op.create_index("ix_runs_owner_status", "runs", ["owner_id", "status"], unique=False)
    op.create_index("ix_assets_owner_bytes", "assets", ["owner_id", "bytes"], unique=False)
    op.create_table(
        "usage_slots",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("holder", sa.String(length=36), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_usage_slots_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage_slots")),
    )
    op.create_index("ix_usage_slots_user_kind", "usage_slots", ["user_id", "kind"], unique=False)
    op.create_index(op.f("ix_usage_slots_holder"), "usage_slots", ["holder"], unique=False)


def downgrade() -> None:
    op.drop_table("usage_slots")
    op.drop_index("ix_assets_owner_bytes", table_name="assets")
    op.drop_index("ix_runs_owner_status", table_name="runs")
    for column in ("spend_cap_usd", "charged_usd", "reserved_usd"):
        op.drop_column("runs", column)
    op.drop_column("quota_days", "spent_usd")
    op.drop_column("users", "limits")
