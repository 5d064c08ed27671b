"""Migrations and declared tables agree, on both databases."""

import asyncio
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from tests.server.forked_processes import ForkedProcess

from impasto_server.db import migrations
from impasto_server.db.engine import create_sqlite_file
from impasto_server.db.migrations import runner
from impasto_server.db.migrations.runner import migrate
from impasto_server.db.migrations.tables import metadata

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index"),
]

VERSIONS = Path(migrations.__file__).parent / "versions"


@pytest.fixture
def url(no_tables: str) -> str:
    return no_tables


async def test_newest_migration_creates_the_declared_tables(no_rows: str) -> None:
    await migrate(no_rows)  # a second start changes nothing

    engine = create_async_engine(no_rows)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda it: set(it.dialect.get_table_names(it)))
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        differences = await connection.run_sync(_differences)
        keys = await connection.run_sync(lambda it: inspect(it).get_multi_pk_constraint())
        indexes = await connection.run_sync(lambda it: inspect(it).get_multi_indexes())
    await engine.dispose()
    assert {name for name in names if "_search" not in name} - {"alembic_version"} == set(metadata.tables)
    assert differences == []
    assert {
        name: key["constrained_columns"] for (_, name), key in keys.items() if name in metadata.tables
    } == {name: list(table.primary_key.columns.keys()) for name, table in metadata.tables.items()}
    assert {
        each["name"]: re.sub("[()]", "", str(condition))
        for found in indexes.values()
        for each in found
        for option, condition in each.get("dialect_options", {}).items()
        if option.endswith("_where")
    } == {
        "ix_flows_beta": "beta",
        "ix_runs_listed": "deleted_at IS NULL",
        "ix_runs_without_planned_results": "planned_results IS NULL",
    }
    numbers = sorted(path.name[:4] for path in VERSIONS.glob("0*.py"))
    assert len(set(numbers)) == len(numbers), "two migrations have the same number"
    assert revision == numbers[-1]


async def test_start_on_an_up_to_date_database_waits_for_no_writer(no_rows: str) -> None:
    engine = create_async_engine(no_rows)
    async with engine.connect() as connection:
        if no_rows.startswith("sqlite"):
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({runner.LOCK})"))
        async with asyncio.timeout(30):
            await migrate(no_rows)
        await connection.rollback()
    await engine.dispose()


async def test_killed_migration_leaves_database_usable(url: str, tmp_path: Path) -> None:
    for steps in (3, 15):
        killed = _migrating(url, tmp_path, LAST_STEP=str(steps))
        assert await killed.wait() == -signal.SIGKILL
    await migrate(url)
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(_differences)
    await engine.dispose()
    assert differences == []


async def test_migration_that_cannot_be_applied_fails_at_once(url: str) -> None:
    create_sqlite_file(url)
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE users (id TEXT)"))
    await engine.dispose()
    async with asyncio.timeout(30):
        with pytest.raises(DBAPIError, match="already exists"):
            await migrate(url)


async def test_migration_gives_up_on_tables_that_stay_locked(
    empty_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(empty_postgresql, "0001")
    engine = create_async_engine(empty_postgresql)
    async with engine.begin() as connection:
        await connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
        monkeypatch.setattr(runner, "_LOCKED_SECONDS", 0)
        with pytest.raises(DBAPIError, match="lock timeout"):
            await migrate(empty_postgresql, "0002")
    await engine.dispose()
    first, *_ = await runner.pending(empty_postgresql)
    assert first.revision == "0002"
    await migrate(empty_postgresql, "0002")
    assert await runner.newest_applied(empty_postgresql) == first


async def test_concurrent_startups_migrate_once(url: str, tmp_path: Path) -> None:
    starting = [_migrating(url, tmp_path) for _ in range(3)]
    assert [await each.wait() for each in starting] == [0, 0, 0]


def _migrating(url: str, folder: Path, **changes: str) -> ForkedProcess:
    environment = {**os.environ, "DATABASE": url, **changes}
    return ForkedProcess("tests.server.core.migrating", "migrate_database", environment, folder)


def _compare_defaults(*compared: Any) -> bool | None:
    """Leave the comparison to Alembic, unless it is of an empty text, of which SQLite has another form."""
    *_, found, _, declared = compared
    return False if (found, declared) == ("('')", "") else None


def _differences(connection: Connection) -> list[object]:
    # The migrations alone declare the text indexes, which differ between the databases, and those of
    # expressions, which are reflected as another text.
    undeclared = ("_search", "_ordered")
    options = {
        "compare_type": True,
        "compare_server_default": _compare_defaults,
        "include_name": lambda name, *_: not any(part in str(name) for part in undeclared),
    }
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, metadata))
