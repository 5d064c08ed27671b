"""`impasto migrate`: shows, applies and undoes migrations of the database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from impasto_server.cli.start import explain_startup_errors, read_settings
from impasto_server.file_modes import private_umask

if TYPE_CHECKING:
    from impasto_server.db.migrations.runner import Migration


def migrate(
    plan: Annotated[bool, typer.Option("--plan", help="Only list what would be applied.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Undo the newest migration.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --back: do not ask.")] = False,
) -> None:
    """Apply the migrations that the database lacks. Servers and workers do this at their start, too."""
    from impasto_server.db.migrations import runner

    if plan and back:
        raise typer.BadParameter("use either --plan or --back.")
    settings = read_settings()
    with private_umask(), explain_startup_errors(settings):
        if back:
            _undo(settings.database, is_confirmed=yes)
            return
        pending = asyncio.run(runner.pending(settings.database))
        if not pending:
            typer.echo("The database is up to date.")
            return
        if not plan:
            asyncio.run(runner.migrate(settings.database))
        _print("To apply:" if plan else "Applied:", pending)


def _undo(url: str, *, is_confirmed: bool) -> None:
    from impasto_server.db.migrations import runner

    newest = asyncio.run(runner.newest_applied(url))
    if newest is None:
        typer.echo("The database has no migration to undo.", err=True)
        raise typer.Exit(1)
    question = f"Undo {newest.revision} ({newest.title})? What only its tables and columns hold is deleted."
    if not is_confirmed and not typer.confirm(question):
        raise typer.Exit(1)
    asyncio.run(runner.undo(url, newest))
    _print("Undone:", [newest])


def _print(heading: str, migrations: list[Migration]) -> None:
    typer.echo(heading)
    for migration in migrations:
        typer.echo(f"  {migration.revision}  {migration.title}")
