"""While servers are upgraded one after another, those of the version before work on the newest tables.

A program of the version before knows the tables as they were: it reads and writes the columns of then. The
test works as such a program, while each of the newest migrations is applied and after it.
"""

import asyncio
import itertools
from collections.abc import Coroutine
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from tests.fixtures.tables import DATABASES
from tests.server.table_writer import TableWriter

from impasto_server.backups.rows import read_tables
from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import configuration, migrate

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
MIGRATIONS = 3


@pytest.fixture
def url(no_tables: str) -> str:
    return no_tables


def newest_revisions(url: str) -> list[str]:
    """Return the newest migrations and the one before them, oldest first."""
    scripts = ScriptDirectory.from_config(configuration(url)).walk_revisions()
    return [script.revision for script in itertools.islice(scripts, MIGRATIONS + 1)][::-1]


@pytest.mark.parametrize("no_tables", DATABASES, indirect=True)
async def test_former_program_works_during_and_after_the_newest_migrations(url: str) -> None:
    oldest, *newer = newest_revisions(url)
    await migrate(url, oldest)
    for revision in newer:
        database = Database(url, pool_size=4)
        try:
            async with database.engine.connect() as connection:
                tables = await read_tables(connection)
            program = TableWriter(database, tables)
            await program.write()
            await work_during(program, migrate(url, revision))
            await program.write()
            assert program.rounds >= 3
        finally:
            await database.close()


async def work_during(program: TableWriter, migration: Coroutine[Any, Any, None]) -> None:
    """Let the program work until the migration has ended, and once more after that."""
    migrating = asyncio.ensure_future(migration)
    while True:
        is_last = migrating.done()
        await program.write()
        if is_last:
            await migrating
            return
