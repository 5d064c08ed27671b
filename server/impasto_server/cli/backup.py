"""`impasto backup` and `impasto restore`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from impasto_server.cli.admin import runner
from impasto_server.cli.start import exit_with, explain_startup_errors, read_settings
from impasto_server.file_modes import private_umask

if TYPE_CHECKING:
    from impasto_server.backups.service import Summary
    from impasto_server.container import AppState

File = Annotated[Path, typer.Argument(help="A .tar file, or .tar.gz to compress it.")]


def backup(
    file: File,
    with_secrets: Annotated[
        bool,
        typer.Option("--with-secrets", help="Also the key files: who has the backup can read everything."),
    ] = False,
) -> None:
    """Write the database and the stored files to one file. The servers may keep running."""
    from impasto_server.backups import service
    from impasto_server.backups.errors import BackupError

    async def make(app_state: AppState) -> Summary:
        # The runner would explain these errors as a failed start.
        try:
            return await service.backup(app_state, file, with_secrets=with_secrets)
        except BackupError as error:
            raise exit_with(str(error)) from error
        except OSError as error:
            raise exit_with(f"{file}: {error.strerror or error}.") from error

    made = runner.run(make)
    typer.echo(f"Wrote {_describe(made)} to {file}.")
    if not with_secrets:
        typer.echo(f"The key files are not part of it: keep a copy of {read_settings().secrets}.")


def restore(
    file: File,
    check: Annotated[
        bool, typer.Option("--check", help="Only read the file and compare it with its manifest.")
    ] = False,
    new_keys: Annotated[
        bool, typer.Option("--new-keys", help="Restore although the keys are other ones than the backup's.")
    ] = False,
) -> None:
    """Restore a backup into an installation without data. No server or worker may be running."""
    from impasto_server.backups import service
    from impasto_server.backups.errors import BackupError

    settings = read_settings()
    with private_umask(), explain_startup_errors(settings), runner.acting_as_operator():
        try:
            if check:
                found = service.check(file)
            else:
                found = asyncio.run(service.restore(settings, file, new_keys=new_keys))
        except BackupError as error:
            raise exit_with(str(error)) from error
        except FileNotFoundError as error:
            raise exit_with(f"{error.filename}: {error.strerror}.") from error
    made = f"made by Impasto {found.version} at {found.created_at}"
    typer.echo(f"{'The backup is complete' if check else 'Restored'}: {_describe(found)}, {made}.")


def _describe(summary: Summary) -> str:
    keys = f" and {summary.secrets} key files" if summary.secrets else ""
    return f"{summary.rows} rows, {summary.files} files{keys}"
