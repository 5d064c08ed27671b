"""`impasto admin audit`: exports the audit log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from impasto_server.cli.admin import runner
from impasto_server.file_modes import private_umask

if TYPE_CHECKING:
    from impasto_server.audit.schemas import AuditFilter
    from impasto_server.container import AppState

commands = typer.Typer()
STDOUT = Path("-")
ExportFormat = Literal["csv", "jsonl"]


@commands.command("audit")
def export(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write; - prints.")] = STDOUT,
    form: Annotated[ExportFormat, typer.Option("--format", help="csv, or jsonl: JSON lines.")] = "csv",
    action: Annotated[str | None, typer.Option(help="An action or a group of them, such as api_key.")] = None,
    user: Annotated[str | None, typer.Option(help="Username or e-mail address.")] = None,
    since: Annotated[datetime | None, typer.Option(help="First time (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Time before which entries end (UTC).")] = None,
) -> None:
    """Export the audit log, newest entries first."""
    from impasto_server.audit.schemas import AuditFilter

    wanted = AuditFilter(action=action, since=runner.in_utc(since), until=runner.in_utc(until))
    with _open_output(output) as file:
        count = runner.run(lambda app_state: _write(app_state, wanted, user, form, file))
    typer.echo(f"Exported {count} entries.", err=True)


async def _write(
    app_state: AppState, wanted: AuditFilter, who: str | None, form: ExportFormat, file: TextIO
) -> int:
    """Write the entries that match to a file; return how many. Raises `UserNotFound`."""
    from impasto_server.admin import audit_log
    from impasto_server.audit import service as audit

    if who is not None:
        user = await runner.find_user(app_state, who)
        wanted = replace(wanted, user_id=user.id)
    count = -1 if form == "csv" else 0  # the header
    async for line in audit_log.export(app_state, wanted, form):
        file.write(line)
        count += 1
    await audit.record_now(app_state, "audit.export", details={"format": form, "entries": count})
    return count


@contextmanager
def _open_output(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that only its owner can read, or the standard output for `-`."""
    if path == STDOUT:
        yield sys.stdout
        return
    try:
        with private_umask(), path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        typer.echo(f"{path}: {error.strerror}.", err=True)
        raise typer.Exit(1) from error
