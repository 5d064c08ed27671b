"""`impasto migrate` and `impasto worker`, before they execute anything."""

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from impasto_server import runs
from impasto_server.__main__ import program
from impasto_server.db import migrations
from impasto_server.db.migrations import runner

Impasto = Callable[..., Result]
NUMBERS = sorted(path.name[:4] for path in (Path(migrations.__file__).parent / "versions").glob("0*.py"))


@pytest.fixture
def impasto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Impasto:
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(tmp_path / "data"))
    return lambda *arguments, **given: CliRunner().invoke(program, list(arguments), **given)


def numbers(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [line.split()[0] for line in result.output.splitlines() if line.startswith("  ")]


def test_plan_lists_what_migrate_applies_and_writes_nothing(impasto: Impasto, tmp_path: Path) -> None:
    planned = impasto("migrate", "--plan")
    assert (numbers(planned), planned.stdout.partition("\n")[0]) == (NUMBERS, "To apply:")
    assert not list(tmp_path.rglob("*.db"))
    applied = impasto("migrate")
    assert (numbers(applied), applied.stdout.partition("\n")[0]) == (NUMBERS, "Applied:")
    assert impasto("migrate").output == "The database is up to date.\n"
    assert impasto("migrate", "--plan").output == "The database is up to date.\n"


@pytest.mark.usefixtures("data_folder")
def test_back_undoes_the_newest_migration_after_a_question(impasto: Impasto) -> None:
    both = impasto("migrate", "--plan", "--back")
    assert (both.exit_code, "use either --plan or --back." in both.stderr) == (2, True)
    refused = impasto("migrate", "--back", input="n\n")
    assert refused.exit_code == 1
    assert f"Undo {NUMBERS[-1]}" in refused.output
    assert numbers(impasto("migrate", "--plan")) == []
    assert numbers(impasto("migrate", "--back", "--yes")) == [NUMBERS[-1]]
    assert numbers(impasto("migrate", "--plan")) == [NUMBERS[-1]]
    assert numbers(impasto("migrate")) == [NUMBERS[-1]]


def test_back_on_an_empty_database_is_refused(impasto: Impasto) -> None:
    result = impasto("migrate", "--back", "--yes")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "The database has no migration to undo.\n"


def test_database_of_a_newer_version_is_named(impasto: Impasto, data_folder: Path) -> None:
    with sqlite3.connect(data_folder / "impasto.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    for options in ([], ["--plan"], ["--back", "--yes"]):
        result = impasto("migrate", *options)
        assert result.exit_code == 1
        assert "written by a newer version of Impasto" in result.output


@pytest.mark.anyio
async def test_pending_migrations_of_both_databases(no_tables: str) -> None:
    missing = await runner.pending(no_tables)
    assert [migration.revision for migration in missing] == NUMBERS
    assert missing[0] == runner.Migration(revision="0001", title="Initial schema")
    assert await runner.newest_applied(no_tables) is None
    await runner.migrate(no_tables)
    newest = await runner.newest_applied(no_tables)
    assert newest is not None
    await runner.undo(no_tables, newest)
    assert await runner.pending(no_tables) == [newest]
    await runner.migrate(no_tables)
    assert await runner.pending(no_tables) == []


def test_worker_is_refused_where_servers_execute_runs_themselves(impasto: Impasto) -> None:
    result = impasto("worker")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "The servers execute their runs themselves. Set IMPASTO_RUN_BACKEND=celery and IMPASTO_REDIS_URL "
        "for the servers and the workers.\n"
    )


@pytest.mark.usefixtures("data_folder")
def test_worker_without_its_package_is_refused_after_it_has_migrated_the_database(
    impasto: Impasto, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert numbers(impasto("migrate", "--back", "--yes")) == [NUMBERS[-1]]
    monkeypatch.setenv("IMPASTO_RUN_BACKEND", "celery")
    monkeypatch.setenv("IMPASTO_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setitem(sys.modules, "celery", None)
    monkeypatch.delitem(sys.modules, "impasto_server.runs.worker", raising=False)
    monkeypatch.delattr(runs, "worker", raising=False)
    result = impasto("worker")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "A worker needs the package 'celery': pip install 'impasto[scale]'\n"
    assert impasto("migrate").output == "The database is up to date.\n"
