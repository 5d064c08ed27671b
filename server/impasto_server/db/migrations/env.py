"""How Alembic reaches the database: one transaction for all steps, alone in the database."""

import asyncio
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import JSON, Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from impasto_server.db.engine import create_database_folder
from impasto_server.db.migrations.tables import metadata
from impasto_server.db.types import JsonText, UtcDateTime

_PATIENCE_SECONDS = 60
_LOCK = 0x1A5A570  # any number, the same for every server that starts at once


def _render(kind: str, item: Any, autogen_context: AutogenContext) -> str | Literal[False]:
    """Write revisions in SQLAlchemy's own types: they must not change when our classes do."""
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
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=_render,
        # Also on SQLite: a process that is killed halfway leaves the database as it was.
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def _take_over(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # or the driver would commit each change of a table by itself


def _begin(connection: Connection) -> None:
    # Waits for a server that is starting at the same moment, then finds its work done.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _engine(url: str) -> AsyncEngine:
    if not url.startswith("sqlite"):
        return create_async_engine(url)
    engine = create_async_engine(url, connect_args={"timeout": _PATIENCE_SECONDS})
    event.listen(engine.sync_engine, "connect", _take_over)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


async def _run() -> None:
    url = context.config.attributes["url"]
    create_database_folder(url)
    engine = _engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate)
    finally:
        await engine.dispose()


asyncio.run(_run())
