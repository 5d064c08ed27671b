"""Alembic environment: runs all migrations in one transaction, under a lock."""

import asyncio
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import JSON, Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from impasto_server.db.engine import create_sqlite_file
from impasto_server.db.folding import SQLITE_FUNCTION, fold
from impasto_server.db.migrations.runner import LOCK
from impasto_server.db.migrations.tables import metadata
from impasto_server.db.types import JsonText, UtcDateTime

_LOCK_TIMEOUT_SECONDS = 60


def _render(kind: str, item: Any, autogen_context: AutogenContext) -> str | Literal[False]:
    """Render our column types as SQLAlchemy's, so that revisions do not depend on our classes."""
    if kind != "type":
        return False
    if isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(item, JsonText):
        return "sa.Text()"
    if isinstance(item, JSON):
        autogen_context.imports.add("from sqlalchemy.dialects import postgresql")
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        # Servers of the version before are working. PostgreSQL looks for deadlocks after a second: until then
        # the migration has given up, so that no request is the one that fails. `runner` tries again.
        connection.execute(text("SET LOCAL lock_timeout = '500ms'"))
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=_render,
        # On SQLite too: a process that is killed halfway leaves the schema unchanged.
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def _disable_autocommit(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # else the driver commits each DDL statement
    connection.create_function(SQLITE_FUNCTION, 1, fold)  # which triggers use


def _begin(connection: Connection) -> None:
    # Waits for another server that is migrating at the same time.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _engine(url: str) -> AsyncEngine:
    if not url.startswith("sqlite"):
        return create_async_engine(url)
    engine = create_async_engine(url, connect_args={"timeout": _LOCK_TIMEOUT_SECONDS})
    event.listen(engine.sync_engine, "connect", _disable_autocommit)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


async def _run() -> None:
    url = context.config.attributes["url"]
    create_sqlite_file(url)
    engine = _engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate)
    finally:
        await engine.dispose()


asyncio.run(_run())
