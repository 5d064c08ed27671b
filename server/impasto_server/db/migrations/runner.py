"""Runs the migrations."""

import asyncio
import random
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from impasto_server.file_modes import sqlite_file

LOCK = 0x1A5A570  # any constant: servers that start at the same time must use the same
_LOCKED_SECONDS = 60.0
_LOCKED_STATES = ("55P03", "40P01")  # SQLSTATE of PostgreSQL: lock timeout, deadlock


@dataclass(frozen=True, kw_only=True)
class Migration:
    """A migration: its number, and what it changes, in a line."""

    revision: str
    title: str


def configuration(url: str) -> Config:
    """Return Alembic's configuration for a database."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


async def migrate(url: str, revision: str = "head") -> None:
    """Upgrade a database to the newest schema, or to a revision. Takes no lock if it is up to date.

    On PostgreSQL, tables that other processes are using are waited for, for a minute at most.
    """
    applied = await _revision(url) if revision == "head" else None
    if applied is not None and applied == _newest():
        return
    deadline = time.monotonic() + _LOCKED_SECONDS
    while True:
        try:
            await asyncio.to_thread(command.upgrade, configuration(url), revision)
        except DBAPIError as error:
            is_locked = getattr(error.orig, "sqlstate", None) in _LOCKED_STATES
            if not is_locked or time.monotonic() >= deadline:
                raise
            await asyncio.sleep(random.uniform(0.1, 0.5))  # noqa: S311 - no secret
        else:
            return


@cache
def _newest() -> str | None:
    """Return the newest revision of this version. Loading every migration takes 60 ms."""
    return ScriptDirectory.from_config(configuration("")).get_current_head()


async def pending(url: str) -> list[Migration]:
    """Return the migrations that a database lacks, in the order in which `migrate` applies them.

    Raises alembic's `CommandError`, as `newest_applied` does.
    """
    newest = await newest_applied(url)
    applied = newest.revision if newest else "base"
    scripts = ScriptDirectory.from_config(configuration(url))
    return [_migration(script) for script in scripts.iterate_revisions("head", applied)][::-1]


async def newest_applied(url: str) -> Migration | None:
    """Return the migration that was applied last, or None for an empty database.

    Raises alembic's `CommandError` if a newer version of Impasto has written the database.
    """
    applied = await _revision(url)
    if applied is None:
        return None
    script = ScriptDirectory.from_config(configuration(url)).get_revision(applied)
    assert script is not None
    return _migration(script)


async def undo(url: str, migration: Migration) -> None:
    """Return a database to the schema before a migration, the newest one that was applied."""
    await asyncio.to_thread(command.downgrade, configuration(url), f"{migration.revision}-1")


def _migration(script: Script) -> Migration:
    return Migration(revision=script.revision, title=script.doc.partition("\n")[0])


async def _revision(url: str) -> str | None:
    file = sqlite_file(url)
    if file is not None and not file.exists():
        return None
    engine = create_async_engine(make_url(url))
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_current)
    finally:
        await engine.dispose()


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
