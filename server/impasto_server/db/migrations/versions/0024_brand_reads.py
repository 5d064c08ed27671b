"""What steps read of saved brands, and assets that were made again after a change of a brand

Revision ID: 0024
Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "brand_reads",
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("brand_id", sa.String(length=36), nullable=False),
        sa.Column("field", sa.String(length=60), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Numeric(precision=14, scale=8), nullable=False),
        _reference("brand_reads", "owner_id", "users"),
        _reference("brand_reads", "run_id", "runs"),
        sa.PrimaryKeyConstraint("run_id", "step", "brand_id", "field", name=op.f("pk_brand_reads")),
    )
    columns = ["owner_id", "brand_id", "version", "field", "run_id", "step"]
    op.create_index("ix_brand_reads_brand_field", "brand_reads", columns)
    op.create_table(
        "asset_regenerations",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner_id", sa.String(length=36), nullable=False),
        sa.Column("brand_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("asset_id", sa.String(length=36), nullable=False),
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("new_asset_id", sa.String(length=36), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _reference("asset_regenerations", "owner_id", "users"),
        _reference("asset_regenerations", "asset_id", "assets"),
        _reference("asset_regenerations", "run_id", "runs"),
        _reference("asset_regenerations", "new_asset_id", "assets", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asset_regenerations")),
    )
    op.create_index("ix_asset_regenerations_brand", "asset_regenerations", ["owner_id", "brand_id", "id"])
    asset = ["asset_id", "brand_id", "version"]
    op.create_index("ix_asset_regenerations_asset", "asset_regenerations", asset)
    for name in ("run_id", "new_asset_id"):
        op.create_index(op.f(f"ix_asset_regenerations_{name}"), "asset_regenerations", [name])
    for name in ("replaces_id", "replaced_by_id"):
        op.add_column("assets", sa.Column(name, sa.String(length=36), nullable=True))
    op.create_index("ix_assets_replaced_by_id", "assets", ["replaced_by_id"])


def downgrade() -> None:
    op.drop_index("ix_assets_replaced_by_id", "assets")
    op.drop_column("assets", "replaced_by_id")
    op.drop_column("assets", "replaces_id")
    op.drop_table("asset_regenerations")
    op.drop_table("brand_reads")


def _reference(table: str, column: str, to: str, ondelete: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name, ondelete=ondelete)
