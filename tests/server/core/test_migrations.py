"""Migrations and declared tables agree, on both databases."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine
from tests.server.forked_processes import ForkedProcess

from impasto_server.db import migrations
from impasto_server.db.migrations import runner
from impasto_server.db.migrations.runner import configuration, migrate
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
    await engine.dispose()
    assert {name for name in names if "_search" not in name} - {"alembic_version"} == set(metadata.tables)
    assert differences == []
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


async def test_migrations_keep_rows_and_are_reversible(url: str) -> None:
    """Planned results came with 0005, the counted bytes of documents with 0020."""
    config, engine = configuration(url), create_async_engine(url)

    async def planned_columns() -> set[str]:
        async with engine.connect() as connection:
            assert await connection.scalar(text("SELECT inputs FROM runs")) == '{"ask": "jug"}'
            columns = await connection.run_sync(_columns_of_runs)
        return {name for name in columns if name.startswith("planned_")}

    await asyncio.to_thread(command.upgrade, config, "0004")
    async with engine.begin() as connection:
        for statement in _USER_WITH_A_RUN:
            await connection.execute(text(statement))
    await asyncio.to_thread(command.upgrade, config, "0019")
    async with engine.begin() as connection:
        for statement in _AGENT_AND_BRAND:
            await connection.execute(text(statement))
    await asyncio.to_thread(command.upgrade, config, "head")
    assert await planned_columns() == {"planned_results", "planned_steps"}
    async with engine.connect() as connection:
        agent = await connection.scalar(text("SELECT stored_bytes FROM flows"))
        brand = await connection.scalar(text("SELECT stored_bytes FROM brands"))
    assert agent == len('{"ä": 1}'.encode()) + len('{"b": 22}{"s": 333}') + len('{"c": 4444}')
    assert brand == len('{"d": 5}') + len('{"e": 66}')

    await asyncio.to_thread(command.downgrade, config, "0004")
    assert await planned_columns() == set()
    await asyncio.to_thread(command.upgrade, config, "head")
    assert await planned_columns() == {"planned_results", "planned_steps"}
    async with engine.connect() as connection:
        assert await connection.scalar(text("SELECT planned_results FROM runs")) is None
        assert await connection.run_sync(_differences) == []
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


async def test_concurrent_startups_migrate_once(url: str, tmp_path: Path) -> None:
    starting = [_migrating(url, tmp_path) for _ in range(3)]
    assert [await each.wait() for each in starting] == [0, 0, 0]


def _migrating(url: str, folder: Path, **changes: str) -> ForkedProcess:
    environment = {**os.environ, "DATABASE": url, **changes}
    return ForkedProcess("tests.server.core.migrating", "migrate_database", environment, folder)


_USER_WITH_A_RUN = (
    "INSERT INTO users (id, username, username_key, betas, created_at)"
    " VALUES ('u1', 'mara', 'mara', '[]', '2026-01-01')",
    "INSERT INTO runs (id, owner_id, number, flow_name, document, subflows, inputs, fresh, reuse, status,"
    " estimate, cost_usd, last_seq, cancel_requested, attempt, fence, created_at) VALUES ('r1', 'u1', 1,"
    " 'Sample', '{}', '{}', '{\"ask\": \"jug\"}', '[]', 'pure', 'finished', '{}', 0, 1, false, 0, 1,"
    " '2026-01-01')",
)


_AGENT_AND_BRAND = (
    "INSERT INTO flows (id, owner_id, name, description, category, visibility, status, beta, kinds, draft,"
    " revision, created_at, updated_at) VALUES ('f1', 'u1', 'Sample', '', 'ads', 'private', 'draft', false,"
    " '[]', '{\"ä\": 1}', 3, '2026-01-01', '2026-01-01')",
    "INSERT INTO flow_versions (id, flow_id, number, revision, note, kept, document, subflows, created_at)"
    " VALUES ('v1', 'f1', 1, 1, '', false, '{\"b\": 22}', '{\"s\": 333}', '2026-01-01'),"
    " ('v2', 'f1', NULL, 2, '', false, '{\"c\": 4444}', NULL, '2026-01-01')",
    "INSERT INTO brands (id, owner_id, draft, revision, created_at, updated_at)"
    " VALUES ('b1', 'u1', '{\"d\": 5}', 1, '2026-01-01', '2026-01-01')",
    "INSERT INTO brand_versions (id, brand_id, number, note, summary, content, created_at)"
    " VALUES ('w1', 'b1', 1, '', '', '{\"e\": 66}', '2026-01-01')",
)


def _columns_of_runs(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("runs")}


def _differences(connection: Connection) -> list[object]:
    # The migrations alone declare the text indexes, which differ between the databases, and those of
    # expressions, which are reflected as another text.
    undeclared = ("_search", "_ordered")
    options = {
        "compare_type": True,
        "include_name": lambda name, *_: not any(part in str(name) for part in undeclared),
    }
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, metadata))
