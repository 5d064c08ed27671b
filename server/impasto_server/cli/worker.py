"""`impasto worker`: executes the runs that servers have queued."""

import asyncio

import typer

from impasto.garbage_collection import gc_paused
from impasto_server.cli.start import explain_startup_errors, read_settings
from impasto_server.file_modes import private_umask


def work() -> None:
    """Execute queued runs until the process is stopped. Needs IMPASTO_RUN_BACKEND=celery."""
    from impasto_server.db.migrations.runner import migrate

    settings = read_settings()
    if settings.run_backend != "celery":
        typer.echo(
            "The servers execute their runs themselves. Set IMPASTO_RUN_BACKEND=celery and IMPASTO_REDIS_URL "
            "for the servers and the workers.",
            err=True,
        )
        raise typer.Exit(1)
    with private_umask(), explain_startup_errors(settings):
        asyncio.run(migrate(settings.database))
        try:
            with gc_paused():
                from impasto_server.runs import worker
        except ModuleNotFoundError as error:
            typer.echo(f"A worker needs the package '{error.name}': pip install 'impasto[scale]'", err=True)
            raise typer.Exit(1) from error
        typer.echo(f"The worker executes up to {settings.max_concurrent_runs} runs at a time.")
        worker.run()
