"""Audit log, append-only: triggers refuse updates, replacements, and deletions within 30 days

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_SQLITE = (
    """
    CREATE TRIGGER audit_log_refuse_update BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
    """,
    # REPLACE deletes the old row without firing the triggers of DELETE.
    """
    CREATE TRIGGER audit_log_refuse_replace BEFORE INSERT ON audit_log
    WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
    """,
    """
    CREATE TRIGGER audit_log_refuse_delete BEFORE DELETE ON audit_log
    WHEN OLD.at > datetime('now', '-30 days')
    BEGIN SELECT RAISE(ABORT, 'the audit log keeps every entry for 30 days'); END
    """,
)
_POSTGRESQL = (
    """
    CREATE FUNCTION audit_log_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        IF OLD.at <= now() - interval '30 days' THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'the audit log keeps every entry for 30 days';
      END IF;
      RAISE EXCEPTION 'the audit log is append-only';
    END $$
    """,
    """
    CREATE TRIGGER audit_log_refuse_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_refuse()
    """,
    """
    CREATE TRIGGER audit_log_refuse_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse()
    """,
)


def upgrade() -> None:
    op.create_table(
        "audit_log",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("actor_kind", sa.String(length=16), nullable=False),
        sa.Column("actor_id", sa.String(length=36), nullable=True),
        sa.Column("api_key_id", sa.String(length=36), nullable=True),
        sa.Column("target_kind", sa.String(length=32), nullable=True),
        sa.Column("target_id", sa.String(length=200), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("user_agent", sa.String(length=256), nullable=True),
        sa.Column("details", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"], unique=False)
    op.create_index("ix_audit_log_actor", "audit_log", ["actor_id", "id"], unique=False)
    op.create_index("ix_audit_log_target", "audit_log", ["target_id", "id"], unique=False)
    op.create_index("ix_audit_log_action", "audit_log", ["action", "id"], unique=False)
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit_log")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_log_refuse()")
