"""Image hashes: perceptual hashes of images, to recognize altered copies

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assets", sa.Column("image_hash", sa.LargeBinary(length=32), nullable=True))
    op.create_index("ix_assets_owner_image_hash", "assets", ["owner_id", "id", "image_hash"])


def downgrade() -> None:
    op.drop_index("ix_assets_owner_image_hash", "assets")
    op.drop_column("assets", "image_hash")
