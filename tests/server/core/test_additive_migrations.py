"""Migrations only add, so that a program of the version before works on the tables of the next one.

What must go, goes in two releases: the first one no longer uses it, and a migration of the second removes it.
Such a migration is listed in `REMOVALS` with what it removes.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partialmethod
from itertools import pairwise
from typing import Any

import pytest
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, MigrationInfo
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine
from tests.fixtures.tables import DATABASES

from impasto_server.db.migrations.runner import configuration, migrate

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(240),
    pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index"),
]

REMOVALS = {"0009": {"codes is gone"}}  # before the first release

Restrictions = set[tuple[str, ...]]


@dataclass(frozen=True)
class Table:
    """The columns of a table with their types, those that need a value, and what restricts the values.

    A restriction is its kind and its columns.
    """

    columns: dict[str, str]
    required: set[str]
    restrictions: Restrictions


@pytest.mark.parametrize("no_tables", DATABASES, indirect=True)
async def test_each_migration_only_adds(no_tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    revisions: dict[str, dict[str, Table]] = {}

    def note_tables(*, ctx: MigrationContext, step: MigrationInfo, **_: Any) -> None:
        assert ctx.connection is not None
        assert step.up_revision_id is not None
        revisions[step.up_revision_id] = _tables(ctx.connection)

    configure = partialmethod(EnvironmentContext.configure, on_version_apply=[note_tables])
    monkeypatch.setattr(EnvironmentContext, "configure", configure)
    await migrate(no_tables)
    found = {
        revision: changes
        for (_, before), (revision, after) in pairwise(revisions.items())
        if (changes := set(breaking_changes(before, after)))
    }
    assert len(revisions) == len(list(ScriptDirectory.from_config(configuration(no_tables)).walk_revisions()))
    assert len(revisions[max(revisions)]) > 20
    assert found == REMOVALS


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DROP TABLE trials", "trials is gone"),
        ("ALTER TABLE trials DROP COLUMN note", "trials.note is gone"),
        ("ALTER TABLE trials RENAME COLUMN note TO remark", "trials.note is gone"),
        ("ALTER TABLE trials ADD COLUMN size INTEGER NOT NULL", "trials.size needs a value"),
        ("ALTER TABLE trials ALTER COLUMN note SET NOT NULL", "trials.note needs a value"),
        ("ALTER TABLE trials ALTER COLUMN note TYPE VARCHAR(10)", "trials.note has another type"),
        ("ALTER TABLE trials ADD CHECK (note <> '')", "trials has a restriction more"),
        ("CREATE UNIQUE INDEX ix_trials ON trials (note)", "trials has a restriction more"),
        ("ALTER TABLE trials ADD FOREIGN KEY (note) REFERENCES users (id)", "trials has a restriction more"),
        ("ALTER TABLE trials ADD COLUMN size INTEGER NOT NULL DEFAULT 0", None),
        ("ALTER TABLE trials ADD COLUMN size INTEGER REFERENCES trials (id)", None),
        ("CREATE INDEX ix_trials ON trials (note)", None),
    ],
)
async def test_breaking_changes_are_detected(
    postgresql_server: str, statement: str, expected: str | None
) -> None:
    engine = create_async_engine(postgresql_server)
    async with engine.connect() as connection:  # never commits
        for made in (
            "SCHEMA trial",
            "TABLE trial.users (id TEXT PRIMARY KEY)",
            "TABLE trial.trials (id INTEGER PRIMARY KEY, note TEXT)",
        ):
            await connection.execute(text(f"CREATE {made}"))
        await connection.execute(text("SET LOCAL search_path TO trial"))
        before = await connection.run_sync(_tables)
        await connection.execute(text(statement))
        after = await connection.run_sync(_tables)
    await engine.dispose()
    assert before.keys() == {"users", "trials"}
    assert list(breaking_changes(before, after)) == ([expected] if expected else [])


def breaking_changes(before: dict[str, Table], after: dict[str, Table]) -> Iterator[str]:
    """Yield what a program that knows the tables `before` can no longer do with those `after`."""
    for name, old in before.items():
        if name not in after:
            yield f"{name} is gone"
            continue
        new = after[name]
        for column, kind in old.columns.items():
            if column not in new.columns:
                yield f"{name}.{column} is gone"
            elif new.columns[column] != kind:
                yield f"{name}.{column} has another type"
        for column in sorted(new.required - old.required):
            yield f"{name}.{column} needs a value"
        for _, *columns in new.restrictions - old.restrictions:
            if old.columns.keys() >= set(columns):  # else a column is new and empty, which satisfies it
                yield f"{name} has a restriction more"


def _tables(connection: Connection) -> dict[str, Table]:
    """Return the tables of a database, without those of its text search, which triggers fill."""
    inspector = inspect(connection)
    restrictions = _restrictions(inspector)
    return {
        key[1]: Table(
            columns={column["name"]: str(column["type"]) for column in found},
            required={
                column["name"]
                for column in found
                if not column["nullable"] and column["default"] is None and not column.get("autoincrement")
            },
            restrictions=restrictions[key],
        )
        for key, found in inspector.get_multi_columns().items()
        if "_search" not in key[1]
    }


def _restrictions(inspector: Any) -> dict[Any, Restrictions]:
    found: dict[Any, Restrictions] = defaultdict(set)
    for key, constraints in inspector.get_multi_foreign_keys().items():
        found[key] |= {("foreign key", *each["constrained_columns"]) for each in constraints}
    for key, constraints in inspector.get_multi_unique_constraints().items():
        found[key] |= {("unique", *each["column_names"]) for each in constraints}
    for key, indexes in inspector.get_multi_indexes().items():
        found[key] |= {("unique", *each["column_names"]) for each in indexes if each["unique"]}
    for key, constraints in inspector.get_multi_check_constraints().items():
        found[key] |= {(f"check {each['sqltext']}",) for each in constraints}
    return found
